import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  advance,
  bring,
  newCustomer,
  newProject,
  newSession,
  readInvoice,
  readSession,
  runDue,
} from '../../../test/support/billing.ts';
import { newOpenInvoice } from '../../../test/support/manual-invoices.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { composeEmail } from '../../email/compose-email.ts';
import { formatMoment, formatUsd } from '../../platform/lib/format.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';

const UNTIL = new Date('2027-03-04T05:06:00Z');
let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  service.db.queuesEmails = true;
});

beforeEach(async () => {
  shop = await service.createMerchant('Café Zoë');
  projectId = (await newProject(shop)).id;
});

const remind = (id: string, headers?: Record<string, string>) =>
  shop.call('POST', `/api/merchants/intents/${id}/remind`, undefined, headers);
const reminders = () =>
  service.db.query<{ number: number; facts: { dueCents: string; payUrl: string; endsAt: string | null } }>(
    `select number, facts from emails where merchant_id = $1 and kind = 'rest_reminder' order by number`,
    [shop.id],
  );
const refusalOf = ({ status, body }: { status: number; body: { error: { message: string } } }) => [
  status,
  body.error.message,
];

async function underpaid(fields: object = {}) {
  const session = await newSession(shop, projectId, {
    ...{ amountCents: 1000, customerName: 'Ada', customerEmail: 'ada@example.com', ...fields },
  });
  await bring(service, shop, session, 800);
  return session;
}

test('200: one e-mail with the rest and where to pay it; again after ten minutes, 20 times at most', async () => {
  const session = await underpaid();
  const key = { 'Idempotency-Key': 'once' };
  expect((await remind(session.paymentIntentId, key)).status).toBe(200);
  expect((await remind(session.paymentIntentId, key)).status).toBe(200);
  expect(await reminders()).toMatchObject([
    { number: 1, facts: { dueCents: '200', payUrl: session.checkoutUrl } },
  ]);
  expect((await readInvoice(shop, session.invoiceId)).remindedAt).not.toBe(null);
  expect(refusalOf(await remind(session.paymentIntentId))).toEqual([
    409,
    'It was sent less than 10 minutes ago. It can be sent again in 10 minutes.',
  ]);
  await advance(service, 11 / 1440);
  const again = await shop.call('POST', `/api/invoices/${session.invoiceId}/remind`);
  expect([again.status, again.body.amountDueCents]).toEqual([200, 200]);
  expect(await reminders()).toHaveLength(2);
  await service.db.query('update invoices set times_reminded = 20 where id = $1', [session.invoiceId]);
  await advance(service, 1);
  expect(refusalOf(await remind(session.paymentIntentId))[1]).toContain('20 times');
});

test('200 after the deadline, while the rest can be paid, and 409 from then on', async () => {
  const session = await underpaid();
  await advance(service, 5);
  await runDue(service);
  expect((await remind(session.paymentIntentId)).status).toBe(200);
  await advance(service, 40);
  await runDue(service);
  expect(refusalOf(await remind(session.paymentIntentId))[1]).toContain('can no longer be paid');
});

test('an invoice made by hand: its due date, not until when it could still be paid', async () => {
  const customer = await newCustomer(shop, projectId, { name: 'Ada', email: 'ada@example.com' });
  const invoice = await newOpenInvoice({ shop, projectId, customerId: customer.id }, { netDays: 10 });
  const { paymentIntentId } = await readSession(shop, invoice.checkoutSessionId);
  await bring(service, shop, { paymentIntentId }, 800);
  expect((await remind(paymentIntentId)).status).toBe(200);
  await advance(service, 11);
  expect((await remind(paymentIntentId)).status).toBe(200);
  const [before, after] = (await reminders()).map(({ facts }) => facts);
  expect(before).toMatchObject({ dueAt: invoice.dueAt, endsAt: null });
  expect(before).not.toHaveProperty('isOverdue');
  expect(after).toMatchObject({ dueAt: invoice.dueAt, endsAt: null, isOverdue: true });
});

test('409 without an e-mail address, without a checkout, and for what is not underpaid', async () => {
  const nobody = await underpaid({ customerEmail: undefined, customerName: undefined });
  expect(refusalOf(await remind(nobody.paymentIntentId))[1]).toContain('this payment has no customer');
  const unknown = await underpaid({ customerEmail: undefined });
  expect(refusalOf(await remind(unknown.paymentIntentId))[1]).toContain('no e-mail address');
  const order = { amountCents: 1000, orderId: 'till' };
  const { id } = (await shop.call('POST', '/api/merchants/intents', order)).body;
  expect(refusalOf(await remind(id))[1]).toContain('this one is pending');
  await bring(service, shop, { paymentIntentId: id }, 800);
  expect(refusalOf(await remind(id))[1]).toContain('nobody to remind');
  expect(await reminders()).toEqual([]);
});

test('it says in each language what is left, until when, and where', () => {
  for (const language of LANGUAGES) {
    const { subject, text } = composeEmail(
      {
        ...{
          merchantId: 'm',
          id: 'e',
          leaseId: 'l',
          leaseUntil: new Date(),
          attempt: 1,
          createdAt: new Date(),
        },
        ...{
          senderName: 'Shop',
          brandColor: null,
          logoFile: null,
          portalProjectId: null,
          whyOutdated: null,
          replyTo: null,
          recipientName: 'Ada',
          language,
        },
        ...{ sealedLink: null, invoiceId: null },
        email: 'ada@example.com',
        kind: 'rest_reminder',
        facts: {
          ...{ number: 'INV-000007', items: [], creditCents: 0n, totalCents: 1000n, dueCents: 200n },
          ...{ dueAt: null, endsAt: UNTIL, paidAt: null, txSignature: null },
          payUrl: 'https://pay.example/1',
        },
      } as Parameters<typeof composeEmail>[0],
      'https://pay.example',
    );
    const left = formatUsd(200n, language);
    for (const said of [left, 'INV-000007']) expect(subject).toContain(said);
    const until = formatMoment(UNTIL, language);
    for (const said of [left, until, 'https://pay.example/1']) expect(text).toContain(said);
  }
});
