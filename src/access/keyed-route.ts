import type { FastifyRequest } from 'fastify';
import { type App, type Call, type RouteSpec, route } from '../http/route.ts';
import type { Static, TSchema } from '../http/schema.ts';
import { AppError } from '../lib/errors.ts';
import type { Authenticator } from './authenticate.ts';
import type { Scope } from './key.ts';
import { type Principal, requireScopes } from './principal.ts';

declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

type Value<S, None> = S extends TSchema ? Static<S> : None;

export interface KeyedSpec<Body extends TSchema | undefined, Query extends TSchema | undefined>
  extends Omit<RouteSpec<Body, Query>, 'handle'> {
  /** Scopes the key must hold, all of them. Empty: any valid key. */
  scopes: readonly Scope[];
  /** On mainnet, only for merchants the operator has verified. */
  verified?: boolean;
  handle(
    call: Call<Value<Body, undefined>, Value<Query, Record<string, never>>> & { principal: Principal },
  ): Promise<unknown>;
}

/** A route that wants an API key. The key is checked before anything of the body is read. */
export function keyedRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, { scopes, verified, handle, ...spec }: KeyedSpec<Body, Query>): void {
  function admit(request: FastifyRequest, principal: Principal): void {
    request.principal = principal;
    requireScopes(principal, scopes);
    if (verified && !principal.isVerified) throw new AppError('MERCHANT_NOT_VERIFIED');
  }
  const errors = [
    ...spec.errors,
    'UNAUTHORIZED' as const,
    ...(scopes.length > 0 ? ['INSUFFICIENT_SCOPE' as const] : []),
    ...(verified ? ['MERCHANT_NOT_VERIFIED' as const] : []),
  ];
  route(
    app,
    {
      ...spec,
      errors,
      handle: (call) =>
        handle({ ...call, principal: call.request.principal! } as Parameters<typeof handle>[0]),
    } as RouteSpec<Body, Query>,
    {
      scopes,
      // A remembered key answers at once; only a fresh look-up costs the request a promise.
      onRequest(request, _reply, done) {
        if (spec.keyless?.(request.params as Record<string, string>)) return done();
        const found = app.authenticator.authenticate(request.headers.authorization);
        if (found instanceof Promise)
          found.then((principal) => admit(request, principal)).then(() => done(), done);
        else {
          admit(request, found);
          done();
        }
      },
    },
  );
}
