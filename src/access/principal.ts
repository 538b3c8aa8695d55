import { AppError } from '../lib/errors.ts';
import type { Scope } from './key.ts';

/** Who is calling, and what they may do. */
export interface Principal {
  merchantId: string;
  keyId: string;
  /** As the audit log names them. */
  actor: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  isVerified: boolean;
  payoutAddress: string | null;
}

export function requireScopes(principal: Principal, scopes: readonly Scope[]): void {
  for (const scope of scopes) {
    if (!principal.scopes.includes(scope)) {
      throw new AppError('INSUFFICIENT_SCOPE', { message: `This API key lacks the scope ${scope}.` });
    }
  }
}
