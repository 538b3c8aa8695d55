import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectSound,
  listEvents,
  newPlan,
  newPrice,
  newProject,
  newTopUp,
  readCustomer,
  readInvoice,
  readSession,
  readSubscription,
} from '../../../test/support/billing.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { type SubscriptionWorld, subscriptionWorld } from '../../../test/support/subscriptions.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { MAX_INT64 } from '../../platform/lib/money.ts';

let w: SubscriptionWorld;
let projectId: string;
// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
let [cup, plan, topUp]: any[] = [];

beforeAll(async () => {
  w = await subscriptionWorld();
  projectId = w.projectId;
  cup = await newPrice(w.shop, projectId, { unitAmountCents: 1_250, name: 'Large' });
  plan = await newPlan(w.shop, projectId, { unitAmountCents: 900 });
  topUp = await newTopUp(w.shop, projectId, { unitAmountCents: 300, creditAmount: 40 });
});

type Fields = Record<string, unknown>;
const rowCounts = async () => {
  const tables = ['checkout_sessions', 'invoices', 'payment_intents', 'customers', 'subscriptions', 'events'];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return (await w.service.db.query(`select ${counts.join(', ')}`))[0];
};

describe('POST /api/v2/checkout-sessions with lineItems', () => {
  const create = (fields: Fields) =>
    w.shop.call(
      'POST',
      '/api/v2/checkout-sessions',
      stringifyJson({ projectId, mode: 'one_time', ...fields }),
    );
  const expectBad = async (fields: Fields, field: string) => {
    const before = await rowCounts();
    const { status, body } = await create(fields);
    expect([fields, status, body.error?.code]).toEqual([fields, 400, 'BAD_REQUEST']);
    expect([fields, body.error.message.split(' ')[0]]).toEqual([fields, field]);
    expect(await rowCounts()).toEqual(before);
  };

  test('201: prices and custom items with quantities, the same on session, invoice, PDF, CSV and webhooks', async () => {
    const { status, body } = await create({
      merchantReference: 'cart',
      lineItems: [
        { priceId: cup.id.toUpperCase(), quantity: 3 },
        { name: 'Engraving', unitAmountCents: 99, quantity: 10_000 },
        { name: 'Gift box', unitAmountCents: 1 },
      ],
    });
    const lineItems = [
      line(cup.id, 'Coffee – Large', 3, 1_250),
      line(null, 'Engraving', 10_000, 99),
      line(null, 'Gift box', 1, 1),
    ];
    expect([status, body]).toMatchObject([201, { amountCents: 993_751, priceId: null, lineItems }]);
    expect(await readSession(w.shop, body.id)).toEqual(body);
    const invoice = await readInvoice(w.shop, body.invoiceId);
    expect(invoice).toMatchObject({ lines: lineItems, subtotalCents: 993_751, totalCents: 993_751 });
    const url = `${w.service.url}/api/v2/invoices/${invoice.id}/pdf`;
    const pdf = await fetch(url, { headers: { authorization: `Bearer ${w.shop.key}` } });
    const text = JSON.stringify(await readPdf(new Uint8Array(await pdf.arrayBuffer())));
    for (const words of ['Coffee – Large', 'Engraving', '10,000', '$9,900.00', '$9,937.51'])
      expect(text).toContain(words);
    const csv = await w.shop.call('GET', '/api/v2/checkout-sessions?merchantReference=cart', undefined, {
      accept: 'text/csv',
    });
    expect(csv.text).toContain('""description"":""Engraving""');
    const told = (await listEvents(w.service, w.shop.id)).find(
      (event) => event.event === 'checkout.session.created' && event.body.data.checkoutSession.id === body.id,
    );
    expect(told!.body.data.checkoutSession.lineItems).toEqual(lineItems);
  });

  test('201 at the largest total; 400 beyond it', async () => {
    const most = await create({ lineItems: [{ name: 'All of it', unitAmountCents: MAX_INT64 }] });
    expect(most.text).toContain(`"amountCents":${MAX_INT64}`);
    const half = MAX_INT64 / 2n + 1n;
    await expectBad({ lineItems: [{ name: 'Twice', unitAmountCents: half, quantity: 2 }] }, 'lineItems');
    await expectBad(
      {
        lineItems: [
          { name: 'a', unitAmountCents: half },
          { name: 'b', unitAmountCents: half },
        ],
      },
      'lineItems',
    );
    await expectBad(
      { lineItems: [{ name: 'a', unitAmountCents: MAX_INT64 * 10n }] },
      'lineItems.0.unitAmountCents',
    );
  });

  test('400 naming the item, and nothing written', async () => {
    const foreign = await newPrice(w.shop, (await newProject(w.shop)).id);
    const gone = await newPrice(w.shop, projectId);
    await w.shop.call('PATCH', `/api/v2/prices/${gone.id}`, { isActive: false });
    const other = await newPlan(w.shop, projectId);
    const item = { name: 'Cup', unitAmountCents: 100 };
    for (const [lineItems, field] of [
      [[], 'lineItems'],
      [Array.from({ length: 51 }, () => item), 'lineItems'],
      [{}, 'lineItems'],
      [[{ ...item, quantity: 0 }], 'lineItems.0.quantity'],
      [[{ ...item, quantity: -1 }], 'lineItems.0.quantity'],
      [[{ ...item, quantity: 1.5 }], 'lineItems.0.quantity'],
      [[{ ...item, quantity: 10_001 }], 'lineItems.0.quantity'],
      [[item, { ...item, unitAmountCents: 0 }], 'lineItems.1.unitAmountCents'],
      [[item, { ...item, unitAmountCents: -5 }], 'lineItems.1.unitAmountCents'],
      [[{ name: 'Cup' }], 'lineItems.0.unitAmountCents'],
      [[{ unitAmountCents: 5 }], 'lineItems.0.priceId'],
      [[{}], 'lineItems.0.priceId'],
      [[{ ...item, name: '' }], 'lineItems.0.name'],
      [[{ ...item, currency: 'EUR' }], 'lineItems.0.currency'],
      [[{ priceId: cup.id, name: 'Cup' }], 'lineItems.0.name'],
      [[{ priceId: cup.id, unitAmountCents: 5 }], 'lineItems.0.unitAmountCents'],
      [[item, { priceId: projectId }], 'lineItems.1.priceId'],
      [[{ priceId: foreign.id }], 'lineItems.0.priceId'],
      [[{ priceId: gone.id }], 'lineItems.0.priceId'],
      [[{ priceId: plan.id }], 'lineItems.0.priceId'],
    ] as const) {
      await expectBad({ lineItems }, field);
    }
    const recurring = await create({ lineItems: [{ priceId: plan.id }] });
    expect(recurring.body.error.message).toBe('lineItems.0.priceId must be a one_time price');
    const lineItems = [item];
    await expectBad({ lineItems, amountCents: 100 }, 'amountCents');
    await expectBad({ lineItems, priceId: cup.id }, 'priceId');
    const subscriber = { mode: 'subscription', externalCustomerId: 'bad' };
    await expectBad({ ...subscriber, lineItems }, 'lineItems');
    await expectBad(
      { ...subscriber, lineItems: [item, { priceId: plan.id }, { priceId: other.id }] },
      'lineItems.2.priceId',
    );
    await expectBad(
      { ...subscriber, lineItems: [{ priceId: plan.id }, { priceId: plan.id }] },
      'lineItems.1.priceId',
    );
    await expectBad(
      { ...subscriber, lineItems: [{ priceId: plan.id }, { priceId: topUp.id }] },
      'lineItems.1.priceId',
    );
  });

  test('409 and 403 as for any session: the same key with other items, over the volume limit', async () => {
    const key = { 'idempotency-key': 'items /api/v2' };
    const send = (quantity: number) =>
      w.shop.call(
        'POST',
        '/api/v2/checkout-sessions',
        { projectId, mode: 'one_time', lineItems: [{ priceId: cup.id, quantity }] },
        key,
      );
    const [first, again, other] = [await send(2), await send(2), await send(3)];
    expect([first.status, again.text, other.status]).toEqual([201, first.text, 409]);
    const limited = await newProject(w.shop, { monthlyVolumeLimitCents: 1_000 });
    const over = await create({
      projectId: limited.id,
      lineItems: [{ name: 'a', unitAmountCents: 501, quantity: 2 }],
    });
    expect([over.status, over.body.error.code]).toEqual([403, 'PROJECT_VOLUME_LIMIT_EXCEEDED']);
  });

  test('a top-up adds the credits of all its lines, once', async () => {
    const { body } = await create({
      mode: 'balance_top_up',
      externalCustomerId: 'credits /api/v2',
      lineItems: [
        { priceId: topUp.id, quantity: 7 },
        { name: 'Setup', unitAmountCents: 50 },
      ],
    });
    expect(body.amountCents).toBe(2_150);
    await w.payInvoice(body.invoiceId);
    expect((await readCustomer(w.shop, body.customerId)).creditBalance).toBe(280);
    await expectSound(w.service);
  });

  test('a subscription with things bought once: only its own line is for the period, and it comes first', async () => {
    const { body } = await create({
      mode: 'subscription',
      externalCustomerId: 'seats /api/v2',
      lineItems: [
        { name: 'Setup', unitAmountCents: 5_000 },
        { priceId: plan.id, quantity: 4 },
        { priceId: cup.id },
      ],
    });
    expect(body).toMatchObject({ amountCents: 5_000 + 3_600 + 1_250, priceId: plan.id });
    expect(body.lineItems.map(({ description }: Fields) => description)).toEqual([
      'Coffee',
      'Setup',
      'Coffee – Large',
    ]);
    await w.payInvoice(body.invoiceId);
    const subscription = await readSubscription(w.shop, body.subscriptionId);
    expect(subscription).toMatchObject({ status: 'active', priceId: plan.id, quantity: 4 });
    const { lines } = await readInvoice(w.shop, body.invoiceId);
    expect(lines.map(({ periodEnd }: Fields) => periodEnd)).toEqual([
      subscription.currentPeriodEnd,
      null,
      null,
    ]);
    await expectSound(w.service);
  });
});

test('many at once: each has its own lines, in the order of its request', async () => {
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      w.shop.call('POST', '/api/v2/checkout-sessions', {
        projectId,
        mode: 'one_time',
        lineItems: [
          { name: `b${n}`, unitAmountCents: 1 + n },
          { priceId: cup.id, quantity: 1 + n },
        ],
      }),
    ),
  );
  made.forEach(({ status, body }, n) => {
    const lineItems = [line(null, `b${n}`, 1, 1 + n), line(cup.id, 'Coffee – Large', 1 + n, 1_250)];
    expect([status, body.lineItems]).toEqual([201, lineItems]);
  });
  await expectSound(w.service);
});

function line(priceId: string | null, description: string, quantity: number, unitAmountCents: number) {
  const amount = { unitAmountCents, amountCents: quantity * unitAmountCents, discountCents: 0, taxCents: 0 };
  return { priceId, description, quantity, ...amount };
}
