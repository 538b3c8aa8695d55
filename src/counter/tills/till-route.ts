import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../platform/access/key.ts';
import type { Database } from '../../platform/db/database.ts';
import { type App, type Call, type RouteSpec, route } from '../../platform/http/route.ts';
import type { Static, TSchema } from '../../platform/http/schema.ts';
import { requireOwnOrigin, requireToken } from '../../platform/http/session-cookie.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { tillCookie } from './cookie.ts';
import { findPairedTill } from './queries.ts';
import { csrfTokenOf, hashTillSecret, type PairedTill } from './till.ts';

declare module 'fastify' {
  interface FastifyRequest {
    till: PairedTill | undefined;
  }
}

export interface TillAccess {
  db: Database;
  clock: Clock;
  environment: Environment;
  publicUrl(): string;
}

type Value<S, None> = S extends TSchema ? Static<S> : None;

export interface TillSpec<Body extends TSchema | undefined, Query extends TSchema | undefined>
  extends Omit<RouteSpec<Body, Query>, 'handle' | 'sdk' | 'tag' | 'summary'> {
  /** On mainnet, only for merchants the operator has verified. */
  verified?: boolean;
  handle(
    call: Call<Value<Body, undefined>, Value<Query, Record<string, never>>> & { till: PairedTill },
  ): Promise<unknown>;
}

export const TILL_API = '/api/till';

/**
 * A route for paired tills, known by their cookie: an API key does not work here, and a till's key nowhere else. The
 * till is looked up for every call, so that unpairing takes effect at once. A change must also prove that it comes
 * from our own page.
 */
export function tillRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, access: TillAccess, { handle, verified, ...spec }: TillSpec<Body, Query>): void {
  const isChange = spec.method !== 'GET';
  async function admit(request: FastifyRequest): Promise<void> {
    const { headers } = request;
    const publicUrl = access.publicUrl();
    const cookie = tillCookie.read(headers, publicUrl);
    const till = cookie && (await findPairedTill(access.db, hashTillSecret(cookie)));
    if (!till) throw new AppError('TILL_NOT_PAIRED');
    request.till = till;
    if (isChange) {
      requireOwnOrigin(headers, publicUrl);
      requireToken(headers, csrfTokenOf(cookie), 'the till');
    }
    if (verified && !isVerified(till, access)) throw new AppError('MERCHANT_NOT_VERIFIED');
  }
  route(
    app,
    {
      ...spec,
      path: TILL_API + spec.path,
      sdk: null,
      tag: 'Till',
      summary: spec.id,
      handle: (call) => handle({ ...call, till: call.request.till! } as Parameters<typeof handle>[0]),
    } as RouteSpec<Body, Query>,
    {
      onRequest(request, reply, done) {
        admit(request).then(
          () => done(),
          (error: Error) => done(refusalOf(app, request, reply, error)),
        );
      },
    },
  );
}

function isVerified({ verificationStatus }: PairedTill, { environment }: TillAccess): boolean {
  return environment !== 'mainnet' || verificationStatus === 2;
}

/** A made-up cookie counts against its address, as a wrong key does. None at all does not. */
function refusalOf(app: App, request: FastifyRequest, reply: FastifyReply, error: Error): Error {
  const isGuess =
    error instanceof AppError &&
    error.code === 'TILL_NOT_PAIRED' &&
    request.headers.cookie?.includes('florin_till=');
  return (isGuess && app.countFailedAuth?.(request, reply)) || error;
}
