import { type KeyedSpec, keyedRoute } from '../access/keyed-route.ts';
import type { Mount } from '../http/mount.ts';
import type { App } from '../http/route.ts';
import type { TSchema } from '../http/schema.ts';
import type { RequestCounter } from './request-counter.ts';

declare module 'fastify' {
  interface FastifyInstance {
    projectRequests: RequestCounter;
  }
}

/** Whoever is over the limit must still be able to read it, raise it or be done with the project. */
const ALWAYS_PASSES = '/projects/{projectId}';

/**
 * A keyed route of the billing API: path and id are completed by the mount, and a call that names a project
 * counts against its monthly request limit.
 */
export function billingRoute<
  Body extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
>(app: App, mount: Mount, spec: KeyedSpec<Body, Query>): void {
  const mounted = { ...spec, path: mount.path + spec.path, id: spec.id + mount.idSuffix };
  keyedRoute(app, namesProject(spec) ? counted(app, mounted) : mounted);
}

function counted<Body extends TSchema | undefined, Query extends TSchema | undefined>(
  app: App,
  spec: KeyedSpec<Body, Query>,
): KeyedSpec<Body, Query> {
  return {
    ...spec,
    errors: [...spec.errors, 'PROJECT_REQUEST_LIMIT_EXCEEDED'],
    async handle(call) {
      const id = projectOf(call);
      const counting = id && app.projectRequests.count({ merchantId: call.principal.merchantId, id });
      if (counting) await counting;
      return spec.handle(call);
    },
  };
}

interface Named {
  projectId?: string;
}

function projectOf({ params, query, body }: { params: Named; query: unknown; body: unknown }) {
  return params.projectId ?? (query as Named).projectId ?? (body as Named | undefined)?.projectId;
}

function namesProject({ path, query, body }: { path: string; query?: unknown; body?: unknown }): boolean {
  if (path === ALWAYS_PASSES) return false;
  const has = (schema: unknown) =>
    'projectId' in ((schema as { properties?: object } | undefined)?.properties ?? {});
  return path.includes('{projectId}') || has(query) || has(body);
}
