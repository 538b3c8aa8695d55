import type { FastifyRequest } from 'fastify';
import '../../platform/access/keyed-route.ts';
import {
  type Principal,
  requireOwner,
  requireStepUp,
  type SignedInMember,
} from '../../platform/access/principal.ts';
import { ROLES } from '../../platform/access/role.ts';
import { type App, type Call, type RouteSpec, route } from '../../platform/http/route.ts';
import type { Static, TSchema } from '../../platform/http/schema.ts';
import { AppError } from '../../platform/lib/errors.ts';

type Value<S, None> = S extends TSchema ? Static<S> : None;

export interface DashboardSpec<Body extends TSchema | undefined, Query extends TSchema | undefined>
  extends Omit<RouteSpec<Body, Query>, 'handle' | 'tag'> {
  tag?: string;
  ownerOnly?: boolean;
  /** For members who proved just now who they are. */
  stepUp?: boolean;
  handle(
    call: Call<Value<Body, undefined>, Value<Query, Record<string, never>>> & {
      principal: Principal;
      member: SignedInMember;
    },
  ): Promise<unknown>;
}

const PATH = '/api/dashboard';

/**
 * A route for members only, authenticated by their cookie: an API key does not work here, not even next to a cookie.
 */
export function dashboardRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, { handle, ownerOnly = false, stepUp = false, ...spec }: DashboardSpec<Body, Query>): void {
  const isChange = spec.method !== 'GET';
  async function admit(request: FastifyRequest): Promise<void> {
    const hasKey = request.headers.authorization !== undefined;
    const principal = hasKey ? undefined : await app.sessionAuthenticator.admit(request, isChange);
    if (!principal) throw new AppError('SIGN_IN_REQUIRED');
    request.principal = principal;
    if (ownerOnly) requireOwner(principal);
    if (stepUp) requireStepUp(principal);
  }
  const errors = [
    ...spec.errors,
    'SIGN_IN_REQUIRED' as const,
    ...(isChange ? ['FORBIDDEN' as const] : []),
    ...(ownerOnly ? ['INSUFFICIENT_ROLE' as const] : []),
    ...(stepUp ? ['STEP_UP_REQUIRED' as const] : []),
  ];
  route(
    app,
    {
      ...spec,
      path: PATH + spec.path,
      tag: spec.tag ?? 'Dashboard',
      errors,
      handle: (call) => {
        const principal = call.request.principal!;
        return handle({ ...call, principal, member: principal.member! } as Parameters<typeof handle>[0]);
      },
    } as RouteSpec<Body, Query>,
    {
      dashboard: true,
      members: { roles: ownerOnly ? ['owner'] : ROLES, stepUp },
      onRequest(request, _reply, done) {
        admit(request).then(() => done(), done);
      },
    },
  );
}
