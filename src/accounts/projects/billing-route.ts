import { type KeyedSpec, keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { App } from '../../platform/http/route.ts';
import type { TSchema } from '../../platform/http/schema.ts';
import { canName, namedBy } from './named-thing.ts';
import type { RequestCounter } from './request-counter.ts';

declare module 'fastify' {
  interface FastifyInstance {
    projectRequests: RequestCounter;
  }
}

/** A caller over the limit must still be able to read it, raise it or archive the project. */
const ALWAYS_PASSES = '/projects/{projectId}';

/**
 * A keyed route of the billing API: its path follows `/api/v2`, and a call that names a project, or
 * something of one, counts against its monthly request limit.
 */
export function billingRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, spec: KeyedSpec<Body, Query>): void {
  const whole = { ...spec, path: `/api/v2${spec.path}` };
  const isCounted = spec.path !== ALWAYS_PASSES && canName(spec);
  keyedRoute(app, isCounted ? counted(app, whole) : whole);
}

function counted<Body extends TSchema | undefined, Query extends TSchema | undefined>(
  app: App,
  spec: KeyedSpec<Body, Query>,
): KeyedSpec<Body, Query> {
  return {
    ...spec,
    errors: [...spec.errors, 'PROJECT_REQUEST_LIMIT_EXCEEDED'],
    handle(call) {
      // Absent where a stranger may call too.
      const merchantId = (call.principal as Principal | undefined)?.merchantId;
      const named = merchantId && namedBy(call);
      const counting = named && app.projectRequests.countNamed(merchantId, named);
      return counting ? counting.then(() => spec.handle(call)) : spec.handle(call);
    },
  };
}
