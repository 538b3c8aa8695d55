import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createMailer } from '../src/email/mailer.ts';
import { sendDueEmails } from '../src/email/send-due-emails.ts';
import { createLog } from '../src/platform/lib/log.ts';
import {
  expectSound,
  newCustomer,
  newLink,
  newSession,
  readCustomer,
  readSession,
  readSubscription,
} from './support/billing.ts';
import { type MailServer, startMailServer } from './support/mail.ts';
import { call } from './support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from './support/subscriptions.ts';

/** Trials from public links begin in the mailbox of the address if e-mails can be sent. */

let w: SubscriptionWorld;
let mail: MailServer;
let link: string;
let priceId: string;

beforeAll(async () => {
  mail = await startMailServer();
  w = await subscriptionWorld();
  w.service.db.queuesEmails = true;
});

beforeEach(async () => {
  const made = await newLink(w.shop, w.projectId, {
    billingMode: 'subscription',
    recurringInterval: 'month',
    unitAmountCents: 1_000,
    trialDays: 14,
  });
  link = made.paymentLink.publicToken;
  priceId = made.paymentLink.priceId;
  await deliver();
  mail.received.length = 0;
});

async function deliver() {
  const mailer = createMailer(mail.settings, { name: '', address: 'billing@florin.example' });
  const { db, secrets } = w.service;
  await sendDueEmails({ db, secrets, mailer, log: createLog('silent'), publicUrl: () => w.service.url });
  return mail.received.splice(0);
}

async function start(customerEmail: string) {
  const url = `${w.service.url}/api/v2/payment-links/${link}/checkout`;
  const { status, body } = await call(url, 'POST', { customerEmail });
  expect(status).toBe(201);
  return readSession(w.shop, body.sessionId);
}

const LINK = /\/checkout\/cs_[0-9A-Za-z]+\/start\/trial_[0-9a-f]{64}/;
const startUrl = (text: string) => w.service.url + LINK.exec(text)![0];
const pageOf = (session: { checkoutUrl: string }) => w.service.url + new URL(session.checkoutUrl).pathname;
const open = (url: string) => fetch(url, { method: 'POST', redirect: 'manual' });

test('the trial begins when the mailed link is opened, once, for a customer whose mailbox is proven', async () => {
  const session = await start('Ann@example.com');
  expect(session).toMatchObject({ status: 'open', amountCents: 0, trialDays: 14, customerId: null });
  const [mailed, ...none] = await deliver();
  expect([mailed!.to, none]).toEqual([['Ann@example.com'], []]);
  const page = await (await fetch(pageOf(session))).text();
  expect(page).toContain('Ann@example.com');
  expect(page).not.toContain('trial_');
  const url = startUrl(mailed!.text);
  // A program that scans mail opens it; that begins nothing.
  expect((await fetch(url)).status).toBe(200);
  expect((await readSession(w.shop, session.id)).status).toBe('open');
  const opened = await Promise.all([open(url), open(url), open(url)]);
  expect(opened.map(({ status }) => status)).toEqual([303, 303, 303]);
  const begun = await readSession(w.shop, session.id);
  expect(begun).toMatchObject({ status: 'complete', trialDays: 14 });
  expect((await readSubscription(w.shop, begun.subscriptionId)).status).toBe('trialing');
  const customers = await w.service.db.query<{ source: string }>(
    'select email_source as source from customers where id = $1',
    [begun.customerId],
  );
  expect(customers).toEqual([{ source: 'mailbox' }]);
  expect(w.service.log.join('')).not.toContain(LINK.exec(mailed!.text)![0].split('/').at(-1));
  await expectSound(w.service);
});

test('a stranger who types an address begins, uses up and blocks nothing of its owner', async () => {
  const victim = await newCustomer(w.shop, w.projectId, { email: 'bea@example.com' });
  for (let i = 0; i < 3; i++) await start('bea@example.com');
  const forged = `${pageOf(await start('bea@example.com'))}/start/trial_${'0'.repeat(64)}`;
  expect([(await fetch(forged)).status, (await open(forged)).status]).toEqual([404, 404]);
  const own = await newSession(w.shop, w.projectId, {
    mode: 'subscription',
    priceId,
    customerId: victim.id,
    amountCents: undefined,
  });
  expect(own).toMatchObject({ status: 'complete', trialDays: 14 });
  expect((await readCustomer(w.shop, victim.id)).accountCreditCents).toBe(0);
});

test('nor do codes or cents begin it, and what a cent buys is nobody’s whose address it is', async () => {
  const session = await start('cy@example.com');
  const form = new URLSearchParams({ code: 'NONE' });
  await fetch(`${pageOf(session)}/promotion-code`, { method: 'POST', body: form, redirect: 'manual' });
  await fetch(`${pageOf(session)}/tip`, {
    method: 'POST',
    body: new URLSearchParams({ tip: '0' }),
    redirect: 'manual',
  });
  expect((await readSession(w.shop, session.id)).status).toBe('open');
  await w.payInvoice(session.invoiceId, 1);
  const [mailed] = await deliver();
  await open(startUrl(mailed!.text));
  const second = await start('cy@example.com');
  const [again] = (await deliver()).filter(({ text }) => LINK.test(text));
  await open(startUrl(again!.text));
  expect(await readSession(w.shop, second.id)).toMatchObject({ status: 'complete', trialDays: 14 });
  await expectSound(w.service);
});

test('a mailbox that has had its trial is led to a checkout that costs what the plan does', async () => {
  const first = await start('di@example.com');
  const [mailed] = await deliver();
  await open(startUrl(mailed!.text));
  expect((await readSession(w.shop, first.id)).status).toBe('complete');
  const second = await start('DI@example.com');
  const [again] = (await deliver()).filter(({ text }) => LINK.test(text));
  const answer = await open(startUrl(again!.text));
  expect((await readSession(w.shop, second.id)).status).toBe('canceled');
  const paid = await fetch(w.service.url + answer.headers.get('location')!);
  expect(await paid.text()).toContain('$10.00');
});

test('five e-mails to one address in a day; an expired link begins nothing', async () => {
  const sessions = [];
  for (let i = 0; i < 8; i++) sessions.push(await start('fay@example.com'));
  const mails = await deliver();
  expect(mails).toHaveLength(5);
  await w.moveTo(days(w.service.clock.now(), 2));
  await open(startUrl(mails[0]!.text));
  for (const { id } of sessions) expect((await readSession(w.shop, id)).status).toBe('expired');
  await expectSound(w.service);
});
