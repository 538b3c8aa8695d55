import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { openDatabase } from '../src/platform/db/database.ts';
import { connectionIn } from '../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { eventually, type Received, startReceiver } from './support/webhooks.ts';

/** Verifies a webhook as a developer does who knows Standard Webhooks and nothing of ours. */
const isVerified = ({ body, headers }: Received, secret: string) => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test('the library of Standard Webhooks verifies every attempt of a running service: retry, resend and rotation', async () => {
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({ FLORIN_DATA, LOG_LEVEL: 'error' });
  cleanUp(() => service.end('SIGTERM'));
  const secret = /whsec_\w+/.exec(service.output())![0];
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const ask = async (method: string, path: string, body?: unknown) =>
    (await call(service.url + path, method, body, headers)).body;
  const { received, url } = await startReceiver((response, _, count) =>
    response.writeHead(count === 1 ? 500 : 200).end(),
  );
  await ask('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: url });

  const { eventId } = await ask('POST', '/api/v2/sandbox/events', { event: 'invoice.paid' });
  const deliveryAt = (status: string) => async () =>
    (await ask('GET', `/api/v2/webhook-deliveries?status=${status}`)).data[0];
  await eventually(deliveryAt('retrying'));
  const db = openDatabase({ connection: connectionIn(FLORIN_DATA), poolSize: 1 });
  // Pretends that the ten seconds until the retry have passed.
  await db.query('update webhook_deliveries set next_attempt_at = now()');
  await db.query('update webhook_endpoints set claim_at = now()');
  await db.close();
  const { id } = await eventually(deliveryAt('succeeded'));
  await ask('POST', `/api/v2/webhook-deliveries/${id}/resend`);
  await eventually(() => received.length === 3);
  expect(received.map((one) => one.headers['webhook-id'])).toEqual([eventId, eventId, eventId]);
  expect(received.map((one) => isVerified(one, secret))).toEqual([true, true, true]);
  expect(isVerified({ ...received[0]!, body: `${received[0]!.body} ` }, secret)).toBe(false);

  const { webhookSecret } = await ask('POST', '/api/b2b/merchants/generate-webhook-secret');
  expect(received.some((one) => isVerified(one, webhookSecret))).toBe(false);
  await ask('POST', '/api/v2/sandbox/events', { event: 'invoice.paid' });
  const during = await eventually(() => received[3]);
  expect([isVerified(during, secret), isVerified(during, webhookSecret)]).toEqual([true, true]);
});
