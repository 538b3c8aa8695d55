import { beforeAll, beforeEach, expect, test } from 'vitest';
import { newCustomer, newProject } from '../../../test/support/billing.ts';
import { type MailServer, startMailServer } from '../../../test/support/mail.ts';
import { visit } from '../../../test/support/portal.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { createMailer } from '../../email/mailer.ts';
import { sendDueEmails } from '../../email/send-due-emails.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { createLog } from '../../platform/lib/log.ts';
import { pruneEmailChanges } from './prune-sessions.ts';

let service: TestService;
let shop: TestMerchant;
let server: MailServer;
let projectId: string;
let customerId: string;

/** The clock only goes forward. */
let offsetMs = 0;
function passDays(days: number) {
  offsetMs += days * DAY_MS;
  service.clock.setOffsetMs(offsetMs);
}

const ADA = 'ada@example.com';
const BUYER = 'buyer@example.com';

beforeAll(async () => {
  server = await startMailServer();
  service = await testService({ TRUST_PROXY: 'true' });
  shop = await service.createMerchant('Corner Shop');
});

beforeEach(async () => {
  service.db.queuesEmails = true;
  projectId = (await newProject(shop, {})).id;
  customerId = (await newCustomer(shop, projectId, { email: ADA, name: 'Ada' })).id;
  server.received.length = 0;
});

async function deliver() {
  const mailer = createMailer(server.settings, { name: '', address: 'billing@florin.example' });
  const parts = { db: service.db, secrets: service.secrets, publicUrl: () => service.url };
  await sendDueEmails({ ...parts, mailer, log: createLog('silent') });
  return server.received.splice(0);
}

const enter = (id = customerId) => visit(service, shop, projectId, id);
const from = (ip: string) => ({ 'x-forwarded-for': ip });
const tokenIn = (text: string) => /\/portal\/email\/(portal_[0-9A-Za-z]{45})/.exec(text)![1]!;
const confirm = (token: string) => call(`${service.url}/api/portal/confirm-email`, 'POST', { token });
const stored = async (id = customerId) => (await shop.call('GET', `/api/v2/customers/${id}`)).body;

async function updates(id = customerId): Promise<number> {
  const { body } = await shop.call('GET', '/api/v2/events?event=customer.updated&limit=100');
  return body.data.filter(({ data }: { data: { customerId: string } }) => data.customerId === id).length;
}

/** Asks for an address and answers the token that was mailed to it. */
async function asked(email: string): Promise<string> {
  const visitor = await enter();
  expect((await visitor.call('PATCH', '/me', { email })).status).toBe(200);
  const mail = (await deliver()).find(({ to }) => to.includes(email))!;
  return tokenIn(mail.text);
}

test('an address that a customer types in the portal is theirs only once its mailbox has confirmed it', async () => {
  const visitor = await enter();
  const answer = await visitor.call('PATCH', '/me', { email: BUYER, name: 'Ada L.' });
  expect(answer.body).toMatchObject({ email: ADA, name: 'Ada L.', pendingEmail: { email: BUYER } });
  expect((await visitor.call('GET', '/me')).body.customer.pendingEmail.email).toBe(BUYER);
  expect((await stored()).email).toBe(ADA);
  expect(await updates()).toBe(1);

  const mails = await deliver();
  expect(mails.flatMap(({ to }) => to).sort()).toEqual([ADA, BUYER]);
  const toNew = mails.find(({ to }) => to.includes(BUYER))!;
  const toOld = mails.find(({ to }) => to.includes(ADA))!;
  // The one who typed may have chosen the name, so the stranger's mailbox does not read it.
  expect(toNew.text).not.toContain('Ada');
  expect(toOld.text).toContain(BUYER);
  expect(toOld.text).not.toContain('/portal/email/');

  const token = tokenIn(toNew.text);
  expect((await call(`${service.url}/portal/email/${token}`, 'GET')).status).toBe(200);
  expect((await stored()).email).toBe(ADA);
  expect(await confirm(token)).toMatchObject({ status: 200, body: { email: BUYER } });
  expect((await stored()).email).toBe(BUYER);
  expect(
    await service.db.query('select email_source as source from customers where id = $1', [customerId]),
  ).toEqual([{ source: 'mailbox' }]);
  expect(await updates()).toBe(2);
  expect((await visitor.call('GET', '/me')).body.customer).toMatchObject({
    email: BUYER,
    pendingEmail: null,
  });
});

test('a confirming link works once, until it is withdrawn or replaced, for a day; the database keeps its hash', async () => {
  const first = await asked('one@example.com');
  const second = await asked('two@example.com');
  expect((await confirm(first)).body.error.code).toBe('PORTAL_LINK_EXPIRED');
  const visitor = await enter();
  expect((await visitor.call('DELETE', '/me/pending-email')).body).toMatchObject({
    email: ADA,
    pendingEmail: null,
  });
  expect((await visitor.call('DELETE', '/me/pending-email')).status).toBe(200);
  expect((await confirm(second)).status).toBe(410);
  const third = await asked('three@example.com');
  const dump = JSON.stringify(await service.db.query('select * from portal_email_changes'));
  expect(dump).not.toContain(third);
  const results = await Promise.all([confirm(third), confirm(third)]);
  expect(results.map(({ status }) => status).sort()).toEqual([200, 410]);
  expect((await confirm('portal_00nothing')).status).toBe(401);

  const fourth = await asked('four@example.com');
  passDays(1);
  expect((await confirm(fourth)).status).toBe(410);
  expect((await (await enter()).call('GET', '/me')).body.customer.pendingEmail).toBeNull();
  expect((await stored()).email).toBe('three@example.com');
  passDays(8);
  expect(await pruneEmailChanges(service.db, service.clock.now())).toBeGreaterThanOrEqual(4);
  expect(await service.db.query('select from portal_email_changes')).toEqual([]);
});

test('what the merchant set meanwhile stays, and a deleted customer gets no address', async () => {
  const token = await asked(BUYER);
  await shop.call('PATCH', `/api/v2/customers/${customerId}`, { email: 'desk@example.com' });
  expect((await confirm(token)).status).toBe(410);
  expect((await stored()).email).toBe('desk@example.com');
  expect((await (await enter()).call('GET', '/me')).body.customer.pendingEmail).toBeNull();

  const again = await asked(BUYER);
  expect((await shop.call('DELETE', `/api/v2/customers/${customerId}`)).status).toBe(202);
  expect((await confirm(again)).status).toBe(401);
  const left = await service.db.query(
    `select from portal_email_changes where customer_id = $1
     union all select from emails where customer_id = $1 and facts::text like '%' || $2 || '%'`,
    [customerId, BUYER],
  );
  expect(left).toEqual([]);
});

test('it lapses for good once the merchant names an address, and also the one of before', async () => {
  const named = [[ADA], [null, ADA], ['desk@example.com', ADA]];
  for (const [n, emails] of named.entries()) {
    const token = await asked(`${n}${BUYER}`);
    for (const email of emails) await shop.call('PATCH', `/api/v2/customers/${customerId}`, { email });
    expect((await confirm(token)).status).toBe(410);
    expect((await stored()).email).toBe(ADA);
    expect((await (await enter()).call('GET', '/me')).body.customer.pendingEmail).toBeNull();
  }
  const token = await asked(BUYER);
  await shop.call('PATCH', `/api/v2/customers/${customerId}`, { name: 'Ada L.' });
  expect((await confirm(token)).status).toBe(200);
});

test('it lapses for good with a merge', async () => {
  const token = await asked(BUYER);
  const into = await newCustomer(shop, projectId, { email: 'desk@example.com' });
  const merging = await shop.call('POST', `/api/v2/customers/${customerId}/merge`, {
    intoCustomerId: into.id,
  });
  expect(merging.status).toBe(200);
  expect((await confirm(token)).status).toBe(410);
  const outcomes = await service.db.query('select outcome from portal_email_changes where customer_id = $1', [
    customerId,
  ]);
  expect(outcomes).toEqual([{ outcome: 'replaced' }]);
});

test('the same address is no change; none, and a malformed one, are refused and change nothing', async () => {
  const visitor = await enter();
  expect((await visitor.call('PATCH', '/me', { email: ADA })).body.pendingEmail).toBeNull();
  expect(await updates()).toBe(0);
  const none = await visitor.call('PATCH', '/me', { email: null, name: 'Mallory' });
  expect([none.status, none.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^email cannot be removed here/),
  ]);
  expect((await visitor.call('PATCH', '/me', { email: 'nobody', name: 'Mallory' })).status).toBe(400);
  expect((await stored()).name).toBe('Ada');
  expect(await deliver()).toEqual([]);
});

test('it is no way to fill mailboxes: few a day for a customer, for an address and for a network', async () => {
  const visitor = await enter();
  const ask = (who: typeof visitor, email: string, ip: string) =>
    who.call('PATCH', '/me', { email, name: 'Ada' }, from(ip));
  for (let i = 0; i < 5; i++)
    expect((await ask(visitor, `a${i}@example.com`, '203.0.113.1')).status).toBe(200);
  const refused = await ask(visitor, 'a5@example.com', '203.0.113.1');
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Another network does not help one customer.
  expect((await ask(visitor, 'a5@example.com', '203.0.113.2')).status).toBe(429);

  const others = [];
  for (let i = 0; i < 6; i++)
    others.push(await enter((await newCustomer(shop, projectId, { email: `o${i}@example.com` })).id));
  const victim = 'victim@example.com';
  for (let i = 0; i < 3; i++) expect((await ask(others[i]!, victim, `203.0.113.${10 + i}`)).status).toBe(200);
  expect((await ask(others[3]!, victim.toUpperCase(), '203.0.113.20')).status).toBe(429);

  for (let i = 0; i < 5; i++)
    expect((await ask(others[3]!, `b${i}@example.com`, '203.0.113.30')).status).toBe(200);
  for (let i = 0; i < 5; i++)
    expect((await ask(others[4]!, `c${i}@example.com`, '203.0.113.30')).status).toBe(200);
  expect((await ask(others[5]!, 'd@example.com', '203.0.113.30')).status).toBe(429);
  expect((await ask(others[5]!, 'd@example.com', '203.0.113.31')).status).toBe(200);
  passDays(1);
  expect((await ask(await enter(), 'a5@example.com', '203.0.113.1')).status).toBe(200);
});

test('409 where the service sends no e-mail, and the page does not offer it; the name can be corrected', async () => {
  service.db.queuesEmails = false;
  const visitor = await enter();
  const answer = await visitor.call('PATCH', '/me', { email: BUYER });
  expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await visitor.call('GET', '/me')).body.canChangeEmail).toBe(false);
  const page = await call(`${service.url}/portal/details`, 'GET', undefined, { cookie: visitor.cookie });
  expect(page.text).not.toContain('name="email"');
  expect((await visitor.call('PATCH', '/me', { name: 'Ada L.' })).body.name).toBe('Ada L.');
});
