import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

// In your app: your own sign-in. This one takes any name.
const visits = new Map<string, string>();

const TEAM = /^[a-z0-9-]{1,40}$/;

/** Signs a team in; false if the name cannot be a team's. */
export function signIn(response: Response, team: unknown): boolean {
  if (typeof team !== 'string' || !TEAM.test(team)) return false;
  const visit = randomUUID();
  visits.set(visit, team);
  // Lax: forms of other sites are sent without it.
  response.set('Set-Cookie', `visit=${visit}; HttpOnly; SameSite=Lax; Path=/`);
  return true;
}

export function teamOf(request: Request): string | undefined {
  const visit = /(?:^|;\s*)visit=([0-9a-f-]{36})/.exec(request.header('cookie') ?? '')?.[1];
  return visit === undefined ? undefined : visits.get(visit);
}
