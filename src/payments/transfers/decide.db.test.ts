import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  advance,
  eventNames,
  expectSound,
  newCustomer,
  newProject,
  newSession,
  readCustomer,
  runDue,
} from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';

/** Decisions about a payment in review, other than linking and returning it, and how they are undone. */
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
});

beforeEach(async () => {
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
});

const LIST = '/api/v2/exceptions';
const decide = (id: string, way: string, body: unknown = {}, headers?: Record<string, string>) =>
  shop.call('POST', `${LIST}/${id}/${way}`, body, headers);
const messageOf = ({ status, body }: { status: number; body: { error: { message: string } } }) => [
  status,
  body.error?.message,
];
const newIntent = async (amountCents: number, orderId: string) =>
  (await shop.call('POST', '/api/merchants/intents', { amountCents, orderId })).body;

async function exceptionOf(signature: string) {
  return (await shop.call('GET', `${LIST}?txSignature=${signature}`)).body.data[0];
}
const unmatched = async (baseUnits = 4_200_000n) =>
  exceptionOf(await arrive(service, shop.id, { baseUnits }));
/** Overpaid by 50 cents. */
async function surplus(orderId = 'too-much') {
  const intent = await newIntent(100, orderId);
  const references = [intent.referenceAddress];
  const signature = await arrive(service, shop.id, { baseUnits: 1_500_000n, references });
  return { intent, exception: await exceptionOf(signature) };
}

/** 3 dollars for a canceled checkout, which are its customer's account credit until somebody decides. */
async function paidAfterCancel() {
  const session = await newSession(shop, projectId, { externalCustomerId: 'ann', amountCents: 300 });
  await shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
  const { body } = await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
  const sent = { baseUnits: 3_000_000n, references: [body.referenceAddress] };
  return { session, exception: await exceptionOf(await arrive(service, shop.id, sent)) };
}

describe('POST …/keep', () => {
  test('200: it is kept, with the note, announced, and open again when that is undone', async () => {
    const { id } = await unmatched();
    const kept = await decide(id, 'keep', { note: 'A tip' });
    expect([kept.status, kept.body]).toMatchObject([200, { status: 'kept', note: 'A tip' }]);
    expect(messageOf(await decide(id, 'keep'))).toEqual([409, 'This exception is already kept.']);
    const open = (await decide(id, 'reopen')).body;
    expect(open).toMatchObject({ status: 'open', note: null, resolvedAt: null });
    expect(await eventNames(service, shop.id, id)).toEqual([
      'exception.created',
      'exception.resolved',
      'exception.reopened',
    ]);
    expect((await decide(id, 'mark-returned')).status).toBe(200);
    await expectSound(service);
  });

  test('an Idempotency-Key keeps once and repeats the answer', async () => {
    const { id } = await unmatched();
    const key = { 'Idempotency-Key': 'keep-once' };
    const [one, two] = [await decide(id, 'keep', {}, key), await decide(id, 'keep', {}, key)];
    expect([two.status, two.text]).toEqual([200, one.text]);
  });

  test('409 for what is a customer’s account credit, and for what was refunded in part', async () => {
    const { session, exception } = await paidAfterCancel();
    expect(exception).toMatchObject({ kind: 'canceled', balanceEntryId: expect.any(String) });
    expect(messageOf(await decide(exception.id, 'keep'))[1]).toContain('account credit of the customer');
    const credited = await decide(exception.id, 'credit');
    expect(credited.body).toMatchObject({ status: 'credited', balanceEntryId: exception.balanceEntryId });
    expect((await decide(exception.id, 'reopen')).body).toMatchObject({
      status: 'open',
      balanceEntryId: exception.balanceEntryId,
    });
    expect((await readCustomer(shop, session.customerId)).accountCreditCents).toBe(300);
    await expectSound(service);
  });
});

describe('POST …/credit', () => {
  test('200: it is the customer’s account credit, and is not when that is undone', async () => {
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'ann@shop.example' });
    const { id } = await unmatched(4_209_999n);
    const credited = (await decide(id, 'credit', { customerId, note: 'Ann called' })).body;
    expect(credited).toMatchObject({ status: 'credited', note: 'Ann called' });
    expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(420);
    await expectSound(service);
    expect((await decide(id, 'reopen')).body).toMatchObject({ status: 'open', balanceEntryId: null });
    expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(0);
    await expectSound(service);
  });

  test('money that is one customer’s account credit becomes another’s, not both’s, and the first one’s again when that is undone', async () => {
    const { session, exception } = await paidAfterCancel();
    const { id } = exception;
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'bob@shop.example' });
    expect((await decide(id, 'credit', { customerId })).body.status).toBe('credited');
    const credits = async () => [
      (await readCustomer(shop, session.customerId)).accountCreditCents,
      (await readCustomer(shop, customerId)).accountCreditCents,
    ];
    expect(await credits()).toEqual([0, 300]);
    await expectSound(service);
    for (let round = 0; round < 2; round++) {
      expect((await decide(id, 'reopen')).body).toMatchObject({
        status: 'open',
        balanceEntryId: expect.any(String),
      });
      expect(await credits()).toEqual([300, 0]);
      await expectSound(service);
      await decide(id, 'credit', { customerId });
      expect(await credits()).toEqual([0, 300]);
    }
  });

  test('money for a deleted customer’s checkout is nobody’s credit: it is kept, or credited to a new customer', async () => {
    for (const way of ['keep', 'credit']) {
      const session = await newSession(shop, projectId, { externalCustomerId: 'ann', amountCents: 300 });
      const intent = (await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`)).body;
      expect((await shop.call('DELETE', `/api/v2/customers/${session.customerId}`)).status).toBe(202);
      const references = [intent.referenceAddress];
      const exception = await exceptionOf(
        await arrive(service, shop.id, { baseUnits: 3_000_000n, references }),
      );
      expect(exception).toMatchObject({ status: 'open', balanceEntryId: null });
      const { id: customerId } = await newCustomer(shop, projectId, { externalCustomerId: `ann ${way}` });
      const body = way === 'credit' ? { customerId } : {};
      expect((await decide(exception.id, way, body)).status).toBe(200);
      expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(way === 'credit' ? 300 : 0);
    }
    await expectSound(service);
  });

  test('409 to undo what has been spent', async () => {
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'ann@shop.example' });
    const { id } = await unmatched();
    await decide(id, 'credit', { customerId });
    await service.db.query('update balances set cents = cents - 400 where merchant_id = $1', [shop.id]);
    expect(messageOf(await decide(id, 'reopen'))[1]).toContain('already been spent');
    await service.db.query('update balances set cents = cents + 400 where merchant_id = $1', [shop.id]);
    expect((await decide(id, 'reopen')).status).toBe(200);
  });

  test('400 without a customer or for somebody else’s, 409 for another token and for less than a cent', async () => {
    const { id } = await unmatched();
    expect(messageOf(await decide(id, 'credit'))).toEqual([400, 'customerId is required']);
    const other = await service.createMerchant('Other');
    const stranger = await newCustomer(other, (await newProject(other)).id, { email: 'x@y.example' });
    expect(messageOf(await decide(id, 'credit', { customerId: stranger.id }))).toEqual([
      400,
      'customerId must be the id of one of your customers',
    ]);
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'ann@shop.example' });
    const dust = await exceptionOf(await arrive(service, shop.id, { baseUnits: 9_999n }));
    expect(messageOf(await decide(dust.id, 'credit', { customerId }))[1]).toContain('Less than a cent');
    const intent = await newIntent(100, 'other token');
    const wrong = await arrive(service, shop.id, {
      ...{ otherMint: 7n, references: [intent.referenceAddress] },
    });
    const { id: wrongId } = await exceptionOf(wrong);
    expect((await decide(wrongId, 'credit', { customerId })).status).toBe(409);
    expect((await decide(wrongId, 'keep')).status).toBe(200);
    expect((await exceptionOf((await unmatched()).txSignature)).status).toBe('open');
  });

  test('400 for a customer of another project than the one the money was paid to', async () => {
    const { exception } = await paidAfterCancel();
    const elsewhere = await newCustomer(shop, (await newProject(shop)).id, { email: 'bob@shop.example' });
    expect(messageOf(await decide(exception.id, 'credit', { customerId: elsewhere.id }))).toEqual([
      400,
      'customerId must be the id of a customer of the project that the money was paid to',
    ]);
    expect((await readCustomer(shop, elsewhere.id)).accountCreditCents).toBe(0);
  });

  test('a surplus that is credited cannot go back with the payment, and one that went back cannot be credited', async () => {
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'ann@shop.example' });
    const refund = (paymentIntentId: string, amountCents: number) =>
      shop.call('POST', '/api/v2/refunds', { paymentIntentId, amountCents, reason: 'other' });
    const { intent, exception } = await surplus();
    expect((await decide(exception.id, 'credit', { customerId })).status).toBe(200);
    expect((await refund(intent.id, 101)).status).toBe(400);
    expect((await refund(intent.id, 100)).status).toBe(201);
    expect((await readCustomer(shop, customerId)).accountCreditCents).toBe(50);
    const second = await newIntent(100, 'too much again');
    const references = [second.referenceAddress];
    const again = await exceptionOf(await arrive(service, shop.id, { baseUnits: 1_500_000n, references }));
    expect((await refund(second.id, 150)).status).toBe(201);
    expect(messageOf(await decide(again.id, 'credit', { customerId }))).toEqual([
      409,
      'A part of this payment has been refunded.',
    ]);
    await expectSound(service);
  });
});

describe('a surplus whose payment is refunded', () => {
  const refund = (paymentIntentId: string, fields: object = {}) =>
    shop.call('POST', '/api/v2/refunds', { paymentIntentId, reason: 'other', ...fields });
  const refused = [409, 'A part of this payment has been refunded.'];

  test('409 to keep, credit or return what a refund sends back, until the refund is canceled', async () => {
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'ann@shop.example' });
    for (const fields of [{}, { amountCents: 120 }, { amountCents: 10, reason: 'overpaid' }]) {
      const { intent, exception } = await surplus(JSON.stringify(fields));
      const promised = await refund(intent.id, fields);
      for (const way of ['keep', 'mark-returned', 'credit'])
        expect(messageOf(await decide(exception.id, way, way === 'credit' ? { customerId } : {}))).toEqual(
          refused,
        );
      await shop.call('POST', `/api/v2/refunds/${promised.body.id}/cancel`);
      expect((await decide(exception.id, 'mark-returned')).status).toBe(200);
    }
    await expectSound(service);
  });

  test('a refund of the goods alone leaves it to be decided; what is kept or returned is no longer refundable', async () => {
    for (const way of ['keep', 'mark-returned']) {
      const { intent, exception } = await surplus(way);
      expect((await refund(intent.id, { amountCents: 30 })).status).toBe(201);
      expect((await decide(exception.id, way)).status).toBe(200);
      expect((await refund(intent.id, { amountCents: 71 })).status).toBe(400);
      expect((await refund(intent.id)).body).toMatchObject({ amountCents: 70 });
      expect((await decide(exception.id, 'reopen')).status).toBe(200);
      expect((await refund(intent.id)).body).toMatchObject({ amountCents: 50 });
    }
    await expectSound(service);
  });
});

describe('POST …/reopen', () => {
  test('what was marked as returned is account credit again', async () => {
    const { session, exception } = await paidAfterCancel();
    const { id } = exception;
    await decide(id, 'mark-returned');
    expect((await readCustomer(shop, session.customerId)).accountCreditCents).toBe(0);
    expect((await decide(id, 'reopen')).body.status).toBe('open');
    expect((await readCustomer(shop, session.customerId)).accountCreditCents).toBe(300);
    await expectSound(service);
  });

  test('a customer deleted meanwhile gets no account credit', async () => {
    const { session, exception } = await paidAfterCancel();
    const { id } = exception;
    await decide(id, 'mark-returned');
    const deleted = await shop.call('DELETE', `/api/v2/customers/${session.customerId}?discardBalance=true`);
    expect(deleted.status).toBe(202);
    expect((await decide(id, 'reopen')).body).toMatchObject({ status: 'open', balanceEntryId: null });
    expect((await decide(id, 'keep')).status).toBe(200);
    await expectSound(service);
  });

  test('409 for what is open, was linked, or is dust; 404 for another merchant’s', async () => {
    const { id } = await unmatched();
    expect(messageOf(await decide(id, 'reopen'))[1]).toContain('Nothing has been decided');
    const intent = await newIntent(420, 'found');
    await decide(id, 'link', { paymentIntentId: intent.id });
    expect(messageOf(await decide(id, 'reopen'))[1]).toContain('has paid for it');
    const dust = await exceptionOf(await arrive(service, shop.id, { baseUnits: 9_999n }));
    expect((await decide(dust.id, 'reopen')).status).toBe(409);
    const other = await service.createMerchant('Other');
    for (const way of ['keep', 'credit', 'reopen'])
      expect((await other.call('POST', `${LIST}/${id}/${way}`, {})).status).toBe(404);
  });

  test('of twenty who decide at once, one does; and the books hold', async () => {
    const { id: customerId } = await newCustomer(shop, projectId, { email: 'ann@shop.example' });
    const { id } = await unmatched();
    const ways = ['keep', 'credit', 'mark-returned', 'reopen'];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        decide(id, ways[at % 4]!, ways[at % 4] === 'credit' ? { customerId } : {}),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    await expectSound(service);
  });
});

describe('GET …/suggestions', () => {
  const suggestions = async (id: string) =>
    (await shop.call('GET', `${LIST}/${id}/suggestions`)).body.suggestions;
  const short = ({ orderId, missingCents, reasons }: Record<string, unknown>) => [
    orderId,
    missingCents,
    reasons,
  ];

  test('200: open orders that lack exactly this amount, the nearest in time first, with their customer', async () => {
    await newIntent(420, 'older');
    const paid = await newIntent(420, 'paid');
    await arrive(service, shop.id, { baseUnits: 4_200_000n, references: [paid.referenceAddress] });
    await newIntent(421, 'a cent more');
    const part = await newIntent(500, 'part paid');
    await arrive(service, shop.id, { baseUnits: 800_000n, references: [part.referenceAddress] });
    await newSession(shop, projectId, {
      ...{
        amountCents: 420,
        merchantReference: 'of ann',
        customerEmail: 'ann@shop.example',
        customerName: 'Ann',
      },
    });
    const gone = await newIntent(420, 'canceled');
    await shop.call('POST', `/api/merchants/intents/${gone.id}/cancel`);
    const { id } = await unmatched(4_200_000n);
    const found = await suggestions(id);
    expect(found.map(short)).toEqual([
      ['of ann', 420, ['same_amount']],
      ['part paid', 420, ['same_amount']],
      ['older', 420, ['same_amount']],
    ]);
    expect(found[0]).toMatchObject({ customerName: 'Ann', customerEmail: 'ann@shop.example' });
    await decide(id, 'keep');
    expect(await suggestions(id)).toEqual([]);
  });

  test('with a tip on the page: what pays for the goods alone fits, and so does all of it, and nothing between', async () => {
    const session = await newSession(shop, projectId, {
      ...{ amountCents: 1_000, tipPercents: [10], merchantReference: 'tipped' },
    });
    const answer = await fetch(`${service.url}${new URL(session.checkoutUrl).pathname}/tip?lang=en`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', origin: 'null' },
      body: new URLSearchParams({ percent: '10' }),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    const fits = [['tipped', 1_100, ['same_amount']]];
    const found = async (baseUnits: bigint) =>
      (await suggestions((await unmatched(baseUnits)).id)).map(short);
    expect(await found(11_000_000n)).toEqual(fits);
    expect(await found(10_500_000n)).toEqual([]);
    const { id } = await unmatched(10_000_000n);
    const [suggested] = await suggestions(id);
    expect([short(suggested), suggested.tipCents]).toEqual([...fits, 100]);
    await decide(id, 'link', { paymentIntentId: session.paymentIntentId });
    const { body: paid } = await shop.call('GET', `/api/v2/checkout-sessions/${session.id}`);
    expect(paid).toMatchObject({ status: 'complete', tipCents: 0, amountCents: 1_000 });
    await expectSound(service);
  });

  test('the order that the payment names is first, then what lacks the amount, then what payers claim; each nearest in time', async () => {
    const named = await newIntent(999, 'named');
    await advance(service, 40);
    await runDue(service);
    const intents = [
      await newIntent(420, 'older'),
      await newIntent(1777, 'claimed before'),
      await newIntent(420, 'fits and claimed'),
      await newIntent(420, 'newer'),
      await newIntent(1888, 'claimed after'),
    ];
    const signature = await arrive(service, shop.id, {
      ...{ baseUnits: 4_200_000n, references: [named.referenceAddress] },
    });
    for (const at of [1, 2, 4])
      await service.db.query(
        'insert into payment_claims (merchant_id, signature, intent_id, claimed_at) values ($1, $2, $3, now())',
        [shop.id, signature, intents[at].id],
      );
    const { id, kind } = await exceptionOf(signature);
    expect(kind).toBe('late');
    expect((await suggestions(id)).map(short)).toEqual([
      ['named', 999, ['named']],
      ['fits and claimed', 420, ['claimed', 'same_amount']],
      ['newer', 420, ['same_amount']],
      ['older', 420, ['same_amount']],
      ['claimed after', 1888, ['claimed']],
      ['claimed before', 1777, ['claimed']],
    ]);
  });

  test('orders that were made after the money came, and more than three that only payers claim, push nothing down', async () => {
    const genuine = await newIntent(431, 'genuine');
    const before = [];
    for (let n = 0; n < 5; n++) before.push(await newIntent(900 + n, `only claimed ${n}`));
    await advance(service, 0.02, { isRead: false });
    const signature = await arrive(service, shop.id, { baseUnits: 4_310_000n });
    const { id } = await exceptionOf(signature);
    await advance(service, 0.001, { isRead: false });
    const after = [];
    for (let n = 0; n < 4; n++) after.push(await newIntent(431, `made for it ${n}`));
    for (const { id: intentId } of [...before, ...after])
      await service.db.query(
        'insert into payment_claims (merchant_id, signature, intent_id, claimed_at) values ($1, $2, $3, now())',
        [shop.id, signature, intentId],
      );
    const found = await suggestions(id);
    expect(found[0].paymentIntentId).toBe(genuine.id);
    const reasons = found.slice(1).map((each: { reasons: string[] }) => each.reasons.join(' '));
    expect(reasons).toEqual([...Array(4).fill('claimed same_amount'), ...Array(3).fill('claimed')]);
  });

  test('the evidence is strong for an order that the payment names, or that one payer alone claims and nothing contradicts', async () => {
    const claim = (signature: string, intentId: string) =>
      service.db.query(
        'insert into payment_claims (merchant_id, signature, intent_id, claimed_at) values ($1, $2, $3, now())',
        [shop.id, signature, intentId],
      );
    const strong = async (id: string) =>
      (await suggestions(id)).flatMap((each: { orderId: string; isStrong: boolean }) =>
        each.isStrong ? [each.orderId] : [],
      );
    const ours = await newIntent(430, 'ours');
    const { id, txSignature } = await unmatched(4_300_000n);
    expect((await suggestions(id)).map(short)).toEqual([['ours', 430, ['same_amount']]]);
    expect(await strong(id)).toEqual([]);
    await claim(txSignature, ours.id);
    expect(await strong(id)).toEqual(['ours']);
    // Another payer says that it is theirs.
    const other = await newIntent(9990, 'other');
    await claim(txSignature, other.id);
    expect(await strong(id)).toEqual([]);

    const since = await unmatched(5_550_000n);
    await advance(service, 0.01, { isRead: false });
    const made = await newIntent(555, 'made for it');
    await claim(since.txSignature, made.id);
    expect((await suggestions(since.id)).map(short)).toEqual([
      ['made for it', 555, ['claimed', 'same_amount']],
    ]);
    expect(await strong(since.id)).toEqual([]);

    const rival = [await newIntent(666, 'claimed'), await newIntent(666, 'fits too')];
    const two = await unmatched(6_660_000n);
    await claim(two.txSignature, rival[0].id);
    expect(await strong(two.id)).toEqual([]);

    const named = await newIntent(777, 'named');
    await advance(service, 40);
    await runDue(service);
    const sent = { baseUnits: 8_880_000n, references: [named.referenceAddress] };
    expect(await strong((await exceptionOf(await arrive(service, shop.id, sent))).id)).toEqual(['named']);
  });

  test('what is not to be matched has none, nor what fits nothing; 404 for another merchant’s', async () => {
    const { exception } = await surplus();
    expect(await suggestions(exception.id)).toEqual([]);
    const { id } = await unmatched(1_230_000n);
    expect(await suggestions(id)).toEqual([]);
    const other = await service.createMerchant('Other');
    expect((await other.call('GET', `${LIST}/${id}/suggestions`)).status).toBe(404);
  });
});

test('a match sends a receipt to the customer who is thereby said to have paid, unless that is not wanted', async () => {
  const receipts = async () =>
    (
      await service.db.query<{ email: string }>(
        `select c.email from emails e join customers c on c.merchant_id = e.merchant_id and c.id = e.customer_id
          where e.merchant_id = $1 and e.kind = 'receipt'`,
        [shop.id],
      )
    ).map(({ email }) => email);
  service.db.queuesEmails = true;
  const match = async (customerEmail: string, body: object) => {
    const session = await newSession(shop, projectId, { amountCents: 420, customerEmail });
    const { id } = await unmatched();
    const { status } = await decide(id, 'link', { paymentIntentId: session.paymentIntentId, ...body });
    const { body: paid } = await shop.call('GET', `/api/v2/checkout-sessions/${session.id}`);
    return [status, paid.status];
  };
  expect(await match('quiet@shop.example', { sendReceipt: false })).toEqual([200, 'complete']);
  expect(await receipts()).toEqual([]);
  expect(await match('ada@shop.example', {})).toEqual([200, 'complete']);
  expect(await receipts()).toEqual(['ada@shop.example']);
  service.db.queuesEmails = false;
});

test('searching an amount finds the exception', async () => {
  const { id } = await unmatched(77_770_000n);
  await arrive(service, shop.id, { baseUnits: 77_780_000n });
  const { body } = await shop.call('GET', '/api/v2/search?q=77.77');
  expect(body.data.map((hit: { id: string }) => hit.id)).toEqual([id]);
});
