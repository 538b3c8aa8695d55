import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../http/assistant.ts';
import { type Answer, type App, type Call, type RouteSpec, route } from '../http/route.ts';
import type { Static, TSchema } from '../http/schema.ts';
import { plainAddress } from '../lib/client-address.ts';
import { AppError, type ErrorCode } from '../lib/errors.ts';
import { withAgent } from './agent.ts';
import type { Authenticator } from './authenticate.ts';
import type { Scope } from './key.ts';
import { type Principal, requireOwner, requireScopes, requireStepUp, requireWriter } from './principal.ts';
import type { RefuseAddress } from './refuse-address.ts';
import { ROLES, type Role, scopesOf } from './role.ts';
import type { SessionAuthenticator } from './session-authenticator.ts';

declare module 'fastify' {
  interface FastifyInstance {
    authenticator: Authenticator;
    refuseAddress: RefuseAddress;
    sessionAuthenticator: SessionAuthenticator;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

type Value<S, None> = S extends TSchema ? Static<S> : None;

export interface KeyedSpec<Body extends TSchema | undefined, Query extends TSchema | undefined>
  extends Omit<RouteSpec<Body, Query>, 'handle'> {
  /** Scopes the key must hold, all of them, or the member's role. Empty: any valid key, any member who may write. */
  scopes: readonly Scope[];
  /** Scopes one field of the body needs in addition: a refusal names them as well, so that one new key is enough. */
  moreScopes?: { field: string; scopes: readonly Scope[] };
  /** Among members, only owners may call it. Does not matter for keys. */
  ownerOnly?: boolean;
  /** For members who proved just now who they are. */
  stepUp?: boolean;
  /** On mainnet, only for merchants the operator has verified. */
  verified?: boolean;
  /** Rights of AI assistants to it. */
  assistant: Assistant;
  handle(
    call: Call<Value<Body, undefined>, Value<Query, Record<string, never>>> & { principal: Principal },
  ): Promise<unknown> | Answer;
}

/**
 * A route that wants an API key, or a member signed in to the dashboard. A key that is sent always decides, and is
 * never mixed with a cookie. Either is checked before anything of the body is read.
 */
export function keyedRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(
  app: App,
  {
    scopes,
    moreScopes,
    verified = false,
    ownerOnly = false,
    stepUp = false,
    assistant,
    handle,
    ...spec
  }: KeyedSpec<Body, Query>,
): void {
  const isChange = spec.method !== 'GET';
  function admit(request: FastifyRequest, principal: Principal): Promise<never> | undefined {
    if (principal.allowedAddresses?.allows(request.ip) === false)
      return app.refuseAddress(principal, plainAddress(request.ip) ?? 'an unknown address');
    request.principal = withAgent(principal);
    requireScopes(principal, scopes, moreScopes);
    if (isChange && scopes.length === 0) requireWriter(principal);
    if (ownerOnly) requireOwner(principal);
    if (stepUp) requireStepUp(principal);
    if (verified && !principal.isVerified) throw new AppError('MERCHANT_NOT_VERIFIED');
    return undefined;
  }
  const needs = { isChange, scopes, ownerOnly, stepUp, verified };
  route(
    app,
    {
      ...spec,
      errors: [...spec.errors, ...errorsOf(needs)],
      handle: (call) =>
        handle({ ...call, principal: call.request.principal! } as Parameters<typeof handle>[0]),
    } as RouteSpec<Body, Query>,
    {
      scopes,
      members: { roles: rolesOf(needs), stepUp },
      assistant,
      // A cached key is authenticated synchronously; only a fresh look-up costs the request a promise.
      onRequest(request, reply, done) {
        if (spec.keyless?.(request.params as Record<string, string>)) return done();
        const refuse = (error: Error) => done(refusalOf(app, request, reply, error));
        try {
          const found = callerOf(app, request, isChange);
          if (found instanceof Promise)
            return void found.then((principal) => admit(request, principal)).then(() => done(), refuse);
          const refused = admit(request, found);
          if (refused) return void refused.catch(refuse);
        } catch (error) {
          return refuse(error as Error);
        }
        done();
      },
    },
  );
}

/** The requirements on a caller. */
interface Needs {
  isChange: boolean;
  scopes: readonly Scope[];
  ownerOnly: boolean;
  stepUp: boolean;
  verified: boolean;
}

/** The roles of members who may call it. */
function rolesOf({ isChange, scopes, ownerOnly }: Needs): Role[] {
  return ROLES.filter(
    (role) =>
      scopes.every((scope) => scopesOf(role).includes(scope)) &&
      !(isChange && scopes.length === 0 && role === 'viewer') &&
      !(ownerOnly && role !== 'owner'),
  );
}

/** How callers who may not call it are refused. */
function errorsOf({ isChange, scopes, stepUp, verified }: Needs): ErrorCode[] {
  return [
    'UNAUTHORIZED',
    'SIGN_IN_REQUIRED',
    ...(scopes.length > 0 ? ['INSUFFICIENT_SCOPE' as const] : []),
    ...(scopes.length > 0 || isChange ? ['INSUFFICIENT_ROLE' as const] : []),
    'FORBIDDEN',
    ...(stepUp ? ['STEP_UP_REQUIRED' as const] : []),
    ...(verified ? ['MERCHANT_NOT_VERIFIED' as const] : []),
  ];
}

/** A wrong key counts against its address; too many get a 429 instead of what was wrong. */
function refusalOf(app: App, request: FastifyRequest, reply: FastifyReply, error: Error): Error {
  const isWrongKey =
    error instanceof AppError && error.code === 'UNAUTHORIZED' && request.headers.authorization !== undefined;
  return (isWrongKey && app.countFailedAuth?.(request, reply)) || error;
}

function callerOf(app: App, request: FastifyRequest, isChange: boolean): Principal | Promise<Principal> {
  const { authorization } = request.headers;
  const member = authorization === undefined ? app.sessionAuthenticator.admit(request, isChange) : undefined;
  return member ?? app.authenticator.authenticate(authorization, request.socket);
}
