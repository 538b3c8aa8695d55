import type { FastifyRequest } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { type App, type Call, type RouteSpec, route } from '../../platform/http/route.ts';
import type { Static, TSchema } from '../../platform/http/schema.ts';
import { requireOwnOrigin } from '../../platform/http/session-cookie.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { readCookie, requireCsrfToken } from './cookie.ts';
import { findVisitor } from './enter-portal.ts';
import type { Visitor } from './portal-session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    visitor: Visitor | undefined;
  }
}

export interface PortalAccess {
  db: Database;
  clock: Clock;
  publicUrl(): string;
}

type Value<S, None> = S extends TSchema ? Static<S> : None;

export interface PortalSpec<Body extends TSchema | undefined, Query extends TSchema | undefined>
  extends Omit<RouteSpec<Body, Query>, 'handle' | 'tag'> {
  handle(
    call: Call<Value<Body, undefined>, Value<Query, Record<string, never>>> & { visitor: Visitor },
  ): Promise<unknown>;
}

const PATH = '/api/portal';

/**
 * A route for the signed-in customer, authenticated by the cookie only: an API key does not work here. A change must
 * also prove that it comes from our own pages. All of this is checked before the body is read.
 */
export function portalRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, door: PortalAccess, { handle, ...spec }: PortalSpec<Body, Query>): void {
  const isChange = spec.method !== 'GET';
  async function admit(request: FastifyRequest): Promise<void> {
    const { headers } = request;
    const publicUrl = door.publicUrl();
    const cookie = readCookie(headers, publicUrl);
    request.visitor = await findVisitor(door.db, cookie, door.clock.now());
    if (!isChange) return;
    requireOwnOrigin(headers, publicUrl);
    requireCsrfToken(headers, cookie!);
  }
  route(
    app,
    {
      ...spec,
      path: PATH + spec.path,
      tag: 'Customer portal',
      errors: [...spec.errors, 'PORTAL_SESSION_REQUIRED', ...(isChange ? ['FORBIDDEN' as const] : [])],
      handle: (call) => handle({ ...call, visitor: call.request.visitor! } as Parameters<typeof handle>[0]),
    } as RouteSpec<Body, Query>,
    {
      portal: true,
      onRequest(request, _reply, done) {
        admit(request).then(() => done(), done);
      },
    },
  );
}
