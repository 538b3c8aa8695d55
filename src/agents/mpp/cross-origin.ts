import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerError } from '../../platform/http/server.ts';

/** Headers that clients of both protocols send. Clients of x402 also send one that belongs in answers. */
const SENT = [
  'Accept',
  'Accept-Payment',
  'Access-Control-Expose-Headers',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'PAYMENT-SIGNATURE',
];

/** Headers that clients must be able to read. */
const READ = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'Payment-Receipt',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** Programs also run in pages of other sites. No answer depends on a cookie, so anybody may read them. */
export function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply.header('Access-Control-Allow-Origin', '*').header('Access-Control-Expose-Headers', READ);
}

const A_DAY_SECONDS = 86_400;

/** Answers the preflight request that a browser makes before a page may send those headers. */
export function answerPreflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return allowAnyOrigin(reply)
    .header('Access-Control-Allow-Methods', 'GET, POST, OPTIONS')
    .header('Access-Control-Allow-Headers', SENT.join(', '))
    .header('Access-Control-Max-Age', String(A_DAY_SECONDS))
    .code(204)
    .send();
}

/** Answers errors from before a route's own handler, such as a rate limit: a page must see them too. */
export function refuseProgram(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  answerError(error, request, allowAnyOrigin(reply));
}
