import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { invariants } from '../src/operations/doctor/doctor.ts';
import { openDatabase } from '../src/platform/db/database.ts';
import { connectionIn } from '../src/platform/db/embedded-postgres.ts';
import { checkInvariants } from '../src/platform/db/invariant.ts';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { postgresPid, type Running, startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { eventually, type Receiver, startReceiver } from './support/webhooks.ts';

/** Sets the URL, makes an intent and cancels it: that is one event. */
async function cause(service: Running, apiKey: string, receiver: Receiver): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const webhookUrl = `${receiver.url}/hook`;
  await call(`${service.url}/api/b2b/merchants/webhook`, 'PATCH', { webhookUrl }, headers);
  const intents = `${service.url}/api/merchants/intents`;
  const { body } = await call(intents, 'POST', { amountCents: 5, orderId: 'o' }, headers);
  expect((await call(`${intents}/${body.id}/cancel`, 'POST', undefined, headers)).status).toBe(200);
}

const deliveryAt = (service: Running, apiKey: string, status: string) => async () => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { body } = await call(
    `${service.url}/api/v2/webhook-deliveries?status=${status}`,
    'GET',
    undefined,
    headers,
  );
  return body?.data?.[0] as Record<string, unknown> | undefined;
};

test('kill -9 of a worker that has sent but not recorded: the event is delivered again, and then recorded', async () => {
  const FLORIN_DATA = await newDataFolder();
  const arrived = Promise.withResolvers<ServerResponse>();
  const receiver = await startReceiver((response, _, count) =>
    count === 1 ? arrived.resolve(response) : response.end('ok'),
  );
  const first = await startProcess({ FLORIN_DATA, LOG_LEVEL: 'error' });
  const apiKey = first.apiKey!;
  await cause(first, apiKey, receiver);
  await arrived.promise;
  await first.end('SIGKILL');

  const second = await startProcess({ FLORIN_DATA, LOG_LEVEL: 'error' });
  const db = openDatabase({ connection: connectionIn(FLORIN_DATA), poolSize: 1 });
  // Pretends that the lease has expired. The attempt's key is the name of its lease.
  await db.query('update webhook_deliveries set lease_until = now() where lease_id = $1', [
    receiver.received[0]!.headers['x-service-idempotency-key'],
  ]);
  await db.query('update webhook_endpoints set claim_at = now()');
  const delivery = await eventually(deliveryAt(second, apiKey, 'succeeded'));
  expect(delivery.attempts).toHaveLength(1);
  const [lost, taken, ...more] = receiver.received;
  expect(more).toEqual([]);
  expect(taken!.body).toBe(lost!.body);
  expect(taken!.headers['x-service-event-id']).toBe(lost!.headers['x-service-event-id']);
  expect(taken!.headers['x-service-idempotency-key']).not.toBe(lost!.headers['x-service-idempotency-key']);
  const results = await checkInvariants(db, invariants);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
  await db.close();
  await second.end('SIGTERM');
});

test('kill -9 of PostgreSQL while a webhook is on its way: its result is kept and recorded afterwards', async () => {
  const FLORIN_DATA = await newDataFolder();
  const receiver = await startReceiver(async (response) => {
    process.kill(await postgresPid(FLORIN_DATA), 'SIGKILL');
    response.end('ok');
  });
  const service = await startProcess({ FLORIN_DATA, LOG_LEVEL: 'silent' });
  const apiKey = service.apiKey!;
  await cause(service, apiKey, receiver);
  const delivery = await eventually(deliveryAt(service, apiKey, 'succeeded'));
  expect(delivery).toMatchObject({ httpStatus: 200, attempts: [{ number: 1 }] });
  expect(new Set(receiver.received.map((one) => one.headers['x-service-event-id'])).size).toBe(1);
  await service.end('SIGTERM');
});

test.each([
  ['before a worker saw it', 'api,watcher'],
  ['while it was being delivered', 'all'],
])(
  'kill -9 between settled and delivered, %s: the webhook arrives, the books have it once',
  async (_, roles) => {
    const FLORIN_DATA = await newDataFolder();
    const env = { FLORIN_DATA, SANDBOX_SLOT_MS: '10', WATCH_FINALITY_MS: '20', LOG_LEVEL: 'error' };
    const hanging = Promise.withResolvers<void>();
    let isHanging = true;
    const receiver = await startReceiver((response, { body }) => {
      if (isHanging && body.includes('"payment_intent.succeeded"')) hanging.resolve();
      else response.end('ok');
    });
    const first = await startProcess({ ...env, FLORIN_ROLES: roles });
    cleanUp(() => first.end('SIGKILL'));
    const headers = { authorization: `Bearer ${first.apiKey}` };
    await call(`${first.url}/api/b2b/merchants/webhook`, 'PATCH', { webhookUrl: receiver.url }, headers);
    const intents = `${first.url}/api/merchants/intents`;
    const { body: intent } = await call(intents, 'POST', { amountCents: 1250, orderId: 'o' }, headers);
    const payment = { paymentIntentId: intent.id };
    const { body: paid } = await call(`${first.url}/api/v2/sandbox/payments`, 'POST', payment, headers);
    const read = async (at: string) => (await call(`${at}/${intent.id}`, 'GET', undefined, headers)).body;
    const settled = await eventually(async () => {
      const found = await read(intents);
      return found.status === 'succeeded' && found;
    });
    if (roles === 'all') await hanging.promise;
    await first.end('SIGKILL');
    isHanging = false;
    const before = receiver.received.length;

    const second = await startProcess(env);
    cleanUp(() => second.end('SIGKILL'));
    const db = openDatabase({ connection: connectionIn(FLORIN_DATA), poolSize: 1 });
    // Pretends that the leases have expired.
    await db.query('update webhook_deliveries set lease_until = now() where lease_until is not null');
    await db.query('update webhook_endpoints set claim_at = now()');
    const isDelivered = async () =>
      (await db.query(`select from webhook_deliveries where status <> 'succeeded'`)).length === 0 &&
      receiver.received.length > before;
    await eventually(isDelivered);
    const events = await db.query<{ id: string; event: string }>(
      'select id, event from events where object_id = $1 order by sequence',
      [intent.id],
    );
    expect(events.at(-1)!.event).toBe('payment_intent.succeeded');
    expect(new Set(receiver.received.map((one) => one.headers['x-service-event-id']))).toEqual(
      new Set(events.map(({ id }) => id)),
    );
    expect(JSON.parse(receiver.received.at(-1)!.body).data).toMatchObject({
      paymentIntentId: intent.id,
      amountCents: 1250,
      txSignature: paid.signature,
    });
    expect(await read(`${second.url}/api/merchants/intents`)).toEqual(settled);
    const credits = await db.query('select base_units from payment_allocations where intent_id = $1', [
      intent.id,
    ]);
    expect(credits).toEqual([{ baseUnits: 12_500_000n }]);
    const results = await checkInvariants(db, invariants);
    expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
    await db.close();
    await second.end('SIGTERM');
  },
);
