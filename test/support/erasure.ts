import { createMailer } from '../../src/email/mailer.ts';
import { sendDueEmails } from '../../src/email/send-due-emails.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import {
  moveTo,
  newLink,
  newPlan,
  newPrice,
  newTopUp,
  paySession,
  readInvoice,
  readSession,
  readSubscription,
} from './billing.ts';
import type { TestChain } from './chain.ts';
import type { MailServer } from './mail.ts';
import { visit } from './portal.ts';
import { claimPath, newRefund, sendRefund } from './refund-journey.ts';
import { call } from './service.ts';

type Fields = Record<string, unknown>;

/** A text found nowhere else, for every field that could name a person. */
export class Markers {
  readonly #name: string;
  readonly all: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** Letters alone, so that it may be part of an address, a key or a URL. */
  make(field: string): string {
    const marker = `zq${this.#name}${field}qz`;
    this.all.push(marker);
    return marker;
  }

  metadata(field: string): Record<string, string> {
    return { [this.make(`${field}key`)]: this.make(`${field}value`) };
  }
}

const days = (from: string, count: number) => new Date(Date.parse(from) + count * 86_400_000);

export async function sendEmails(t: TestChain, server: MailServer): Promise<void> {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  const publicUrl = () => 'https://pay.example';
  const { db, secrets } = t.service;
  await sendDueEmails({ publicUrl, secrets, db, mailer, log: createLog('silent') });
}

/** Creates what every customer of a project can buy. */
export async function openShop(t: TestChain, projectId: string) {
  const plan = await newPlan(t.shop, projectId);
  const tried = await newPlan(t.shop, projectId, { trialDays: 14 });
  const topUp = await newTopUp(t.shop, projectId);
  const link = await newLink(t.shop, projectId, { collectCustomerEmail: true });
  const rate = { projectId, name: 'VAT', percent: 19, country: 'DE', isDefault: true };
  const { body: vat } = await t.shop.call('POST', '/api/v2/tax-rates', rate);
  const taxed = await newPrice(t.shop, projectId, { taxBehavior: 'exclusive', taxRateId: vat.id });
  const sale = { projectId, name: 'Sale', percentOff: 10, maxPerCustomer: 5 };
  const { body: discount } = await t.shop.call('POST', '/api/v2/discounts', sale);
  const code = { discountId: discount.id, code: 'SAVE10' };
  await t.shop.call('POST', '/api/v2/promotion-codes', code);
  return { plan, tried, topUp, link, taxed };
}

export type OpenShop = Awaited<ReturnType<typeof openShop>>;

/** Everything that a customer can do and a merchant can write about it, with a marker in every field. */
export async function liveThrough(
  t: TestChain,
  projectId: string,
  { plan, tried, topUp, link, taxed }: OpenShop,
  m: Markers,
): Promise<{ customerId: string; paid: Fields & { invoiceId: string }; numbers: string[] }> {
  const { shop, service } = t;
  const externalCustomerId = m.make('external');
  const email = `${m.make('mail')}@example.com`;
  const must = async (method: string, path: string, body?: Fields, headers?: Record<string, string>) => {
    const answer = await shop.call(method, `/api/v2${path}`, body, headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const customer = await must(
    'POST',
    '/customers',
    {
      projectId,
      externalCustomerId,
      email,
      name: m.make('name'),
      language: 'en',
      address: { line1: m.make('street'), line2: m.make('floor'), postalCode: '10115', city: m.make('city') },
      country: 'DE',
      isBusiness: true,
      taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
      metadata: m.metadata('customer'),
    },
    { 'idempotency-key': crypto.randomUUID() },
  );
  await must('PATCH', `/customers/${customer.id}`, { name: `Ms ${m.make('newname')}` });
  const references = (name: string) => ({
    merchantReference: m.make(`${name}order`),
    metadata: m.metadata(name),
    successUrl: `https://shop.example/?who=${m.make(`${name}success`)}`,
    cancelUrl: `https://shop.example/?who=${m.make(`${name}cancel`)}`,
  });
  const open = (name: string, fields: Fields) =>
    must(
      'POST',
      '/checkout-sessions',
      { projectId, mode: 'one_time', externalCustomerId, ...references(name), ...fields },
      { 'idempotency-key': crypto.randomUUID() },
    );
  const paid = await open('paid', {
    priceId: taxed.id,
    promotionCode: 'SAVE10',
    customerEmail: email,
    customerName: m.make('sessionname'),
  });
  await paySession(t, paid);
  await paySession(t, paid, 100);
  const credits = await open('topup', { mode: 'balance_top_up', priceId: topUp.id });
  await paySession(t, credits);
  const first = await open('plan', { mode: 'subscription', priceId: plan.id });
  await paySession(t, first);
  await t.finalize();
  // By a link, with the same address.
  const { body: linked } = await call(
    `${service.url}/api/v2/payment-links/${link.paymentLink.publicToken}/checkout`,
    'POST',
    { customerEmail: email, clientReferenceId: m.make('client') },
  );
  await paySession(t, await readSession(shop, linked.sessionId));
  await t.finalize();
  await open('trial', { mode: 'subscription', priceId: tried.id, customerEmail: email });
  await open('left', { amountCents: 700 });

  // A renewal is paid, the next one is not.
  const { currentPeriodEnd } = await readSubscription(shop, first.subscriptionId);
  await moveTo(t, days(currentPeriodEnd, -1));
  const { latestInvoiceId } = await readSubscription(shop, first.subscriptionId);
  const renewal = await readSession(shop, (await readInvoice(shop, latestInvoiceId)).checkoutSessionId);
  await paySession(t, renewal);
  await t.finalize();
  await must('PATCH', `/subscriptions/${first.subscriptionId}`, { metadata: m.metadata('plan2') });
  // The trial ended meanwhile, because nobody paid; that could still be paid for a while.
  await must('POST', `/subscriptions/${first.subscriptionId}/cancel`, { atPeriodEnd: false });

  const draft = (name: string) =>
    must('POST', '/invoices', {
      projectId,
      customerId: customer.id,
      lineItems: [{ name: 'Consulting', unitAmountCents: 5_000, quantity: 1 }],
      memo: `For ${m.make(`${name}memo`)}`,
      merchantReference: m.make(`${name}order`),
      metadata: m.metadata(name),
    });
  await draft('draft');
  const sent = await must('POST', `/invoices/${(await draft('sent')).id}/open`);
  await must('POST', `/invoices/${sent.id}/void`);
  const byHand = await must('POST', `/invoices/${(await draft('hand')).id}/open`);
  await paySession(t, await readSession(shop, byHand.checkoutSessionId));
  await t.finalize();

  // The customer says where the refund goes; another one is canceled.
  const refund = await newRefund(t, {
    invoiceId: paid.invoiceId,
    amountCents: 100,
    note: m.make('refundnote'),
    metadata: m.metadata('refund'),
  });
  const claim = `${service.url}/api/public${await claimPath(t, refund.id)}`;
  await call(claim, 'POST', { address: t.customer.address });
  await must('POST', `/refunds/${refund.id}/approve-address`, { address: t.customer.address });
  await sendRefund(t, refund.id);
  const other = await newRefund(t, {
    invoiceId: byHand.id,
    amountCents: 100,
    note: m.make('othernote'),
    address: t.customer.address,
  });
  await must('POST', `/refunds/${other.id}/cancel`);
  await t.finalize();

  const { body: exceptions } = await shop.call('GET', '/api/v2/exceptions?status=open');
  const surplus = exceptions.data.find(
    ({ paymentIntentId }: Fields) => paymentIntentId === paid.paymentIntentId,
  );
  await must('POST', `/exceptions/${surplus.id}/mark-returned`, { note: m.make('exception') });
  await must('POST', `/customers/${customer.id}/balance-adjustments`, {
    deltaCredits: 5,
    reason: m.make('adjusted'),
  });
  await must('POST', '/usage', {
    projectId,
    customerId: customer.id,
    metric: 'images',
    quantity: 3,
    idempotencyKey: m.make('usage'),
  });
  const visitor = await visit(service, shop, projectId, customer.id);
  await visitor.call('PATCH', '/me', { name: m.make('portalname') });
  await must('POST', '/portal-sessions', {
    projectId,
    customerId: customer.id,
    returnUrl: `https://shop.example/?who=${m.make('return')}`,
  });
  const numbers = [paid.invoiceId, byHand.id, latestInvoiceId];
  return { customerId: customer.id, paid, numbers };
}
