import { currentWait, RequestWait, waitedForBy } from '../lib/request-wait.ts';
import type { App } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The time the request has waited so far. */
    wait: RequestWait | undefined;
  }
}

/** Everything that is done for a request until it is answered counts together as what it waits for. */
export function countWaits(app: App): void {
  app.decorateRequest('wait', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    request.wait = new RequestWait(0, reply.raw);
    waitedForBy(request.wait, done);
  });
  app.addHook('preValidation', (request, _reply, done) => {
    // Reading a body leaves the context behind.
    if (currentWait() === request.wait) done();
    else waitedForBy(request.wait, done);
  });
}
