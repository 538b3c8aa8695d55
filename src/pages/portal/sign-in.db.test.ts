import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer, newPlan, newProject, newSession } from '../../../test/support/billing.ts';
import { type MailServer, startMailServer } from '../../../test/support/mail.ts';
import { logIn, visit } from '../../../test/support/portal.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { createLog } from '../../platform/lib/log.ts';
import { sendSignInLinks } from './send-sign-in-links.ts';

let service: TestService;
let shop: TestMerchant;
let server: MailServer;
let projectId: string;
let customerId: string;

const ADA = 'Ada@example.com';
const ON = { settings: { portalSignIn: true } };

beforeAll(async () => {
  server = await startMailServer();
  service = await testService({ TRUST_PROXY: 'true' });
  service.db.queuesEmails = true;
  shop = await service.createMerchant('Corner Shop');
});

beforeEach(async () => {
  projectId = (await newProject(shop, ON)).id;
  customerId = (await newCustomer(shop, projectId, { email: ADA })).id;
  server.received.length = 0;
});

const pageOf = (id: string, query = '') => `${service.url}/portal/sign-in/${id}${query}`;

async function ask(
  email: string,
  { id = projectId, query = '', headers = {} as Record<string, string> } = {},
) {
  const body = new URLSearchParams({ email });
  const answer = await fetch(pageOf(id, query), { method: 'POST', headers, body, redirect: 'manual' });
  return { status: answer.status, to: answer.headers.get('location'), text: await answer.text() };
}

const parts = () => ({ db: service.db, secrets: service.secrets, publicUrl: () => 'http://127.0.0.1' });
const makeLinks = () => sendSignInLinks(parts(), service.clock.now());

/** Returns e-mails that reach mailboxes. */
async function deliver(now?: Date) {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  await makeLinks();
  await sendDueEmails({ ...parts(), mailer, log: createLog('silent'), ...(now && { now: () => now }) });
  return server.received.splice(0);
}

const tokenIn = (text: string) => /\/portal\/(portal_[0-9A-Za-z]{45})/.exec(text)![1]!;
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('a customer asks by e-mail and gets a link that works once, for 15 minutes; nothing else can read it', async () => {
  expect((await ask('ada@example.com')).to).toBe(`/portal/sign-in/${projectId}?sent=1`);
  await makeLinks();
  const rows = JSON.stringify(
    await service.db.query(`select e::text, encode(sealed_link, 'escape') as link from emails e`),
  );
  expect(rows).not.toContain('/portal/portal_');
  const [mail, ...none] = await deliver();
  expect([mail!.to, mail!.headers.get('subject'), none]).toEqual([
    [ADA],
    'Corner Shop: Your sign-in link',
    [],
  ]);
  const token = tokenIn(mail!.text);
  expect(mail!.html).toContain(token);
  expect(mail!.html).not.toContain('/portal/sign-in/');
  const kept = await service.db.query('select from emails where sealed_link is not null');
  const waiting = await service.db.query('select from portal_sign_ins');
  expect([kept.length, waiting.length]).toEqual([0, 0]);
  // A program that scans mail opens it; that uses nothing up.
  expect((await fetch(`${service.url}/portal/${token}`)).status).toBe(200);
  const logins = await Promise.all([1, 2, 3].map(() => logIn(service, token)));
  expect(logins.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
  const used = await (await fetch(`${service.url}/portal/${token}`)).text();
  expect(used).toContain(`href="/portal/sign-in/${projectId}"`);
  expect(service.log.join('')).not.toContain(token);
  expect(service.log.join('').toLowerCase()).not.toContain('ada@example.com');

  await ask(ADA);
  const [second] = await deliver();
  service.clock.setOffsetMs(15 * 60_000);
  expect((await logIn(service, tokenIn(second!.text))).status).toBe(410);
  service.clock.setOffsetMs(0);
});

test('the answer and what is stored are the same for every address; others than this project’s customers get nothing', async () => {
  const other = await newProject(shop, ON);
  await newCustomer(shop, other.id, { email: 'elsewhere@example.com' });
  const gone = await newCustomer(shop, projectId, { email: 'gone@example.com' });
  expect((await shop.call('DELETE', `/api/v2/customers/${gone.id}`)).status).toBeLessThan(300);
  const answers = [];
  for (const email of ['ada@example.com', 'nobody@example.com', 'elsewhere@example.com', 'gone@example.com'])
    answers.push(JSON.stringify(await ask(email)));
  expect(new Set(answers).size).toBe(1);
  const mails = await deliver();
  expect(mails.map(({ to }) => to)).toEqual([[ADA]]);
  // An address that lower case makes equal is still sent to the customer's own one.
  await ask('ada@example.com'.replace('a', 'Ａ'));
  await ask('ADA@EXAMPLE.COM');
  expect((await deliver()).map(({ to }) => to)).toEqual([[ADA]]);
});

test('no more than three links wait, and ten are sent in a day to one network; a fourth request in a race neither', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ask(ADA)));
  await Promise.all([makeLinks(), makeLinks(), makeLinks()]);
  expect(await deliver()).toHaveLength(3);
  let sent = 3;
  for (let quarter = 1; quarter <= 4; quarter++) {
    service.clock.setOffsetMs(quarter * 16 * 60_000);
    for (let i = 0; i < 4; i++) await ask(ADA);
    sent += (await deliver()).length;
  }
  expect(sent).toBe(10);
  // Somebody else asked for these. The customer, elsewhere, still gets theirs.
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  await ask(ADA, { headers });
  const [mail] = await deliver();
  expect((await logIn(service, tokenIn(mail!.text))).status).toBe(200);

  await service.db.query(
    `insert into portal_sessions (merchant_id, id, project_id, customer_id, token_hash, created_at, expires_at, is_by_email)
     select merchant_id, gen_random_uuid(), project_id, customer_id, sha256(n::text::bytea), created_at, expires_at, true
       from portal_sessions, generate_series(1, 39) n where opened_at is not null and customer_id = $1`,
    [customerId],
  );
  await ask(ADA, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await deliver()).toEqual([]);
  await ask(ADA, { headers });
  expect(await deliver()).toHaveLength(1);
  service.clock.setOffsetMs(0);
});

test('410 for a mailed link whose address is no longer the customer’s, or whose project no longer offers it; others work', async () => {
  const mailed = async () => {
    await ask(ADA);
    return tokenIn((await deliver())[0]!.text);
  };
  const customer = `/api/v2/customers/${customerId}`;
  for (const email of ['ada2@example.com', null]) {
    const token = await mailed();
    expect((await shop.call('PATCH', customer, { email })).status).toBe(200);
    expect(await (await fetch(`${service.url}/portal/${token}`)).text()).not.toContain('<button');
    expect((await logIn(service, token)).status).toBe(410);
    await shop.call('PATCH', customer, { email: ADA });
  }
  const token = await mailed();
  const settings = { portalSignIn: false };
  expect((await shop.call('PATCH', `/api/v2/projects/${projectId}`, { settings })).status).toBe(200);
  expect((await logIn(service, token)).status).toBe(410);
  await shop.call('PATCH', customer, { email: 'ada2@example.com' });
  await visit(service, shop, projectId, customerId);
});

test('of several customers with one address: the one with a subscription that runs, otherwise the first', async () => {
  const subscriber = await newCustomer(shop, projectId, { email: ADA, externalCustomerId: 'sub' });
  const holder = async () => {
    await ask(ADA);
    const [mail] = await deliver();
    return (await logIn(service, tokenIn(mail!.text))).body.customer.id;
  };
  expect(await holder()).toBe(customerId);
  const priceId = (await newPlan(shop, projectId)).id;
  const mode = { mode: 'subscription', priceId, externalCustomerId: 'sub' };
  const { subscriptionId } = await newSession(shop, projectId, mode);
  await service.db.query(
    `update subscriptions set status = 'active', anchor_at = now(), period_index = 0, current_period_start = now(),
            current_period_end = now() + interval '1 month', paid_through = now() + interval '1 month' where id = $1`,
    [subscriptionId],
  );
  expect(await holder()).toBe(subscriber.id);

  // A customer who enters another's address in the portal leads nobody into their own account.
  await shop.call('PATCH', `/api/v2/customers/${subscriber.id}`, { email: 'eve@example.com' });
  const eve = await visit(service, shop, projectId, subscriber.id);
  expect((await eve.call('PATCH', '/me', { email: ADA })).status).toBe(200);
  expect((await deliver()).length).toBe(2);
  expect(await holder()).toBe(customerId);
  await shop.call('PATCH', `/api/v2/customers/${subscriber.id}`, { email: ADA });
  expect(await holder()).toBe(subscriber.id);
});

test('an e-mail that waited for too long is not sent, nor a request; erasing a customer takes both away', async () => {
  await ask(ADA);
  await makeLinks();
  expect(await deliver(later(16))).toEqual([]);
  await ask(ADA);
  await service.db.query(`update portal_sign_ins set created_at = now() - interval '16 minutes'`);
  expect(await deliver()).toEqual([]);
  await ask(ADA);
  await makeLinks();
  await shop.call('DELETE', `/api/v2/customers/${customerId}`);
  expect(await deliver()).toEqual([]);
});

test('404 unless the project offers it, and 409 to offer it where there is no mail server', async () => {
  const plain = await newProject(shop);
  expect(plain).toMatchObject({ settings: { portalSignIn: false }, portalSignInUrl: null });
  for (const id of [plain.id, customerId, 'x', '%00', "'"]) {
    expect([id, (await fetch(pageOf(id))).status]).toEqual([id, 404]);
    expect([id, (await ask(ADA, { id })).status]).toEqual([id, 404]);
  }
  const { body } = await shop.call('PATCH', `/api/v2/projects/${plain.id}`, ON);
  expect(body.portalSignInUrl).toBe(`http://127.0.0.1/portal/sign-in/${plain.id}`);
  service.db.queuesEmails = false;
  expect((await fetch(pageOf(plain.id))).status).toBe(404);
  const off = await newProject(shop);
  const refused = await shop.call('PATCH', `/api/v2/projects/${off.id}`, ON);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await shop.call('POST', '/api/v2/projects', { name: 'p', ...ON })).status).toBe(409);
  service.db.queuesEmails = true;
});

test('400 for what is no address, 403 from another site, no frame, no redirect elsewhere, no referrer', async () => {
  for (const email of ['', 'ada', 'a@b\nBcc: eve@evil.example', `${'a'.repeat(250)}@example.com`, 'a@b, c@d'])
    expect([email, (await ask(email)).status]).toEqual([email, 400]);
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect((await ask(ADA, { headers: headers as never })).status).toBe(403);
  const query = '?lang=de&returnUrl=https://evil.example&sent=//evil.example';
  expect((await ask(ADA, { query })).to).toBe(`/portal/sign-in/${projectId}?sent=1&lang=de`);
  const { headers } = await fetch(pageOf(projectId, query));
  expect([
    headers.get('x-frame-options'),
    headers.get('referrer-policy'),
    headers.get('cache-control'),
  ]).toEqual(['DENY', 'no-referrer', 'no-store']);
  const [mail] = await deliver();
  expect(mail!.headers.get('subject')).toBe('Corner Shop: Ihr Link zum Anmelden');
});

test('429 for an address that asks for links of one project too often', async () => {
  const strict = await testService({ RATE_LIMIT_CHECKOUT_PER_MINUTE: '2' });
  strict.db.queuesEmails = true;
  const { id } = await newProject(await strict.createMerchant(), ON);
  const post = () =>
    fetch(`${strict.url}/portal/sign-in/${id}`, {
      method: 'POST',
      body: new URLSearchParams({ email: ADA }),
      redirect: 'manual',
    });
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await post()).status);
  expect(statuses).toEqual([303, 303, 429, 429]);
});
