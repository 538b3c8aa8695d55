import Fastify, { LogController } from 'fastify';
import { expect, test } from 'vitest';
import { createLog } from '../lib/log.ts';
import { Metrics } from '../lib/metrics.ts';
import { observeRequests } from './observe.ts';
import type { App } from './route.ts';

test('every refusal is logged, and an offer to pay only as often as a success', async () => {
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const logController = new LogController({ disableRequestLogging: true });
  const app = Fastify({ loggerInstance: log, logController }) as unknown as App;
  observeRequests(app, new Metrics(), { sampleEvery: 0, slowMs: 1e9 });
  app.get('/offer', (_request, reply) => reply.code(402).header('PAYMENT-REQUIRED', 'e30=').send({}));
  app.get('/refusal', (_request, reply) => reply.code(402).send({}));
  await app.inject('/offer');
  await app.inject('/refusal');
  expect(lines.map((line) => JSON.parse(line).route)).toEqual(['/refusal']);
});
