import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    servesVersion1?: true;
  }
}

/** The same application, but what is registered with it is served as version 1: billing has one implementation for both. */
export function version1(app: FastifyInstance): FastifyInstance {
  return Object.create(app, { servesVersion1: { value: true } }) as FastifyInstance;
}

/** A route as this application serves it: routes are written for version 2. */
export function asServed<Spec extends { path: string; id: string }>(app: FastifyInstance, spec: Spec): Spec {
  if (!app.servesVersion1) return spec;
  return { ...spec, path: spec.path.replace('/api/v2/', '/api/'), id: `${spec.id}V1` };
}
