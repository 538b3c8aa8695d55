import { beforeAll, expect, test } from 'vitest';
import { createMailer } from '../../src/email/mailer.ts';
import { pruneEmails } from '../../src/email/prune-emails.ts';
import { sendDueEmails } from '../../src/email/send-due-emails.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { expectSound, newCustomer, newProject } from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type MailServer, startMailServer } from '../support/mail.ts';
import { newRefund, paidSession, sendRefund } from '../support/refund-journey.ts';

let t: TestChain;
let server: MailServer;
let projectId: string;

beforeAll(async () => {
  server = await startMailServer();
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
});

async function send() {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  const publicUrl = () => 'https://pay.example';
  await sendDueEmails({
    publicUrl,
    secrets: t.service.secrets,
    db: t.service.db,
    mailer,
    log: createLog('silent'),
  });
  return server.received
    .splice(0)
    .map(({ headers, ...mail }) => ({ ...mail, subject: headers.get('subject')! }));
}

/**
 * Creates a payment of a customer with these fields, such as a language; the e-mail with its receipt is sent already.
 */
async function paidBy(externalCustomerId: string, fields: Record<string, unknown>) {
  await newCustomer(t.shop, projectId, { externalCustomerId, ...fields });
  const session = await paidSession(t, projectId, { externalCustomerId, amountCents: 1250 });
  await send();
  return session;
}

const linkIn = (text: string) => /\/refunds\/refund_[0-9A-Za-z]{45}/.exec(text)?.[0];
const stored = async () =>
  JSON.stringify(
    await t.service.db.query(
      `select e::text, encode(sealed_link, 'escape') as link from emails e where kind like 'refund%'`,
    ),
  );
const sealedLinks = async () =>
  (await t.service.db.query('select from emails where sealed_link is not null')).length;
const claimEmailOf = async ({ id }: { id: string }) =>
  (await t.shop.call('GET', `/api/v2/refunds/${id}`)).body.claimEmailStatus;

test('a customer gets an e-mail that asks for an address, and one when the money has arrived; the link is deleted', async () => {
  t.service.db.queuesEmails = true;
  const { paymentIntentId } = await paidBy('ann', { email: 'ann@example.com', name: 'Ann' });
  const refund = await newRefund(t, { paymentIntentId });
  expect(refund.claimEmailStatus).toBe('queued');
  // Somebody who reads the table, or a dump of it, cannot open the page.
  expect(linkIn(await stored())).toBeUndefined();
  server.refuse(451);
  expect(await send()).toEqual([]);
  expect(await claimEmailOf(refund)).toBe('queued');
  await t.service.db.query('update emails set next_attempt_at = now() where next_attempt_at is not null');
  const [asked, ...none] = await send();
  expect([asked!.subject, asked!.to, none]).toEqual([
    `Shop: Where should your refund go? (${refund.number})`,
    ['ann@example.com'],
    [],
  ]);
  const path = linkIn(asked!.text)!;
  expect(asked!.html).toContain(path);
  expect(asked!.text).toContain('Amount: $12.50');
  expect(await sealedLinks()).toBe(0);
  expect(await claimEmailOf(refund)).toBe('sent');

  const claim = { address: t.customer.address };
  const url = `${t.service.url}/api/public${path}`;
  const headers = { 'content-type': 'application/json' };
  const claimed = await fetch(url, { method: 'POST', headers, body: JSON.stringify(claim) });
  expect(claimed.status).toBe(200);
  await t.shop.call('POST', `/api/v2/refunds/${refund.id}/approve-address`, claim);
  const sent = await sendRefund(t, refund.id);
  const [told, ...more] = await send();
  expect([told!.subject, more]).toEqual([`Shop: Your refund was sent (${refund.number})`, []]);
  for (const part of [sent.address, sent.txSignature, 'Credit note: CN-000001'])
    expect([told!.text, told!.html.includes(part.replace('Credit note: ', ''))]).toEqual([
      expect.stringContaining(part),
      true,
    ]);
  await t.finalize();
  expect(await send()).toEqual([]);
  await expectSound(t.service);
});

test.each([
  ['de-AT', 'Wohin soll Ihre Rückerstattung gehen?', 'Adresse angeben'],
  ['es', '¿Adónde enviamos su reembolso?', 'Indicar la dirección'],
  ['fr', 'Où envoyer votre remboursement\u00a0?', 'Indiquer l’adresse'],
  ['ar', 'إلى أين نرسل المبلغ المسترد؟', 'تحديد العنوان'],
])('in %s, where that is what the customer reads', async (language, subject, action) => {
  t.service.db.queuesEmails = true;
  const { paymentIntentId } = await paidBy(language, { email: 'x@example.com', language });
  await newRefund(t, { paymentIntentId });
  const [mail] = await send();
  expect(mail!.subject).toContain(subject);
  expect(mail!.text).toContain(action);
  expect(mail!.html.includes('dir="rtl"')).toBe(language === 'ar');
});

test('nobody is written to who has no address or must not be, or who needs not be asked', async () => {
  t.service.db.queuesEmails = true;
  const none = await paidBy('none', {});
  await newRefund(t, { paymentIntentId: none.paymentIntentId });
  const quiet = await paidBy('quiet', { email: 'quiet@example.com' });
  await newRefund(t, { paymentIntentId: quiet.paymentIntentId, notifyCustomer: false });
  const known = await paidBy('known', { email: 'known@example.com' });
  await newRefund(t, { paymentIntentId: known.paymentIntentId, address: t.customer.address });
  expect(await send()).toEqual([]);
  const links = await t.service.db.query(
    `select from refunds r join customers c on c.id = r.customer_id
      where c.external_customer_id in ('none', 'quiet', 'known') and claim_token_hash is not null`,
  );
  expect(links).toEqual([]);
});

test('an e-mail that could not be sent keeps no link either', async () => {
  t.service.db.queuesEmails = true;
  const { paymentIntentId } = await paidBy('late', { email: 'late@example.com' });
  const refund = await newRefund(t, { paymentIntentId });
  await t.service.db.query(
    `update emails set created_at = now() - interval '3 days' where next_attempt_at is not null`,
  );
  expect(await send()).toEqual([]);
  expect(await sealedLinks()).toBe(0);
  expect(await claimEmailOf(refund)).toBe('failed');
});

test('an e-mail with a link that a newer one has ended is not sent', async () => {
  t.service.db.queuesEmails = true;
  const { paymentIntentId } = await paidBy('newer', { email: 'newer@example.com' });
  const refund = await newRefund(t, { paymentIntentId });
  expect((await t.shop.call('POST', `/api/v2/refunds/${refund.id}/claim-link`)).status).toBe(201);
  expect(await send()).toEqual([]);
  expect(await sealedLinks()).toBe(0);
  expect(await claimEmailOf(refund)).toBe('failed');
});

test('whether the customer was asked is known for as long as the refund waits', async () => {
  t.service.db.queuesEmails = true;
  const { paymentIntentId } = await paidBy('pruned', { email: 'pruned@example.com' });
  const refund = await newRefund(t, { paymentIntentId });
  await send();
  await pruneEmails(t.service.db, new Date(Date.now() + 91 * DAY_MS));
  expect(await claimEmailOf(refund)).toBe('sent');
  await pruneEmails(t.service.db, new Date(Date.now() + 101 * DAY_MS));
  expect(await claimEmailOf(refund)).toBeNull();
});
