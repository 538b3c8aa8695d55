import { SCOPES, type Scope } from './key.ts';

/** What a member of a merchant may do in the dashboard, the most first. */
export const ROLES = ['owner', 'developer', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const SCOPES_OF: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  developer: SCOPES,
  viewer: ['billing:read', 'payments:read'],
};

export function scopesOf(role: Role): readonly Scope[] {
  return SCOPES_OF[role];
}
