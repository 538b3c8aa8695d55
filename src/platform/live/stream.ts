import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/route.ts';
import { AppError, limitReached } from '../lib/errors.ts';
import { networkOf } from '../limits/network-of.ts';
import type { LiveVersions, Subject } from './live-versions.ts';

/** Proxies end connections on which nothing moves. */
const HEARTBEAT_MS = 15_000;
/** A process that already serves this many makes the rest poll. */
const MAX_STREAMS = 10_000;
/** When a page that got no stream may try again. */
const RETRY_AFTER_SECONDS = 5;

/** Notifies a page whenever its subject changes: pushed if a stream was requested, otherwise answered once. */
export async function answerLive(
  live: LiveVersions,
  subject: Subject,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!request.headers.accept?.includes('text/event-stream')) {
    const version = await live.read(subject);
    if (version === undefined) throw new AppError('NOT_FOUND');
    return reply.header('Cache-Control', 'no-store').send({ version });
  }
  if (live.count() >= MAX_STREAMS)
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  // Nothing would end the stream of a page that is already gone.
  if (reply.raw.destroyed) return reply.hijack();
  const address = networkOf(request.ip);
  if (!live.streams.open(address)) throw limitReached(live.streams.limit, RETRY_AFTER_SECONDS);
  reply.raw.on('close', () => live.streams.close(address));
  stream(live, subject, reply);
  return reply;
}

function stream(live: LiveVersions, subject: Subject, reply: FastifyReply): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
  });
  raw.write('retry: 2000\n\n');
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  const unfollow = live.follow(subject, {
    tell: (version) => raw.write(`event: version\ndata: ${version}\n\n`),
    end: () => raw.end(),
  });
  raw.on('close', () => {
    clearInterval(heartbeat);
    unfollow();
  });
}

/** A stream never ends on its own: a closing server ends it, and pages connect to the next one. */
export function endStreamsOnClose(app: App, live: LiveVersions): void {
  app.addHook('preClose', async () => live.stop());
}
