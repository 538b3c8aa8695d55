import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { explainOutage } from '../db/database-errors.ts';
import { AppError } from '../lib/errors.ts';
import { isForwarded } from './forwarded.ts';
import { type App, route } from './route.ts';
import { OneOf, Shape } from './schema.ts';

/** Text that a scrape gets: of this process, or of all that serve the same port. */
export interface MetricsText {
  text(): string | Promise<string>;
}

export interface OperatorRoutes {
  metrics: MetricsText;
  metricsToken: string | undefined;
  /** Throws, or returns the reason, while the service should get no traffic. */
  readiness(): Promise<string | undefined>;
}

const Health = Shape('Health', { status: OneOf(['ok']) });

/** Routes for load balancers and monitoring systems. */
export function operatorRoutes(app: App, { metrics, metricsToken, readiness }: OperatorRoutes): void {
  route(app, {
    method: 'GET',
    path: '/health/live',
    id: 'getLiveness',
    sdk: 'health.live',
    tag: 'Operations',
    summary: 'Is the process alive?',
    success: { status: 200, schema: Health, description: 'It is.' },
    errors: [],
    handle: async () => ({ status: 'ok' }),
  });

  route(app, {
    method: 'GET',
    path: '/health/ready',
    id: 'getReadiness',
    sdk: 'health.ready',
    tag: 'Operations',
    summary: 'Can it take traffic?',
    success: { status: 200, schema: Health, description: 'It can.' },
    errors: ['SERVICE_UNAVAILABLE'],
    async handle() {
      const problem = await readiness().catch(explainOutage);
      if (problem)
        throw new AppError('SERVICE_UNAVAILABLE', {
          message: `Not ready: ${problem}.`,
          retryAfterSeconds: 1,
        });
      return { status: 'ok' };
    },
  });

  route(app, {
    method: 'GET',
    path: '/metrics',
    id: 'getMetrics',
    sdk: 'health.metrics',
    tag: 'Operations',
    summary: 'Metrics in Prometheus text format',
    description: 'For direct calls from the machine itself, or with the operator’s METRICS_TOKEN.',
    success: { status: 200, description: 'Prometheus text format.' },
    errors: ['FORBIDDEN'],
    async handle({ request, reply }) {
      if (!mayReadMetrics(request, metricsToken)) {
        const isGuess = metricsToken !== undefined && request.headers.authorization !== undefined;
        throw (isGuess && app.countFailedAuth?.(request, reply)) || new AppError('FORBIDDEN');
      }
      const text = await metrics.text();
      return reply.header('content-type', 'text/plain; version=0.0.4; charset=utf-8').send(text);
    },
  });
}

/** Without a token only a direct call from this machine counts; a proxy in front would look local too. */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = Buffer.from((request.headers.authorization ?? '').replace(/^bearer /i, ''));
    const wanted = Buffer.from(token);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  const { remoteAddress = '' } = request.socket;
  const isLocal = /^(::ffff:)?127\.|^::1$/.test(remoteAddress);
  return isLocal && !isForwarded(request);
}
