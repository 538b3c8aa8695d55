import type { App } from './route.ts';

/** openapi.json. */
export function referenceRoutes(app: App, _document: object, text: string): void {
  app.get('/openapi.json', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(text),
  );
}
