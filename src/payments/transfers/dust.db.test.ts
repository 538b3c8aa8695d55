import { beforeAll, describe, expect, test } from 'vitest';
import {
  advance,
  bring,
  eventNames,
  expectSound,
  newLink,
  newPlan,
  newProject,
  newSession,
  readInvoice,
  readSession,
  readSubscription,
  referenceOf,
  runDue,
} from '../../../test/support/billing.ts';
import {
  call,
  newAddress,
  PAYOUT,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { arrive, newSignature } from '../../../test/support/transfers.ts';
import { revertDroppedTransfer } from './revert-dropped-transfer.ts';

/** Less than a whole cent binds nobody and blocks nothing, and every unit of it stays accounted for. */
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

let orders = 0;
const newIntent = async (terminalId?: string) =>
  (
    await shop.call('POST', '/api/merchants/intents', {
      amountCents: 100,
      orderId: `dust-${orders++}`,
      ...(terminalId && { terminalId }),
    })
  ).body;
const readIntent = async (id: string) => (await shop.call('GET', `/api/merchants/intents/${id}`)).body;
const newTerminal = async () =>
  (await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Till' })).body;
const dust = (
  { referenceAddress }: { referenceAddress: string },
  baseUnits = 1n,
  more: { isFinal?: boolean; signature?: string } = {},
) => arrive(service, shop.id, { references: [referenceAddress], baseUnits, ...more });
const dustFor = async (session: { paymentIntentId: string }, baseUnits = 1n, more = {}) =>
  dust({ referenceAddress: await referenceOf(shop, session) }, baseUnits, more);
const creditedTo = async (intentId: string) =>
  (
    await service.db.query<{ units: bigint }>(
      'select coalesce(sum(base_units), 0) as units from payment_allocations where intent_id = $1 and is_final',
      [intentId],
    )
  )[0]!.units;
const exceptionsOf = (signature: string) =>
  service.db.query<{ kind: string; units: bigint }>(
    'select kind, base_units as units from payment_exceptions where signature = $1',
    [signature],
  );

describe('an intent', () => {
  test('with a fraction of a cent stays pending, tells nobody, and is canceled with the dust on its books', async () => {
    const intent = await newIntent();
    await dust(intent, 9_999n);
    expect(await readIntent(intent.id)).toMatchObject({ status: 'pending', amountReceivedCents: 0 });
    expect(await eventNames(service, shop.id, intent.id)).toEqual([]);
    expect((await shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`)).body.status).toBe(
      'canceled',
    );
    expect(await creditedTo(intent.id)).toBe(9_999n);
    await expectSound(service);
  });

  test('whose dust was confirmed and not final is canceled, and the dust becomes an exception', async () => {
    const intent = await newIntent();
    const signature = await dust(intent, 1n, { isFinal: false });
    expect((await shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`)).status).toBe(200);
    await dust(intent, 1n, { signature });
    expect(await exceptionsOf(signature)).toEqual([{ kind: 'canceled', units: 1n }]);
    await expectSound(service);
  });

  test('is underpaid from the first whole cent on, however small its parts, and tells each further cent once', async () => {
    const intent = await newIntent();
    for (const units of [9_999n, 1n, 1n, 9_998n, 1n]) await dust(intent, units);
    expect(await readIntent(intent.id)).toMatchObject({ status: 'underpaid', amountReceivedCents: 2 });
    expect(await eventNames(service, shop.id, intent.id)).toEqual([
      'payment_intent.underpaid',
      'payment_intent.underpaid',
    ]);
    expect((await shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`)).status).toBe(409);
    await expectSound(service);
  });

  test('with a confirmed part that makes the dust a cent cannot be canceled until that part vanishes', async () => {
    const intent = await newIntent();
    await dust(intent, 9_999n);
    const signature = await dust(intent, 1n, { isFinal: false });
    const cancel = () => shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
    expect((await cancel()).status).toBe(409);
    await service.db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()));
    expect((await cancel()).status).toBe(200);
    await expectSound(service);
  });

  test('expires with dust, and what is left completes it to the unit', async () => {
    const intent = await newIntent();
    await dust(intent, 5_000n);
    await advance(service, 1);
    const pending = await dust(intent, 1n, { isFinal: false });
    await runDue(service);
    expect((await readIntent(intent.id)).status).toBe('expired');
    await dust(intent, 1n, { signature: pending });
    expect((await readIntent(intent.id)).status).toBe('expired');
    await dust(intent, 994_999n);
    expect(await readIntent(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 100 });
    await expectSound(service);
  });
});

describe('a terminal', () => {
  test.each([true, false])('is not kept busy by one base unit, final: %s', async (isFinal) => {
    const terminal = await newTerminal();
    const first = await newIntent(terminal.id);
    const signature = await dust(first, 1n, { isFinal });
    const second = await newIntent(terminal.id);
    expect(second.status).toBe('pending');
    expect((await readIntent(first.id)).status).toBe('canceled');
    await dust(second, 1n, { isFinal });
    const off = await shop.call('PATCH', `/api/b2b/merchants/terminals/${terminal.id}`, { isActive: false });
    expect(off.status).toBe(200);
    expect((await readIntent(second.id)).status).toBe('canceled');
    if (!isFinal) {
      await dust(first, 1n, { signature });
      expect(await exceptionsOf(signature)).toEqual([{ kind: 'canceled', units: 1n }]);
    }
    await expectSound(service);
  });
});

describe('a checkout session', () => {
  test.each([true, false])('is canceled with dust, final: %s', async (isFinal) => {
    const session = await newSession(shop, projectId);
    await dustFor(session, 9_999n, { isFinal });
    expect(await readSession(shop, session.id)).toMatchObject({ status: 'open', paymentStatus: 'unpaid' });
    const canceled = await shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    expect(canceled.body).toMatchObject({ status: 'canceled', paymentStatus: 'unpaid' });
    expect((await readIntent(session.paymentIntentId)).status).toBe('canceled');
    await runDue(service);
    await expectSound(service);
  });

  test('expires with dust, unpaid, and is complete when the rest comes late', async () => {
    const session = await newSession(shop, projectId);
    await dustFor(session);
    await advance(service, 1.5);
    await dustFor(session, 1n, { isFinal: false });
    await runDue(service);
    expect(await readSession(shop, session.id)).toMatchObject({ status: 'expired', paymentStatus: 'unpaid' });
    expect((await readIntent(session.paymentIntentId)).status).toBe('expired');
    await dustFor(session, 4_999_999n);
    expect(await readSession(shop, session.id)).toMatchObject({ status: 'complete', paymentStatus: 'paid' });
    await expectSound(service);
  });

  test('a link that closes takes the session with dust along', async () => {
    const { paymentLink } = await newLink(shop, projectId);
    const url = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    const [dusty, paid] = await Promise.all(
      [1, 2].map(async () => readSession(shop, (await call(url, 'POST', {})).body.sessionId)),
    );
    await shop.call('PATCH', `/api/v2/payment-links/${paymentLink.id}`, { maxPayments: 1 });
    await dustFor(dusty);
    await bring(service, shop, paid, 500);
    await runDue(service);
    expect((await readSession(shop, dusty.id)).status).toBe('canceled');
    expect(await creditedTo(dusty.paymentIntentId)).toBe(1n);
    await expectSound(service);
  });
});

describe('the volume limit', () => {
  const used = async (id: string) =>
    (await shop.call('GET', `/api/v2/billing/overview?projectId=${id}`)).body.limits[0].volumeCents;

  test('counts what a stranger has paid, not what they have yet to pay', async () => {
    const limited = (await newProject(shop, { monthlyVolumeLimitCents: 1_000 })).id;
    const { paymentLink } = await newLink(shop, limited, { unitAmountCents: 900 });
    const url = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    const session = await readSession(shop, (await call(url, 'POST', {})).body.sessionId);
    await dustFor(session);
    expect(await used(limited)).toBe(0);
    await bring(service, shop, session, 1);
    expect(await used(limited)).toBe(1);
    await dustFor(session, 9_999n);
    expect(await used(limited)).toBe(2);
    await expectSound(service);
    const signature = newSignature();
    await bring(service, shop, session, 898, { signature, isFinal: false });
    expect(await used(limited)).toBe(900);
    await service.db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()));
    expect(await used(limited)).toBe(2);
    await expectSound(service);
    // Counted again, it is the same.
    const set = (cents: number | null) =>
      shop.call('PATCH', `/api/v2/projects/${limited}`, { monthlyVolumeLimitCents: cents });
    await set(null);
    await set(1_000);
    expect(await used(limited)).toBe(2);
    await bring(service, shop, session, 898);
    expect(await used(limited)).toBe(900);
    await expectSound(service);
  });
});

describe('a subscription', () => {
  test('that has not begun is canceled with dust: session, intent and invoice end together', async () => {
    const { id: priceId } = await newPlan(shop, projectId);
    const session = await newSession(shop, projectId, {
      mode: 'subscription',
      priceId,
      externalCustomerId: 'dusty',
    });
    await dustFor(session);
    const path = `/api/v2/subscriptions/${session.subscriptionId}/cancel`;
    expect((await shop.call('POST', path, { atPeriodEnd: false })).status).toBe(200);
    expect((await readSubscription(shop, session.subscriptionId)).status).toBe('canceled');
    expect((await readInvoice(shop, session.invoiceId)).status).toBe('void');
    expect((await readIntent(session.paymentIntentId)).status).toBe('canceled');
    await runDue(service);
    expect(await readSession(shop, session.id)).toMatchObject({
      status: 'canceled',
      paymentStatus: 'unpaid',
    });
    await expectSound(service);
  });
});

describe('as an exception', () => {
  type Listed = { id: string; status: string; txSignature: string };
  const list = async (of: TestMerchant, query = ''): Promise<Listed[]> =>
    (await of.call('GET', `/api/v2/exceptions${query}`)).body.data;
  const openCount = async (of: TestMerchant) =>
    (await of.call('GET', '/api/v2/billing/overview')).body.openExceptionsCount;

  test('it is closed as dust and buries nothing: real money stays alone in the list, and every unit is found when asked for', async () => {
    const target = await service.createMerchant('Target', newAddress());
    const real = await arrive(service, target.id, { baseUnits: 10_000n });
    const sent = [];
    for (const baseUnits of [1n, 9_999n, 1n]) sent.push(await arrive(service, target.id, { baseUnits }));
    expect(await openCount(target)).toBe(1);
    for (const query of ['', '?status=open', '?kind=unmatched']) {
      expect(await list(target, query)).toMatchObject([{ txSignature: real, status: 'open' }]);
    }
    const dustOnes = await list(target, '?status=dust');
    expect(dustOnes.map(({ txSignature }) => txSignature)).toEqual(sent.toReversed());
    expect(dustOnes[1]).toMatchObject({
      kind: 'unmatched',
      status: 'dust',
      amountCents: 0,
      amountBaseUnits: '9999',
      resolvedAt: expect.stringMatching(/Z$/),
    });
    expect(await list(target, `?txSignature=${sent[0]}`)).toMatchObject([{ status: 'dust' }]);
    expect(await list(target, '?status=open&status=dust&status=linked&status=returned')).toHaveLength(4);
    await expectSound(service);
  });

  test('a surplus of it is closed too, and the unit that an intent still lacks can be linked to it', async () => {
    const target = await service.createMerchant('Target', newAddress());
    const intents = [];
    for (const amountCents of [100, 200]) {
      const body = { amountCents, orderId: `dust-${orders++}` };
      intents.push((await target.call('POST', '/api/merchants/intents', body)).body);
    }
    const [generous, short] = intents;
    const pay = (referenceAddress: string, baseUnits: bigint) =>
      arrive(service, target.id, { references: [referenceAddress], baseUnits });
    await pay(generous.referenceAddress, 1_000_001n);
    await pay(short.referenceAddress, 1_999_999n);
    await arrive(service, target.id, { baseUnits: 1n });
    expect(await openCount(target)).toBe(0);
    const [last, surplus] = await list(target, '?status=dust');
    expect(surplus).toMatchObject({ kind: 'surplus', paymentIntentId: generous.id });
    const linked = await target.call('POST', `/api/v2/exceptions/${last!.id}/link`, {
      paymentIntentId: short.id,
    });
    expect([linked.status, linked.body.status]).toEqual([200, 'linked']);
    expect((await target.call('GET', `/api/merchants/intents/${short.id}`)).body.status).toBe('succeeded');
    const returned = await target.call('POST', `/api/v2/exceptions/${surplus!.id}/mark-returned`);
    expect([returned.status, returned.body.status]).toEqual([200, 'returned']);
    await expectSound(service);
  });

  test('another token is not measured in cents: it stays open', async () => {
    const target = await service.createMerchant('Target', newAddress());
    const { body: intent } = await target.call('POST', '/api/merchants/intents', {
      amountCents: 100,
      orderId: `dust-${orders++}`,
    });
    await arrive(service, target.id, { references: [intent.referenceAddress], otherMint: 1n });
    expect(await list(target)).toMatchObject([{ kind: 'wrong_mint', status: 'open' }]);
  });
});
