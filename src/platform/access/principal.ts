import { AppError } from '../lib/errors.ts';
import type { AllowedAddresses } from './allowed-addresses.ts';
import type { Scope } from './key.ts';
import type { Role } from './role.ts';

/** The caller and their permissions: an API key, or a member signed in to the dashboard. */
export interface Principal {
  merchantId: string;
  /** The key's id, or the session's: what calls are counted by. */
  callerId: string;
  /** The caller as the audit log names them. */
  actor: string;
  scopes: readonly Scope[];
  /** The addresses the key may be used from; null for anywhere. */
  allowedAddresses: AllowedAddresses | null;
  expiresAt: Date | null;
  isVerified: boolean;
  payoutAddress: string | null;
  /** The merchant's, in which days and months are counted. */
  timeZone: string;
  /** Present when an AI assistant uses the key. */
  agent?: Agent;
  /** Absent when a key calls. */
  member: SignedInMember | undefined;
}

/** An AI assistant that uses a key through MCP. */
export interface Agent {
  /** The name the program gives itself. Nobody vouches for it. */
  client: string;
}

export interface SignedInMember {
  id: string;
  role: Role;
  /** Until when they count as having proved just now who they are; the past when that was too long ago. */
  stepUpUntil: Date;
  isSteppedUp: boolean;
}

/** Names everything that is missing, so that one new key is enough. */
export function requireScopes(
  { scopes: held, member }: Principal,
  scopes: readonly Scope[],
  more?: { field: string; scopes: readonly Scope[] },
): void {
  const missing = scopes.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  const named = missing.join(', ');
  if (member)
    throw new AppError('INSUFFICIENT_ROLE', { message: `Your role, ${member.role}, lacks ${named}.` });
  const noun = missing.length === 1 ? 'scope' : 'scopes';
  const further = more?.scopes.filter((scope) => !held.includes(scope) && !missing.includes(scope)) ?? [];
  const also = further.length > 0 ? ` To set ${more!.field} it also needs ${further.join(', ')}.` : '';
  throw new AppError('INSUFFICIENT_SCOPE', { message: `This API key lacks the ${noun} ${named}.${also}` });
}

/** Refuses members other than owners; for a key, only its scopes matter. */
export function requireOwner({ member }: Principal): void {
  if (!member || member.role === 'owner') return;
  throw new AppError('INSUFFICIENT_ROLE', { message: 'Only an owner can do this.' });
}

/** Refuses a member who has not proved just now who they are; a key proves it with every call. */
export function requireStepUp({ member }: Principal): void {
  if (member && !member.isSteppedUp) throw new AppError('STEP_UP_REQUIRED');
}

/** A read-only role cannot even change what any key can. */
export function requireWriter({ member }: Principal): void {
  if (member?.role !== 'viewer') return;
  throw new AppError('INSUFFICIENT_ROLE', { message: 'Your role, viewer, is read-only.' });
}
