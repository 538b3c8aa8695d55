import { beforeAll, expect, test } from 'vitest';
import { createMailer } from '../../src/email/mailer.ts';
import { sendDueEmails } from '../../src/email/send-due-emails.ts';
import { DAY_MS } from '../../src/platform/lib/clock.ts';
import { formatMoment } from '../../src/platform/lib/format.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import {
  expectSound,
  moveTo,
  newCustomer,
  newPlan,
  newProject,
  newSession,
  paySession,
  readInvoice,
  readSubscription,
  sessionOfInvoice,
  subscribe,
} from '../support/billing.ts';
import { type TestChain, testChain } from '../support/chain.ts';
import { type MailServer, startMailServer } from '../support/mail.ts';

let t: TestChain;
let server: MailServer;
let projectId: string;
let planId: string;

beforeAll(async () => {
  server = await startMailServer();
  t = await testChain();
  projectId = (await newProject(t.shop)).id;
  planId = (await newPlan(t.shop, projectId)).id;
});

const days = (date: string, count: number) => new Date(new Date(date).getTime() + count * DAY_MS);

/** Returns the e-mails that reached the customer since the last call, after everything that is due was sent. */
async function mailTo(address: string) {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  await sendDueEmails({
    publicUrl: () => 'https://pay.example',
    secrets: t.service.secrets,
    db: t.service.db,
    mailer,
    log: createLog('silent'),
  });
  const mails = server.received.splice(0).filter(({ to }) => to.includes(address));
  return mails.map(({ headers, text }) => ({ subject: headers.get('subject')!, text }));
}

test('a subscription’s life in e-mails: receipt, renewal, reminders, overdue, the end, and back again', async () => {
  t.service.db.queuesEmails = true;
  const email = 'ann@example.com';
  await newCustomer(t.shop, projectId, { externalCustomerId: 'ann', email, name: 'Ann' });
  const sub = await subscribe(t, projectId, planId, 'ann');
  const first = await readInvoice(t.shop, sub.latestInvoiceId);
  const [receipt, ...none] = await mailTo(email);
  expect([receipt!.subject, none]).toEqual([`Shop: Your receipt for ${first.number}`, []]);
  expect(receipt!.text).toContain(`Solana transaction: ${first.txSignature}`);
  expect(receipt!.text).toContain('Total (USDC): $10.00');
  expect(receipt!.text).toContain('Coffee');

  const end = sub.currentPeriodEnd;
  await moveTo(t, days(end, -6));
  const asked = await readSubscription(t.shop, sub.id);
  const { number } = await readInvoice(t.shop, asked.latestInvoiceId);
  const renewal = await mailTo(email);
  expect(renewal.map(({ subject }) => subject)).toEqual([`Shop: Your renewal is ready to pay (${number})`]);
  expect(renewal[0]!.text).toContain(asked.renewalCheckoutUrl);
  expect(renewal[0]!.text).toContain(`Please pay $10.00 by ${formatMoment(new Date(end), 'en')}`);

  await moveTo(t, days(end, -0.5));
  const reminders = await mailTo(email);
  expect(reminders.map(({ subject }) => subject)).toEqual(
    Array(2).fill(`Shop: Reminder: your renewal is due soon (${number})`),
  );

  await moveTo(t, days(end, 1));
  const [overdue, ...more] = await mailTo(email);
  expect([overdue!.subject, more]).toEqual([`Shop: Your payment is overdue (${number})`, []]);
  const graceEnds = formatMoment(new Date(asked.graceEndsAt), 'en');
  expect(overdue!.text).toContain(`You keep your access until ${graceEnds}`);

  await moveTo(t, days(asked.graceEndsAt, 1));
  expect((await readSubscription(t.shop, sub.id)).cancelReason).toBe('payment_overdue');
  const ended = await mailTo(email);
  expect(ended.map(({ subject }) => subject)).toEqual([`Shop: Your subscription has ended (${number})`]);
  expect(ended[0]!.text).toContain(asked.renewalCheckoutUrl);

  await paySession(t, await sessionOfInvoice(t.shop, asked.latestInvoiceId));
  await t.finalize();
  const back = await mailTo(email);
  expect(back.map(({ subject }) => subject)).toEqual([`Shop: Your receipt for ${number}`]);
  await expectSound(t.service);
});

test('a trial in e-mails: started, ending with where to pay, and reminders; paid, there is a receipt', async () => {
  t.service.db.queuesEmails = true;
  const email = 'tess@example.com';
  await newCustomer(t.shop, projectId, { externalCustomerId: 'tess', email });
  const buyer = { mode: 'subscription', priceId: planId, externalCustomerId: 'tess', trialDays: 14 };
  const { subscriptionId } = await newSession(t.shop, projectId, buyer);
  const { trialEndsAt: end } = await readSubscription(t.shop, subscriptionId);
  const ends = formatMoment(new Date(end), 'en');
  const [started, ...none] = await mailTo(email);
  expect([started!.subject, none]).toEqual(['Shop: Your free trial has started', []]);
  expect(started!.text).toContain(`You don’t pay anything until ${ends}.`);

  await moveTo(t, days(end, -3.2));
  const asked = await readSubscription(t.shop, subscriptionId);
  const { number } = await readInvoice(t.shop, asked.latestInvoiceId);
  const [ending, ...more] = await mailTo(email);
  expect([ending!.subject, more]).toEqual([`Shop: Your free trial ends soon (${number})`, []]);
  expect(ending!.text).toContain(asked.renewalCheckoutUrl);
  expect(ending!.text).toContain(`ends on ${ends}. To keep your subscription, please pay $10.00`);

  await moveTo(t, days(end, -0.5));
  const reminders = (await mailTo(email)).map(({ subject }) => subject);
  expect(reminders).toEqual(Array(2).fill(`Shop: Reminder: your free trial ends soon (${number})`));

  await paySession(t, await sessionOfInvoice(t.shop, asked.latestInvoiceId));
  await t.finalize();
  expect((await mailTo(email)).map(({ subject }) => subject)).toEqual([`Shop: Your receipt for ${number}`]);
  await expectSound(t.service);
});

test('a renewal that account credit pays: a receipt, and nothing to pay', async () => {
  t.service.db.queuesEmails = true;
  const email = 'rich@example.com';
  const customer = await newCustomer(t.shop, projectId, { externalCustomerId: 'rich', email });
  const sub = await subscribe(t, projectId, planId, 'rich');
  await mailTo(email);
  await t.shop.call('POST', `/api/v2/customers/${customer.id}/balance-adjustments`, {
    deltaCents: 5000,
    reason: 'gift',
  });
  await moveTo(t, days(sub.currentPeriodEnd, -1));
  const [receipt, ...none] = await mailTo(email);
  expect([receipt!.subject, none]).toEqual([expect.stringMatching(/^Shop: Your receipt for INV-/), []]);
  expect(receipt!.text).toContain('Credit applied: -$10.00');
  expect(receipt!.text).toContain('Total (USDC): $0.00');
  expect(receipt!.text).not.toContain('Solana transaction');
});

test('one cancels by themselves: the end is confirmed, and nothing is said of non-payment; nor of an unpaid first session', async () => {
  t.service.db.queuesEmails = true;
  const email = 'gone@example.com';
  await newCustomer(t.shop, projectId, { externalCustomerId: 'gone', email });
  const sub = await subscribe(t, projectId, planId, 'gone');
  const dropped = await newSession(t.shop, projectId, {
    mode: 'subscription',
    priceId: planId,
    externalCustomerId: 'gone',
  });
  await mailTo(email);
  await t.shop.call('POST', `/api/v2/subscriptions/${sub.id}/cancel`, { atPeriodEnd: false });
  await moveTo(t, days(dropped.expiresAt, 1));
  expect((await readSubscription(t.shop, dropped.subscriptionId)).status).toBe('incomplete_expired');
  const subjects = (await mailTo(email)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Shop: Your subscription has ended']);
});

test('without a mail server nothing is written', async () => {
  t.service.db.queuesEmails = false;
  await t.service.db.query('delete from emails');
  await newCustomer(t.shop, projectId, { externalCustomerId: 'off', email: 'off@example.com' });
  const sub = await subscribe(t, projectId, planId, 'off');
  await moveTo(t, days(sub.currentPeriodEnd, 30));
  expect((await readSubscription(t.shop, sub.id)).status).toBe('canceled');
  expect(await t.service.db.query('select from emails')).toEqual([]);
});
