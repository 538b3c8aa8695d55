import { getBase58Decoder, signBytes } from '@solana/kit';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../../test/support/chain.ts';
import { png } from '../../test/support/images.ts';
import { newSetupToken } from '../../test/support/members.ts';
import { signedPayment } from '../../test/support/payments.ts';
import { signPrepared } from '../../test/support/refunds.ts';
import { pairedTill } from '../../test/support/till.ts';
import { createWallet } from '../../test/support/wallet.ts';
import { dispatchAll, eventually, startReceiver, startWorker } from '../../test/support/webhooks.ts';
import { Florin, type List } from '../src/florin.ts';
import { cookieClient } from './cookie-client.ts';
import { keepMembers, settleIn, signOff, usePasskeys } from './dashboard-days.ts';
import { methodNames, noting } from './noting.ts';

/** Every method against the real service, as someone would use it. The last test says which were forgotten. */
/** Passkeys are for a host with a name. */
const ORIGIN = 'http://localhost:4020';
let t: TestChain;
let florin: Florin;
const answered = new Set<string>();

beforeAll(async () => {
  t = await testChain({ PUBLIC_URL: ORIGIN });
  florin = client({ apiKey: t.shop.key });
});

function client(options: Partial<ConstructorParameters<typeof Florin>[0]>): Florin {
  return noting(new Florin({ baseUrl: t.service.url, ...options }), answered);
}

/** The first line of a CSV answer, and how many rows follow. */
async function csv(answer: Promise<Response>) {
  const response = await answer;
  expect(response.headers.get('content-type')).toContain('text/csv');
  const lines = (await response.text()).trim().split('\r\n');
  return { columns: lines[0]!.split(','), rows: lines.length - 1 };
}

async function idsOf(list: List<{ id: string }>): Promise<string[]> {
  return (await list.toArray({ limit: 100 })).map(({ id }) => id);
}

async function paid(session: { paymentIntentId: string }): Promise<void> {
  await florin.sandbox.pay({ paymentIntentId: session.paymentIntentId });
  await t.finalize();
}

const pdf = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes.subarray(0, 5));

test('merchant and API keys', async () => {
  await florin.merchant.updateWebhook({ webhookUrl: 'https://shop.example/hook' });
  await florin.merchant.removeWebhook();
  expect((await florin.merchant.retrieve()).webhookUrl).toBeNull();
  await florin.merchant.updateWebhook({ webhookUrl: 'https://shop.example/hook' });
  const payoutAddress = t.merchant.address;
  await florin.merchant.updatePayoutAddress({ payoutAddress });
  const { message } = await florin.merchant.createPayoutChallenge({ payoutAddress });
  const signed = await signBytes(t.merchant.signer.keyPair.privateKey, Buffer.from(message));
  const signature = getBase58Decoder().decode(signed);
  const { verifiedAt } = await florin.merchant.verifyPayoutAddress({ payoutAddress, signature });
  expect(await florin.merchant.retrievePayoutAddress()).toMatchObject({ payoutAddress, verifiedAt });
  await florin.merchant.updatePayoutDelay({ payoutChangeDelayHours: 24 });
  const waiting = await florin.merchant.updatePayoutDelay({ payoutChangeDelayHours: 0 });
  await florin.merchant.cancelPayoutChange(waiting.pendingDelayChange!.id);
  expect(await florin.merchant.retrievePayoutAddress()).toMatchObject({
    payoutChangeDelayHours: 24,
    pendingDelayChange: null,
  });
  expect(await florin.merchant.retrieve()).toMatchObject({
    webhookUrl: 'https://shop.example/hook',
    payoutAddress: t.merchant.address,
  });
  expect((await florin.merchant.generateWebhookSecret()).webhookSecret).toMatch(/^whsec_/);
  const scopes = ['payments:read'] as const;
  const made = await florin.apiKeys.generate({ name: 'till', scopes, expiresAt: new Date(2 ** 42) });
  expect(await florin.merchant.retrieve({ apiKey: made.rawApiKey })).toMatchObject({ webhookSecret: null });
  await florin.apiKeys.revoke(made.id);
  expect((await florin.apiKeys.list()).find(({ id }) => id === made.id)).toMatchObject({ name: 'till' });
  await expect(florin.merchant.retrieve({ apiKey: made.rawApiKey })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  });
});

test('terminals, intents and their payment', async () => {
  const terminal = await florin.terminals.create({ name: 'Till' });
  expect((await florin.terminals.update(terminal.id, { name: 'Till 1' })).name).toBe('Till 1');
  expect((await florin.terminals.list()).map(({ id }) => id)).toEqual([terminal.id]);

  const { id: projectId } = await florin.projects.create({ name: 'Counter' });
  const till = await florin.tills.create({ terminalId: terminal.id, projectId });
  expect(till.url).toContain(`/till#code=${till.code.replace('-', '')}`);
  expect(await florin.tills.list()).toEqual([]);
  await florin.tills.unpair(till.id);
  expect(await idsOf(florin.refundRequests.list())).toEqual([]);

  const much = await florin.intents.create({ amountCents: 2n ** 63n - 1n, orderId: 'much' });
  expect(much.expectedAmountCents).toBe(9223372036854775807n);
  expect((await florin.intents.cancel(much.id)).status).toBe('canceled');
  expect((await florin.intents.update(much.id, { metadata: { a: '1' } })).metadata).toEqual({ a: '1' });
  const intent = await florin.intents.create({ amountCents: 1250, orderId: 'o1', terminalId: terminal.id });
  expect(intent.expectedAmountCents).toBe(1250);
  expect(await idsOf(florin.intents.list({ limit: 1 }))).toEqual([intent.id, much.id]);
  expect(await idsOf(florin.intents.list({ status: ['canceled'], orderId: 'much' }))).toEqual([much.id]);
  expect((await csv(florin.intents.listCsv({ status: ['pending', 'canceled'] }))).rows).toBe(2);

  expect((await florin.publicIntents.retrieve(intent.id)).expectedAmountCents).toBe(1250);
  const { signature } = await florin.sandbox.pay({ paymentIntentId: intent.id });
  await florin.publicIntents.check(intent.id, { signature });
  await t.finalize();
  expect((await florin.intents.retrieve(intent.id)).status).toBe('succeeded');
  const { entries, transactions } = await florin.intents.history(intent.id);
  expect(entries.map(({ status }) => status)).toEqual(['pending', 'succeeded']);
  expect(transactions).toMatchObject([{ txSignature: signature, amountCents: 1250, isFinal: true }]);
  const { data } = await florin.search.find({ q: signature });
  expect(data).toMatchObject([{ type: 'payment_intent', id: intent.id, title: 'o1' }]);
  expect(await florin.merchant.stats()).toMatchObject({ totalVolumeCents: 1250, successfulTransactions: 1 });

  const byHand = await florin.intents.create({ amountCents: 300, orderId: 'o3' });
  expect((await florin.publicIntents.reserveAmount(byHand.id)).amount).toMatch(/^3\.00\d{1,4}$/);
  const account = t.customer.address;
  expect((await florin.publicIntents.createTransaction(byHand.id, { account })).feePayer).toBe(account);
  expect((await florin.sponsor.update({ sponsorFees: 'always' })).sponsorFees).toBe('always');
  expect((await florin.sponsor.retrieve()).address).toBe(t.sponsor.feePayer.address);
  const sent = await florin.publicIntents.send(byHand.id, { transaction: await signedPayment(t, byHand.id) });
  expect(sent.signature).toMatch(/^\w{64,88}$/);
  await t.finalize();
  expect((await florin.intents.retrieve(byHand.id)).status).toBe('succeeded');
});

test('exceptions', async () => {
  const intent = await florin.intents.create({ amountCents: 100, orderId: 'o2' });
  for (const _ of [1, 2]) {
    await florin.sandbox.pay({ paymentIntentId: intent.id, amountCents: 100n, outcome: 'no_reference' });
    await t.finalize();
  }
  const [second, first] = await idsOf(florin.exceptions.list({ status: ['open'] }));
  expect((await csv(florin.exceptions.listCsv())).rows).toBe(2);
  expect((await florin.exceptions.suggestions(first!)).suggestions).toMatchObject([
    { paymentIntentId: intent.id, reasons: ['same_amount'] },
  ]);
  const linked = await florin.exceptions.link(first!, { paymentIntentId: intent.id });
  expect(linked.status).toBe('linked');
  expect((await florin.exceptions.markReturned(second!)).status).toBe('returned');
  expect((await florin.exceptions.reopen(second!)).status).toBe('open');
  const project = await florin.projects.create({ name: 'For credit' });
  const customer = await florin.customers.create({ projectId: project.id, email: 'ann@shop.example' });
  expect((await florin.exceptions.credit(second!, { customerId: customer.id })).status).toBe('credited');
  await florin.exceptions.reopen(second!);
  expect((await florin.exceptions.keep(second!, { note: 'tip' })).status).toBe('kept');
});

test('refunds', async () => {
  const intent = await florin.intents.create({ amountCents: 400, orderId: 'r1' });
  await florin.sandbox.pay({ paymentIntentId: intent.id });
  await t.finalize();
  const ask = (more: object) =>
    florin.refunds.create({
      paymentIntentId: intent.id,
      reason: 'requested_by_customer',
      amountCents: 100,
      ...more,
    });
  const { address } = await createWallet(t.chain);
  const asked = await ask({});
  const { url } = await florin.refunds.createClaimLink(asked.id);
  const token = url.split('/').pop()!;
  expect(await florin.publicRefunds.retrieve(token)).toMatchObject({ amountCents: 100, address: null });
  expect((await florin.publicRefunds.claim(token, { address })).address).toBe(address);
  expect((await florin.refunds.approveAddress(asked.id, { address })).status).toBe('ready');
  const { signature } = await florin.sandbox.payRefund(asked.id);
  expect((await florin.refunds.check(asked.id)).status).toBe('ready');
  await t.finalize();
  expect(await florin.refunds.retrieve(asked.id)).toMatchObject({
    status: 'succeeded',
    txSignature: signature,
  });
  const ready = await ask({ address });
  await t.chain.mintTo(t.merchant.address, 10_000_000n);
  const { transaction } = await florin.refunds.prepare({ ids: [ready.id], payer: t.merchant.address });
  const sent = await florin.refunds.send({ transaction: await signPrepared(transaction, t.merchant) });
  expect(sent.refundIds).toEqual([ready.id]);
  expect((await florin.refunds.cancel((await ask({ address })).id)).status).toBe('canceled');
  expect((await idsOf(florin.refunds.list({ paymentIntentId: intent.id }))).length).toBe(3);
  expect((await csv(florin.refunds.listCsv())).rows).toBe(3);
  expect((await florin.refunds.update(ready.id, { metadata: { a: '1' } })).metadata).toEqual({ a: '1' });
});

test('projects, customers, products and prices', async () => {
  const project = await florin.projects.create({ name: 'Shop' });
  expect((await florin.projects.update(project.id, { monthlyVolumeLimitCents: 2n ** 60n })).id).toBe(
    project.id,
  );
  expect((await florin.projects.retrieve(project.id)).monthlyVolumeLimitCents).toBe(2n ** 60n);
  expect(await idsOf(florin.projects.list())).toContain(project.id);
  expect((await csv(florin.projects.listCsv())).columns).toContain('monthlyVolumeLimitCents');

  const logo = png();
  expect((await florin.projects.setLogo(project.id, logo)).logoUrl).toMatch(/\/brand\/logos\/\w{64}\.png$/);
  await florin.projects.removeLogo(project.id);
  expect((await florin.merchant.setLogo(new Blob([logo], { type: 'image/png' }))).logoUrl).toMatch(/\.png$/);
  await florin.merchant.removeLogo();
  expect((await florin.merchant.retrieveBrand()).logoUrl).toBeNull();

  const projectId = project.id;
  const customer = await florin.customers.create({ projectId, externalCustomerId: 'c1' });
  await florin.customers.update(customer.id, { name: 'Ada' });
  expect((await florin.customers.retrieve(customer.id)).name).toBe('Ada');
  await florin.creditTokens.revoke(customer.id);
  expect(await idsOf(florin.customers.list({ projectId, externalCustomerId: 'c1' }))).toEqual([customer.id]);
  expect((await csv(florin.customers.listCsv({ projectId }))).rows).toBe(1);
  const entry = await florin.customers.adjustBalance(customer.id, { deltaCredits: 5, reason: 'gift' });
  expect(await idsOf(florin.customers.listBalanceEntries(customer.id))).toEqual([entry.id]);
  expect((await csv(florin.customers.listBalanceEntriesCsv(customer.id))).rows).toBe(1);
  const leaving = await florin.customers.create({ projectId, name: 'Bea' });
  const twice = await florin.customers.create({ projectId, name: 'Bea B.' });
  expect((await florin.customers.merge(twice.id, { intoCustomerId: leaving.id })).mergedIntoCustomerId).toBe(
    leaving.id,
  );
  expect((await florin.customers.delete(leaving.id, { discardBalance: true })).customerId).toBe(leaving.id);
  expect((await florin.customers.retrieveErasure(leaving.id)).discardedCents).toBe(0);

  const product = await florin.products.create({ projectId, name: 'Course' });
  expect((await florin.products.setImage(product.id, png())).imagePath).toMatch(/\/\w{64}\.png$/);
  await florin.products.removeImage(product.id);
  expect((await florin.products.update(product.id, { description: 'Two days' })).description).toBe(
    'Two days',
  );
  expect((await florin.products.retrieve(product.id)).name).toBe('Course');
  expect(await idsOf(florin.products.list({ projectId, isActive: true }))).toEqual([product.id]);
  expect((await csv(florin.products.listCsv({ projectId }))).rows).toBe(1);
  const terms = { unitAmountCents: 4900, billingMode: 'one_time' } as const;
  const price = await florin.prices.create({ projectId, productId: product.id, ...terms });
  expect((await florin.prices.update(price.id, { name: 'Early' })).name).toBe('Early');
  expect((await florin.prices.retrieve(price.id)).unitAmountCents).toBe(4900);
  expect(await idsOf(florin.prices.list({ productId: product.id }))).toEqual([price.id]);
  expect((await csv(florin.prices.listCsv({ projectId }))).rows).toBe(1);
  const vat = await florin.taxRates.create({ projectId, name: 'VAT', percent: 19, country: 'DE' });
  expect((await florin.taxRates.update(vat.id, { isDefault: true })).isDefault).toBe(true);
  expect((await florin.taxRates.retrieve(vat.id)).percent).toBe(19);
  expect(await idsOf(florin.taxRates.list({ projectId }))).toEqual([vat.id]);
  expect((await csv(florin.taxRates.listCsv({ projectId }))).rows).toBe(1);
  const discount = await florin.discounts.create({ projectId, name: 'Summer', percentOff: 12.5 });
  expect((await florin.discounts.update(discount.id, { maxRedemptions: 10 })).maxRedemptions).toBe(10);
  expect((await florin.discounts.retrieve(discount.id)).percentOff).toBe(12.5);
  expect(await idsOf(florin.discounts.list({ projectId }))).toEqual([discount.id]);
  expect((await csv(florin.discounts.listCsv({ projectId }))).rows).toBe(1);
  const code = await florin.promotionCodes.create({ discountId: discount.id, code: 'Summer' });
  expect((await florin.promotionCodes.update(code.id, { isActive: false })).isActive).toBe(false);
  expect((await florin.promotionCodes.retrieve(code.id)).code).toBe('Summer');
  expect(await idsOf(florin.promotionCodes.list({ code: 'SUMMER' }))).toEqual([code.id]);
  expect((await csv(florin.promotionCodes.listCsv({ projectId }))).rows).toBe(1);
  await florin.projects.delete(project.id);
  expect(await idsOf(florin.projects.list())).not.toContain(project.id);
});

test('checkout sessions, invoices, payment links, usage and the overview', async () => {
  const seller = { legalName: 'Web Ltd', country: 'DE' };
  const projectId = (await florin.projects.create({ name: 'Web', seller })).id;
  const given = { projectId, mode: 'one_time', amountCents: 500 } as const;
  await florin.customers.create({ projectId, externalCustomerId: 'c1', name: 'Ada', country: 'DE' });
  const session = await florin.checkoutSessions.create({ ...given, externalCustomerId: 'c1' });
  await paid(session);
  const dropped = await florin.checkoutSessions.create(given);
  expect((await florin.checkoutSessions.cancel(dropped.id)).status).toBe('canceled');
  expect((await florin.checkoutSessions.retrieve(session.id)).paymentStatus).toBe('paid');
  const noted = { metadata: { tier: 'gold', region: 'eu' } };
  expect((await florin.checkoutSessions.update(session.id, noted)).metadata).toEqual(noted.metadata);
  await florin.invoices.update(session.invoiceId, noted);
  const changed = await florin.invoices.update(session.invoiceId, { metadata: { region: null } });
  expect(changed.metadata).toEqual({ tier: 'gold' });
  expect(await idsOf(florin.invoices.list({ projectId, metadata: 'tier:gold' }))).toEqual([
    session.invoiceId,
  ]);
  expect(await idsOf(florin.checkoutSessions.list({ projectId, limit: 1 }))).toEqual([
    dropped.id,
    session.id,
  ]);
  expect((await csv(florin.checkoutSessions.listCsv({ projectId }))).rows).toBe(2);
  expect((await florin.invoices.retrieve(session.invoiceId)).status).toBe('paid');
  expect(await idsOf(florin.invoices.list({ projectId, status: 'paid' }))).toEqual([session.invoiceId]);
  expect((await csv(florin.invoices.listCsv({ projectId }))).rows).toBe(2);
  expect(pdf(await florin.invoices.pdf(session.invoiceId))).toBe('%PDF-');
  expect(await florin.invoices.xml(session.invoiceId, { format: 'cii' })).toContain('CrossIndustryInvoice');
  const { noteId } = await writeCreditNote(session.invoiceId);
  expect(await florin.creditNotes.xml(noteId)).toContain('</CreditNote>');
  await writeInvoice(projectId, session.customerId!);

  const terms = { billingMode: 'one_time', unitAmountCents: 700 } as const;
  const { paymentLink, price } = await florin.paymentLinks.setUp({ projectId, productName: 'Tea', ...terms });
  const second = await florin.paymentLinks.create({
    projectId,
    priceId: price.id,
    expiresAt: new Date(2 ** 42),
  });
  await florin.paymentLinks.update(second.id, { status: 'inactive' });
  expect((await florin.paymentLinks.retrieve(second.id)).status).toBe('inactive');
  expect(await idsOf(florin.paymentLinks.list({ projectId }))).toEqual([second.id, paymentLink.id]);
  expect((await csv(florin.paymentLinks.listCsv({ projectId }))).rows).toBe(2);
  await florin.paymentLinks.delete(second.id);
  const paywall = await florin.paywalls.create({ projectId, priceId: price.id, description: 'Tea by x402' });
  expect(await florin.paywalls.retrieve(paywall.id)).toMatchObject({ url: paywall.url, settleAt: null });
  expect(await idsOf(florin.paywalls.list({ projectId }))).toEqual([paywall.id]);
  expect((await csv(florin.paywalls.listCsv({ projectId }))).rows).toBe(1);
  await florin.paywalls.delete(paywall.id);
  const token = `flc_${'A'.repeat(54)}`;
  expect(await florin.creditTokens.verify({ token })).toEqual({ isValid: false, customer: null });
  expect((await florin.x402.supported()).extensions).toEqual(['payment-identifier']);
  const nothing = { paymentPayload: {}, paymentRequirements: {} };
  expect(await florin.x402.verify(nothing)).toMatchObject({ isValid: false });
  expect(await florin.x402.settle(nothing)).toMatchObject({ success: false });
  const buyer = client({});
  expect((await buyer.publicLinks.retrieve(paymentLink.publicToken)).productName).toBe('Tea');
  const begun = await buyer.publicLinks.checkOut(paymentLink.publicToken, { clientReferenceId: 'cart-1' });
  expect((await florin.checkoutSessions.retrieve(begun.sessionId)).clientReferenceId).toBe('cart-1');

  const usage = { projectId, metric: 'calls', quantity: 2 };
  const record = await florin.usage.record({ ...usage, idempotencyKey: 'u1' });
  const batch = await florin.usage.recordBatch({
    records: [
      { ...usage, idempotencyKey: 'u1' },
      { ...usage, idempotencyKey: 'u2' },
    ],
  });
  expect(batch.results.map(({ record }) => record?.duplicate)).toEqual([true, false]);
  expect((await idsOf(florin.usage.listRecords({ projectId }))).at(-1)).toBe(record.id);
  expect((await csv(florin.usage.listRecordsCsv({ projectId }))).rows).toBe(2);
  expect((await florin.usage.listSummaries({ projectId, granularity: 'day' })).data[0]!.quantity).toBe(4);
  expect((await csv(florin.usage.listSummariesCsv({ projectId }))).rows).toBe(1);
  expect(await florin.billing.overview({ projectId })).toHaveProperty('subscriptions');
  expect(await florin.billing.revenue({ projectId, range: '7d' })).toHaveProperty('points.length', 7);
  const year = { projectId, from: new Date(0), to: new Date(2 ** 42) };
  expect((await florin.billing.taxReport(year)).rows).toMatchObject([{ country: null, taxCents: 0 }]);
  expect((await csv(florin.billing.taxReportCsv(year))).rows).toBe(1);
  const about = { customerId: (await florin.customers.create({ projectId, name: 'Noted' })).id };
  const note = await florin.notes.create({ ...about, text: 'Likes oat milk' });
  expect(await florin.notes.update(note.id, { text: 'Likes soy milk' })).toHaveProperty('isOwn', true);
  expect(await idsOf(florin.notes.list(about))).toEqual([note.id]);
  await florin.notes.delete(note.id);
  const ofMonth = { projectId, month: new Date().toISOString().slice(0, 7) };
  expect(await florin.accounting.monthlyReport(ofMonth)).toHaveProperty('accounts');
  expect((await csv(florin.accounting.monthlyReportCsv(ofMonth))).columns).toContain('figure');
  expect(pdf(await florin.accounting.monthlyReportPdf(ofMonth))).toBe('%PDF-');
  expect((await csv(florin.accounting.generalLedger(year))).columns).toContain('debit');
  expect(await florin.accounting.bankStatement(year)).toContain('<OFX>');
});

test('subscriptions, and the customer’s portal by cookie', async () => {
  const projectId = (await florin.projects.create({ name: 'Plans' })).id;
  const product = await florin.products.create({ projectId, name: 'Plan' });
  const plan = (unitAmountCents: number) =>
    florin.prices.create({
      projectId,
      productId: product.id,
      unitAmountCents,
      billingMode: 'subscription',
      recurringInterval: 'month',
    });
  const [small, large] = [await plan(1000), await plan(3000)];
  const subscribe = async (externalCustomerId: string) => {
    const session = await florin.checkoutSessions.create({
      projectId,
      mode: 'subscription',
      priceId: small.id,
      externalCustomerId,
    });
    await paid(session);
    return florin.subscriptions.retrieve(session.subscriptionId!);
  };
  const first = await subscribe('c1');
  expect(await idsOf(florin.subscriptions.list({ projectId, status: ['active'] }))).toEqual([first.id]);
  expect((await csv(florin.subscriptions.listCsv({ projectId }))).rows).toBe(1);
  const preview = await florin.subscriptions.previewChange(first.id, { priceId: large.id });
  const { previewToken } = preview;
  const changed = await florin.subscriptions.update(first.id, { priceId: large.id, previewToken });
  expect(changed.pendingChange?.amountDueCents).toBe(preview.amountDueCents);
  await florin.subscriptions.withdrawChange(first.id);
  expect((await florin.subscriptions.retrieve(first.id)).pendingChange).toBeNull();
  expect((await florin.subscriptions.cancel(first.id, { atPeriodEnd: false })).status).toBe('canceled');

  const second = await subscribe('c2');
  const visitor = await enter(projectId, second.customerId);
  const { portal } = visitor;
  expect((await portal.retrieveVisit()).customer.id).toBe(second.customerId);
  expect((await portal.updateCustomer({ name: 'Bea' })).name).toBe('Bea');
  expect((await portal.withdrawEmail()).pendingEmail).toBeNull();
  t.service.db.queuesEmails = true;
  await portal.updateCustomer({ email: 'bea@example.com' });
  t.service.db.queuesEmails = false;
  const [mail] = await t.service.db.query<{ link: Buffer }>(
    'select sealed_link as link from emails where sealed_link is not null',
  );
  const token = t.service.secrets.open(mail!.link).split('/').pop()!;
  expect((await portal.confirmEmail({ token })).email).toBe('bea@example.com');
  expect((await portal.retrieveSubscription(second.id)).id).toBe(second.id);
  expect(await idsOf(portal.listSubscriptions())).toEqual([second.id]);
  expect((await csv(portal.listSubscriptionsCsv())).rows).toBe(1);
  expect((await portal.listPlans(second.id)).data.map(({ priceId }) => priceId)).toContain(large.id);
  const choice = { priceId: large.id };
  const shown = await portal.previewChange(second.id, choice);
  await portal.changePlan(second.id, { ...choice, previewToken: shown.previewToken });
  expect((await portal.withdrawChange(second.id)).pendingChange).toBeNull();
  expect((await portal.cancelSubscription(second.id)).cancelAtPeriodEnd).toBe(true);
  expect((await portal.resumeSubscription(second.id)).cancelAtPeriodEnd).toBe(false);
  expect((await portal.renewSubscription(second.id)).checkoutUrl).toMatch(/^http/);
  const [invoiceId] = await idsOf(portal.listInvoices({ status: ['paid'] }));
  expect((await portal.retrieveInvoice(invoiceId!)).status).toBe('paid');
  expect(pdf(await portal.invoicePdf(invoiceId!))).toBe('%PDF-');
  expect((await csv(portal.listInvoicesCsv())).rows).toBeGreaterThan(0);
  const { refundId, noteId } = await writeCreditNote(invoiceId!);
  expect(await idsOf(portal.listRefunds({ invoiceId: invoiceId! }))).toEqual([refundId]);
  expect((await csv(portal.listRefundsCsv())).rows).toBe(1);
  expect((await portal.retrieveRefund(refundId)).creditNoteId).toBe(noteId);
  expect(pdf(await portal.creditNotePdf(noteId))).toBe('%PDF-');
  expect((await portal.listBalanceEntries()).data).toEqual([]);
  expect((await csv(portal.listBalanceEntriesCsv())).rows).toBe(0);
  expect((await portal.listUsage()).data).toEqual([]);
  expect((await csv(portal.listUsageCsv())).rows).toBe(0);
  await portal.leave();
  await expect(portal.retrieveVisit()).rejects.toMatchObject({ code: 'PORTAL_SESSION_REQUIRED' });
});

test('underpaid payments', async () => {
  const project = await florin.projects.create({ name: 'Less' });
  t.service.db.queuesEmails = true;
  for (const kind of ['intents', 'invoices'] as const) {
    const session = await florin.checkoutSessions.create({
      ...{ projectId: project.id, mode: 'one_time', amountCents: 1000 },
      ...{ customerEmail: 'ann@shop.example', customerName: 'Ann' },
    });
    await florin.sandbox.pay({ paymentIntentId: session.paymentIntentId, amountCents: 800 });
    await t.finalize();
    const id = kind === 'intents' ? session.paymentIntentId : session.invoiceId;
    expect((await florin[kind].remind(id)).id).toBe(id);
    expect((await florin[kind].accept(id)).waivedCents).toBe(200);
  }
  t.service.db.queuesEmails = false;
});

async function writeInvoice(projectId: string, customerId: string) {
  const lineItems = [{ name: 'Work', unitAmountCents: 100, quantity: 3 }];
  const given = { projectId, customerId, lineItems };
  const draft = await florin.invoices.create({ ...given, netDays: 14 });
  expect((await florin.invoices.update(draft.id, { memo: 'Thanks' })).memo).toBe('Thanks');
  expect(await florin.invoices.open(draft.id)).toMatchObject({ status: 'open', totalCents: 300 });
  await florin.customers.update(customerId, { email: 'ann@example.com' });
  t.service.db.queuesEmails = true;
  expect((await florin.invoices.send(draft.id)).sentAt).not.toBe(null);
  t.service.db.queuesEmails = false;
  expect((await florin.invoices.void(draft.id)).status).toBe('void');
  const { id } = await florin.invoices.create(given);
  await florin.invoices.delete(id);
  await expect(florin.invoices.retrieve(id)).rejects.toMatchObject({ status: 404 });
}

async function writeCreditNote(invoiceId: string) {
  const { address } = t.customer;
  const { id: refundId } = await florin.refunds.create({ invoiceId, reason: 'duplicate', address });
  await florin.sandbox.payRefund(refundId);
  await t.finalize();
  const [noteId] = await idsOf(florin.creditNotes.list({ invoiceId }));
  expect((await florin.creditNotes.retrieve(noteId!)).refundId).toBe(refundId);
  expect((await csv(florin.creditNotes.listCsv({ refundId }))).rows).toBe(1);
  expect(pdf(await florin.creditNotes.pdf(noteId!))).toBe('%PDF-');
  return { refundId, noteId: noteId! };
}

async function enter(projectId: string, customerId: string): Promise<Florin> {
  const { url } = await florin.portalSessions.create({ projectId, customerId });
  const visitor = cookieClient(client);
  visitor.csrfToken = (await visitor.florin.portal.enter({ token: url.split('/').pop()! })).csrfToken;
  return visitor.florin;
}

test('the merchant’s dashboard by cookie: signing in, passkeys, members', async () => {
  const token = await newSetupToken(t.service, t.shop.id);
  const email = 'olive@shop.example';
  const owner = await settleIn(client, token, email);
  await usePasskeys(client, owner, ORIGIN);
  await keepMembers(client, owner);
  await signOff(client, owner, email);
});

test('notifications: added, tested, and deleted; the channel stays secret', async () => {
  const receiver = await startReceiver();
  const made = await florin.notifications.create({ kind: 'slack', url: `${receiver.url}/services/T/B/x` });
  expect(await florin.notifications.retrieve(made.id)).toEqual(made);
  expect(await idsOf(florin.notifications.list())).toContain(made.id);
  expect((await csv(florin.notifications.listCsv())).rows).toBeGreaterThan(0);
  expect((await florin.notifications.update(made.id, { name: 'Sales' })).name).toBe('Sales');
  expect((await florin.notifications.test(made.id)).eventId).toMatch(/^[0-9a-f-]{36}$/);
  await florin.notifications.delete(made.id);
  expect(await idsOf(florin.notifications.list())).not.toContain(made.id);
});

test('webhook endpoints: several, each with its own secret', async () => {
  const receiver = await startReceiver();
  const { webhookSecret, ...made } = await florin.webhookEndpoints.create({
    url: receiver.url,
    name: 'Books',
    eventTypes: ['invoice.paid'],
  });
  expect(await florin.webhookEndpoints.retrieve(made.id)).toEqual(made);
  expect(await idsOf(florin.webhookEndpoints.list())).toContain(made.id);
  expect((await csv(florin.webhookEndpoints.listCsv())).rows).toBeGreaterThan(0);
  expect((await florin.webhookEndpoints.update(made.id, { name: null })).name).toBeNull();
  expect((await florin.webhookEndpoints.generateSecret(made.id)).webhookSecret).not.toBe(webhookSecret);
  expect((await florin.webhookEndpoints.test(made.id)).eventId).toMatch(/^[0-9a-f-]{36}$/);
  await florin.webhookEndpoints.delete(made.id);
  expect(await idsOf(florin.webhookEndpoints.list())).not.toContain(made.id);
});

test('a webhook from the service is believed, and its delivery can be seen and sent again', async () => {
  const receiver = await startReceiver();
  await florin.merchant.updateWebhook({ webhookUrl: receiver.url });
  const { webhookSecret } = await florin.merchant.retrieve();
  const { eventId } = await florin.sandbox.sendEvent({ event: 'checkout.session.completed' });
  await dispatchAll(t.service.db);
  startWorker(t.service);
  const one = await eventually(() => receiver.received.find(({ body }) => body.includes(eventId)));
  const signature = one.headers['x-service-signature'];
  const event = await florin.webhooks.constructEvent(one.body, signature, webhookSecret!);
  expect([event.id, event.event]).toEqual([eventId, 'checkout.session.completed']);
  if (event.event === 'checkout.session.completed') {
    expect(event.data.checkoutSession.checkoutUrl).toMatch(/^http/);
  }

  const deliveries = florin.webhookDeliveries.list({ event: 'checkout.session.completed' });
  const [deliveryId] = await idsOf(deliveries);
  expect((await florin.webhookDeliveries.retrieve(deliveryId!)).event).toBe('checkout.session.completed');
  expect((await csv(florin.webhookDeliveries.listCsv())).rows).toBeGreaterThan(0);
  await florin.webhookDeliveries.resend(deliveryId!);
  await expect
    .poll(async () => (await idsOf(florin.requestLogs.list({ limit: 1 }))).length)
    .toBeGreaterThan(0);
  const [requestId] = await idsOf(florin.requestLogs.list({ method: 'POST' }));
  expect((await florin.requestLogs.retrieve(requestId!)).method).toBe('POST');

  const followed: unknown[] = [];
  for await (const each of florin.events.list({ after: 'earliest', limit: 2 })) followed.push(each.id);
  expect(followed.at(-1)).toBe(eventId);
  const listed: unknown[] = [];
  for await (const each of florin.events.list({ limit: 2 })) listed.push(each.id);
  expect(listed.toSorted()).toEqual(followed.toSorted());
  expect(listed).toEqual(listed.toSorted().toReversed());
  const [newest] = await idsOf(florin.events.list({ event: 'checkout.session.completed', limit: 1 }));
  expect(newest).toBe(eventId);
});

test('refunds that staff request at a till', async () => {
  const till = await pairedTill(t.service, t.shop);
  const { body: sale } = await till.call('POST', '/sales', { amountCents: 300 });
  await florin.sandbox.pay({ paymentIntentId: sale.id });
  await t.finalize();
  const request = async () => {
    await till.call('POST', `/sales/${sale.id}/refund-request`, {});
    return (await idsOf(florin.refundRequests.list({ status: 'open' })))[0]!;
  };
  expect((await florin.refundRequests.decline(await request())).status).toBe('declined');
  const { refundId } = await florin.refundRequests.approve(await request());
  expect((await florin.refunds.retrieve(refundId!)).amountCents).toBe(300);
});

test('the sandbox’s clock, its reset, health and metrics', async () => {
  const before = await florin.sandbox.clock();
  const after = await florin.sandbox.moveClock({ advanceSeconds: 60 });
  expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(60_000);
  expect(await florin.health.live()).toEqual({ status: 'ok' });
  expect(await florin.health.ready()).toEqual({ status: 'ok' });
  expect(await florin.health.metrics()).toContain('florin_uptime_seconds');
  const { id: confirmMerchantId } = await florin.merchant.retrieve();
  const { deleted } = await florin.sandbox.reset({ confirmMerchantId });
  expect(deleted.events).toBeGreaterThan(0);
  expect((await florin.events.list()).data).toEqual([]);
});

test('no method was left out', () => {
  expect(methodNames(florin).filter((name) => !answered.has(name))).toEqual([]);
  expect(answered.size).toBeGreaterThan(100);
});
