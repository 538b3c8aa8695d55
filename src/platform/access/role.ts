import { SCOPES, type Scope } from './key.ts';

/** Roles a member of a merchant can have in the dashboard, the one with the most rights first. */
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
