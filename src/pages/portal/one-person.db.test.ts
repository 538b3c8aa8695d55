import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer, newProject, newSession } from '../../../test/support/billing.ts';
import { type MailServer, startMailServer } from '../../../test/support/mail.ts';
import { logIn, visit } from '../../../test/support/portal.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { createLog } from '../../platform/lib/log.ts';
import { sendSignInLinks } from './send-sign-in-links.ts';

let service: TestService;
let shop: TestMerchant;
let server: MailServer;
let projectId: string;

const ADA = 'ada@example.com';

beforeAll(async () => {
  server = await startMailServer();
  service = await testService();
  service.db.queuesEmails = true;
  shop = await service.createMerchant('Corner Shop');
});

beforeEach(async () => {
  projectId = (await newProject(shop, { settings: { portalSignIn: true } })).id;
  server.received.length = 0;
});

const parts = () => ({ db: service.db, secrets: service.secrets, publicUrl: () => service.url });

async function deliver() {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  await sendSignInLinks(parts(), service.clock.now());
  await sendDueEmails({ ...parts(), mailer, log: createLog('silent') });
  return server.received.splice(0);
}

/** A visit opened by a link that was mailed to the address. */
async function signIn(email: string) {
  const body = new URLSearchParams({ email });
  await fetch(`${service.url}/portal/sign-in/${projectId}`, { method: 'POST', body, redirect: 'manual' });
  const [mail] = await deliver();
  const login = await logIn(service, /\/portal\/(portal_[0-9A-Za-z]{45})/.exec(mail!.text)![1]!);
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  const headers = { cookie, 'x-csrf-token': login.body.csrfToken };
  return {
    login,
    call: (method: string, path: string, body?: unknown) =>
      call(`${service.url}/api/portal${path}`, method, body, headers),
  };
}

/** Enters an address in the portal and opens the link that is mailed to it. */
async function changeAddress(visitor: Awaited<ReturnType<typeof signIn>>, email: string) {
  expect((await visitor.call('PATCH', '/me', { email })).status).toBe(200);
  const mail = (await deliver()).find(({ to }) => to.includes(email))!;
  const token = /\/portal\/email\/(portal_[0-9A-Za-z]{45})/.exec(mail.text)![1]!;
  expect((await call(`${service.url}/api/portal/confirm-email`, 'POST', { token })).status).toBe(200);
}

const addressOf = async (id: string) => (await shop.call('GET', `/api/v2/customers/${id}`)).body.email;

const buy = (fields: object) =>
  newSession(shop, projectId, { mode: 'one_time', amountCents: 500, ...fields });
const idsOf = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);
const sourceOf = async (id: string) =>
  (
    await service.db.query<{ source: string }>('select email_source as source from customers where id = $1', [
      id,
    ])
  )[0]!.source;
const type = (id: string) =>
  service.db.query(`update customers set email_source = 'typed' where id = $1`, [id]);

test('seven checkouts with one address are one person in the portal', async () => {
  const sessions = [];
  for (let i = 0; i < 7; i++)
    sessions.push(await buy({ customerEmail: i % 2 ? ADA : 'Ada@Example.com', customerName: `Ada ${i}` }));
  expect(new Set(sessions.map(({ customerId }) => customerId)).size).toBe(7);
  await shop.call('POST', `/api/v2/customers/${sessions[3].customerId}/balance-adjustments`, {
    deltaCents: 300,
    reason: 'gift',
  });
  const other = await buy({ customerEmail: 'bob@example.com' });
  const elsewhere = (await newProject(shop, {})).id;
  const foreign = await newSession(shop, elsewhere, {
    mode: 'one_time',
    amountCents: 500,
    customerEmail: ADA,
  });
  const wallet = await newCustomer(shop, projectId, {
    email: ADA,
    externalCustomerId: `solana:${'9'.repeat(32)}`,
  });

  const ada = await signIn(ADA);
  const invoices = idsOf(await ada.call('GET', '/invoices'));
  expect(invoices.sort()).toEqual(sessions.map(({ invoiceId }) => invoiceId).sort());
  for (const { invoiceId } of sessions) {
    expect((await ada.call('GET', `/invoices/${invoiceId}`)).status).toBe(200);
    expect((await ada.call('GET', `/invoices/${invoiceId}/pdf`)).status).toBe(200);
  }
  for (const { invoiceId } of [other, foreign])
    expect((await ada.call('GET', `/invoices/${invoiceId}`)).status).toBe(404);
  const { customers } = (await ada.call('GET', '/me')).body;
  expect(customers.map(({ customerId }: { customerId: string }) => customerId)).not.toContain(wallet.id);
  expect(customers).toContainEqual({
    customerId: sessions[3].customerId,
    creditBalance: 0,
    accountCreditCents: 300,
  });
  expect((await ada.call('GET', '/balance-entries')).body.data).toMatchObject([{ deltaCents: 300 }]);
});

test('a link that the merchant made covers that customer alone: no mailbox was proven', async () => {
  const [mine, theirs] = [await buy({ customerEmail: ADA }), await buy({ customerEmail: ADA })];
  const visitor = await visit(service, shop, projectId, mine.customerId);
  expect(idsOf(await visitor.call('GET', '/invoices'))).toEqual([mine.invoiceId]);
  expect((await visitor.call('GET', `/invoices/${theirs.invoiceId}`)).status).toBe(404);
});

test('another address that the merchant sets during the visit opens nothing of its owner', async () => {
  const mine = await buy({ customerEmail: ADA });
  const bobs = await buy({ customerEmail: 'bob@example.com' });
  const ada = await signIn(ADA);
  await shop.call('PATCH', `/api/v2/customers/${mine.customerId}`, { email: 'bob@example.com' });
  expect(idsOf(await ada.call('GET', '/invoices'))).toEqual([mine.invoiceId]);
  expect((await ada.call('GET', `/invoices/${bobs.invoiceId}`)).status).toBe(404);
});

test('opening the mailed link proves what was typed, unless somebody else may be behind it', async () => {
  const typed = await newCustomer(shop, projectId, { email: ADA });
  const named = await newCustomer(shop, projectId, { email: ADA, externalCustomerId: 'mallory' });
  const labelled = await buy({ customerEmail: ADA });
  // A payment link stores what its address carries in this way.
  await service.db.query(`update checkout_sessions set client_reference_id = 'mallory' where id = $1`, [
    labelled.id,
  ]);
  const wallet = await newCustomer(shop, projectId, {
    email: ADA,
    externalCustomerId: `solana:${'8'.repeat(32)}`,
  });
  const ids = [typed.id, named.id, labelled.customerId, wallet.id];
  for (const id of ids) await type(id);
  await signIn(ADA);
  expect(await Promise.all(ids.map(sourceOf))).toEqual(['mailbox', 'typed', 'typed', 'typed']);
});

test('another address that is confirmed becomes that of all of them', async () => {
  const sessions = [await buy({ customerEmail: ADA }), await buy({ customerEmail: ADA })];
  await changeAddress(await signIn(ADA), 'ada@new.example');
  for (const { customerId } of sessions) {
    expect((await shop.call('GET', `/api/v2/customers/${customerId}`)).body.email).toBe('ada@new.example');
    expect(await sourceOf(customerId)).toBe('mailbox');
  }
});

test('a mailbox that was proven before says nothing of the address that a customer has by now', async () => {
  const [mallory, vic] = [
    await newCustomer(shop, projectId, { email: 'mallory@evil.example' }),
    await newCustomer(shop, projectId, { email: 'shared@corp.example' }),
  ];
  const visitor = await signIn('mallory@evil.example');
  await shop.call('PATCH', `/api/v2/customers/${mallory.id}`, { email: 'shared@corp.example' });
  await changeAddress(visitor, 'second@evil.example');
  expect([await addressOf(mallory.id), await addressOf(vic.id)]).toEqual([
    'second@evil.example',
    'shared@corp.example',
  ]);
  // An address that somebody else confirmed for them is not proven either.
  await changeAddress(visitor, 'shared@corp.example');
  await changeAddress(visitor, 'third@evil.example');
  expect(await addressOf(vic.id)).toBe('shared@corp.example');
});

test('an account that may be a stranger’s does not learn the new address', async () => {
  const mine = await buy({ customerEmail: ADA });
  const named = await newCustomer(shop, projectId, { email: ADA, externalCustomerId: 'mallory' });
  const labelled = await buy({ customerEmail: ADA });
  await service.db.query(`update checkout_sessions set client_reference_id = 'mallory' where id = $1`, [
    labelled.id,
  ]);
  for (const id of [named.id, labelled.customerId]) await type(id);
  await changeAddress(await signIn(ADA), 'private@new.example');
  expect(await addressOf(mine.customerId)).toBe('private@new.example');
  expect([await addressOf(named.id), await addressOf(labelled.customerId)]).toEqual([ADA, ADA]);
});

test('strangers who type the address crowd out nobody, and are never whose portal it is', async () => {
  const [first, second] = [
    await newCustomer(shop, projectId, { email: ADA, name: 'Ada' }),
    await newCustomer(shop, projectId, { email: ADA, externalCustomerId: 'ada' }),
  ];
  await service.db.query(
    `insert into customers (merchant_id, id, project_id, email, email_source, name, created_at)
     select merchant_id, gen_random_uuid(), project_id, email, 'typed', 'Mallory', now()
       from customers, generate_series(1, 150) where id = $1`,
    [first.id],
  );
  const ada = await signIn(ADA);
  const { customer, customers } = (await ada.call('GET', '/me')).body;
  expect(customer.id).toBe(first.id);
  expect(customers).toHaveLength(100);
  const ids = customers.map(({ customerId }: { customerId: string }) => customerId);
  expect(ids).toEqual(expect.arrayContaining([first.id, second.id]));
  await changeAddress(ada, 'ada@new.example');
  expect([await addressOf(first.id), await addressOf(second.id)]).toEqual([
    'ada@new.example',
    'ada@new.example',
  ]);
});

test('proving a mailbox writes an event: the address is no note any more', async () => {
  const { id } = await newCustomer(shop, projectId, { email: ADA });
  await type(id);
  await signIn(ADA);
  const { body } = await shop.call('GET', '/api/v2/events?event=customer.updated&limit=1');
  expect(body.data[0].data.customer).toMatchObject({ id, emailSource: 'mailbox' });
  expect((await shop.call('GET', `/api/v2/customers/${id}`)).body.emailSource).toBe('mailbox');
});
