import { beforeAll, expect, test } from 'vitest';
import {
  eventNames,
  expectSound,
  newProject,
  newSession,
  readInvoice,
  readSession,
  referenceOf,
} from '../../../test/support/billing.ts';
import { PAYOUT, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { revertDroppedTransfer } from './revert-dropped-transfer.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const vanish = (signature: string) =>
  service.db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()));

/** A part becomes final while the rest is on its way, and then the rest is gone; twice. */
async function losesTheRest(reference: string): Promise<void> {
  const pay = (baseUnits: bigint, more: object) =>
    arrive(service, shop.id, { references: [reference], baseUnits, ...more });
  const part = await pay(400_000n, { isFinal: false });
  const rest = await pay(600_000n, { isFinal: false });
  await pay(400_000n, { signature: part });
  await vanish(rest);
  await vanish(await pay(600_000n, { isFinal: false }));
}

test('an intent: the part has its event when it is final, and is reported as underpaid once when the rest vanishes', async () => {
  const { body: intent } = await shop.call('POST', '/api/merchants/intents', {
    amountCents: 100,
    orderId: 'o',
  });
  await losesTheRest(intent.referenceAddress);
  const events = await service.db.query<{ event: string; status: string; body: string }>(
    'select event, status, body from events where object_id = $1 order by sequence',
    [intent.id],
  );
  expect(events.map(({ event, status, body }) => [event, status, JSON.parse(body).data.amountCents])).toEqual(
    [
      ['payment_intent.updated', 'processing', 0],
      ['payment_intent.updated', 'processing', 40],
      ['payment_intent.underpaid', 'underpaid', 40],
      ['payment_intent.updated', 'processing', 40],
      ['payment_intent.updated', 'underpaid', 40],
    ],
  );
});

test('a session: its invoice is reported as underpaid once, too', async () => {
  const session = await newSession(shop, (await newProject(shop)).id, { amountCents: 100 });
  await losesTheRest(await referenceOf(shop, session));
  expect(await eventNames(service, shop.id, session.id)).toEqual([
    ...['invoice.created', 'checkout.session.created'],
    ...['payment_intent.updated', 'checkout.session.processing'],
    ...['payment_intent.updated', 'invoice.underpaid', 'checkout.session.updated'],
    ...['payment_intent.underpaid', 'checkout.session.updated'],
    ...['payment_intent.updated', 'checkout.session.processing'],
    ...['payment_intent.updated', 'checkout.session.updated'],
  ]);
  expect(await readSession(shop, session.id)).toMatchObject({
    paymentStatus: 'underpaid',
    amountReceivedCents: 40,
  });
  expect((await readInvoice(shop, session.invoiceId)).amountPaidCents).toBe(40);
  await expectSound(service);
});
