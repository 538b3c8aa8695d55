import type { IncomingHttpHeaders } from 'node:http';
import { readCookie } from './cookie.ts';
import type { PortalAccess } from './portal-route.ts';
import { hashSecret, isOwn } from './portal-session.ts';
import { findVisitorByCookie } from './queries.ts';

/** True if the requesting browser is signed in to its portal now, as this customer. */
export async function isVisiting(
  { db, clock, publicUrl }: PortalAccess,
  headers: IncomingHttpHeaders,
  { merchantId, customerId }: { merchantId: string; customerId: string | null },
): Promise<boolean> {
  const cookie = readCookie(headers, publicUrl());
  if (cookie === undefined || customerId === null) return false;
  const visitor = await findVisitorByCookie(db, hashSecret(cookie), clock.now());
  return visitor?.merchantId === merchantId && isOwn(visitor, customerId);
}
