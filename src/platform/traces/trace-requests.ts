import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/route.ts';
import { readTraceparent } from '../http/traceparent.ts';
import type { OpenSpan, Tracer } from './tracer.ts';

/** A span for each request. Call it before the routes are registered. */
export function traceRequests(app: App, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  function end(request: FastifyRequest, reply: FastifyReply): void {
    const span = spans.get(request);
    if (!span) return;
    spans.delete(request);
    const route = request.routeOptions.url;
    span.name = route === undefined ? request.method : `${request.method} ${route}`;
    tracer.end(span, outcomeOf(request, reply));
  }
  app.addHook('onRequest', (request, reply, done) => {
    const span = tracer.beginRequest(readTraceparent(request));
    spans.set(request, span);
    // A client that hangs up gets no answer, and there is no onResponse.
    reply.raw.once('close', () => end(request, reply));
    tracer.inside(span, done);
  });
  // Reading the body leaves the context in which the request began.
  app.addHook('preValidation', (request, _reply, done) => tracer.inside(spans.get(request)!, done));
  app.addHook('onResponse', (request, reply, done) => {
    end(request, reply);
    done();
  });
}

/** The route's template and never the address, which may hold a token. */
function outcomeOf(request: FastifyRequest, reply: FastifyReply) {
  const { statusCode } = reply.raw;
  const isAnswered = reply.raw.writableFinished;
  return {
    attributes: {
      'http.request.method': request.method,
      'http.route': request.routeOptions.url,
      'http.response.status_code': isAnswered ? statusCode : undefined,
      'error.type': isAnswered ? request.refusal?.code : 'aborted',
      // The same id as in X-Request-Id, error answers and the log.
      'florin.request_id': request.id,
    },
    hasFailed: isAnswered && statusCode >= 500,
  };
}
