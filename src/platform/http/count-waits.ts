import type { FastifyRequest } from 'fastify';
import { RequestWait, waitedForBy } from '../lib/request-wait.ts';
import type { App } from './route.ts';

/** Everything that is done for a request until it is answered counts together as what it waits for. */
export function countWaits(app: App): void {
  const waits = new WeakMap<FastifyRequest, RequestWait>();
  app.addHook('onRequest', (request, _reply, done) => {
    const wait = new RequestWait();
    waits.set(request, wait);
    waitedForBy(wait, done);
  });
  // Reading the body has left the context behind.
  app.addHook('preValidation', (request, _reply, done) => waitedForBy(waits.get(request), done));
  app.addHook('onSend', (request, _reply, _payload, done) => {
    waits.get(request)?.end();
    done();
  });
}
