import { beforeAll, describe, expect, test } from 'vitest';
import { newProject } from '../../test/support/billing.ts';
import { type MailServer, startMailServer } from '../../test/support/mail.ts';
import { newMember, newOwner } from '../../test/support/members.ts';
import { newAddress, type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { eventually, type Receiver, startReceiver, startWorker } from '../../test/support/webhooks.ts';
import { createMailer } from '../email/mailer.ts';
import { checkInvariants } from '../platform/db/invariant.ts';
import { HOUR_MS, realNow } from '../platform/lib/clock.ts';
import { webhookInvariants } from './invariants.ts';
import { sendDueSummaries } from './send-due-summaries.ts';

let service: TestService;
let mail: MailServer;

beforeAll(async () => {
  mail = await startMailServer();
  service = await testService();
  service.db.queuesEmails = true;
  const mailer = createMailer(mail.settings, { name: 'Florin', address: 'no-reply@florin.example' });
  startWorker(service, { mailer });
});

const V2 = '/api/v2/notifications';
const SECRET = '/services/T0SECRET/B0SECRET/abcdefSECRET';

async function create(shop: TestMerchant, fields: object) {
  const answer = await shop.call('POST', V2, fields);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body as { id: string; destination: string };
}

/** A sample of any event, as the sandbox sends it. */
async function happen(shop: TestMerchant, event: string) {
  const answer = await shop.call('POST', '/api/v2/sandbox/events', { event });
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
}

const bodiesAt = (receiver: Receiver) => receiver.received.map(({ body }) => JSON.parse(body));

async function expectSound(): Promise<void> {
  const results = await checkInvariants(service.db, webhookInvariants);
  expect(results.flatMap(({ violations }) => violations)).toEqual([]);
}

describe('/api/v2/notifications', () => {
  const path = '/api/v2/notifications';

  test('created, read, changed, listed and deleted; its URL is in no answer, log or row', async () => {
    const shop = await service.createMerchant();
    const made = await shop.call('POST', path, {
      kind: 'slack',
      url: `https://hooks.slack.com${SECRET}`,
      name: 'Sales',
    });
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'slack',
      name: 'Sales',
      destination: 'https://hooks.slack.com/…',
      chatId: null,
      memberEmail: null,
      eventTypes: [
        'exception.created',
        'payment_intent.failed',
        'payment_intent.succeeded',
        'payout_address.changed',
        'refund_request.created',
        'subscription.past_due',
      ],
      summaryHour: 8,
      summaryTimeZone: 'UTC',
      isActive: true,
      createdAt: expect.stringMatching(/Z$/),
    });
    const one = `${path}/${made.body.id}`;
    expect((await shop.call('GET', one)).body).toEqual(made.body);
    const change = { name: null, eventTypes: ['invoice.paid', 'invoice.paid'], isActive: false };
    const changed = await shop.call('PATCH', one, change);
    expect(changed.body).toEqual({ ...made.body, ...change, eventTypes: ['invoice.paid'] });
    const moved = await shop.call('PATCH', one, { url: `https://chat.example${SECRET}?key=SECRETkey` });
    expect(moved.body).toEqual({ ...changed.body, destination: 'https://chat.example/…' });
    expect((await shop.call('GET', path)).body.data).toEqual([moved.body]);
    expect((await shop.call('GET', '/api/v2/webhook-endpoints')).body.data).toEqual([]);
    expect((await shop.call('GET', `/api/v2/webhook-endpoints/${made.body.id}`)).status).toBe(404);
    expect((await shop.call('DELETE', `/api/v2/webhook-endpoints/${made.body.id}`)).status).toBe(404);
    const rows = await service.db.query(
      'select w::text from webhook_endpoints w union all select a::text from audit_entries a',
    );
    expect(JSON.stringify(rows)).not.toContain('SECRET');
    expect(service.log.join('\n')).not.toContain('SECRET');
    expect((await shop.call('DELETE', one)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await shop.call(method, one, method === 'PATCH' ? {} : undefined)).status).toBe(404);
  });

  test('400 for a kind without what it needs, or with what it does not; nothing is written', async () => {
    const shop = await service.createMerchant();
    const url = 'https://api.telegram.org/bot1:a';
    for (const [body, field] of [
      [{ url }, 'kind'],
      [{ kind: 'sms', url }, 'kind'],
      [{ kind: 'webhook', url }, 'kind'],
      [{ kind: 'slack' }, 'url'],
      [{ kind: 'slack', url: 'ftp://hooks.example' }, 'url'],
      [{ kind: 'slack', url: 'https://169.254.169.254/latest' }, 'url'],
      [{ kind: 'slack', url, chatId: '1' }, 'chatId'],
      [{ kind: 'telegram', url }, 'chatId'],
      [{ kind: 'telegram', url: 'https://api.telegram.org/getMe', chatId: '1' }, 'url'],
      [{ kind: 'telegram', url, chatId: '' }, 'chatId'],
      [{ kind: 'email' }, 'memberEmail'],
      [{ kind: 'email', memberEmail: 'stranger@example.com' }, 'memberEmail'],
      [{ kind: 'email', memberEmail: 'a@example.com', url }, 'url'],
      [{ kind: 'slack', url, eventTypes: [] }, 'eventTypes'],
      [{ kind: 'slack', url, eventTypes: ['payment_intent.created'] }, 'eventTypes.0'],
      [{ kind: 'slack', url, name: '' }, 'name'],
      [{ kind: 'slack', url, summaryHour: 24 }, 'summaryHour'],
      [{ kind: 'slack', url, summaryTimeZone: 'Mars/Olympus' }, 'summaryTimeZone'],
    ] as [object, string][]) {
      const answer = await shop.call('POST', path, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect((await shop.call('GET', path)).body.data).toEqual([]);
  });
});

test('Slack, Discord, Telegram and others get a sentence each, in the form they take', async () => {
  const shop = await service.createMerchant();
  const [slack, discord, telegram, https] = await Promise.all([1, 2, 3, 4].map(() => startReceiver()));
  const eventTypes = ['payment_intent.succeeded'];
  await create(shop, { kind: 'slack', url: slack!.url + SECRET, eventTypes });
  await create(shop, { kind: 'discord', url: `${discord!.url}/api/webhooks/1/x`, eventTypes });
  await create(shop, { kind: 'telegram', url: `${telegram!.url}/bot1:SECRET`, chatId: '-1001', eventTypes });
  await create(shop, { kind: 'https', url: `${https!.url}/topic`, eventTypes });
  const projectId = (await newProject(shop)).id;
  await shop.call('POST', '/api/v2/customers', { projectId });
  await happen(shop, 'payment_intent.succeeded');
  for (const receiver of [slack, discord, telegram, https])
    await eventually(() => receiver!.received.length === 1);
  const [told] = bodiesAt(https!);
  const link = expect.stringMatching(/^https:\/\/pay\.example\/dashboard\/payments\/[0-9a-f-]{36}$/);
  expect(told).toEqual({
    text: 'Paid: $12.50 for order order-1001.',
    url: link,
    event: 'payment_intent.succeeded',
    eventId: expect.any(String),
    createdAt: expect.stringMatching(/Z$/),
  });
  const text = `Paid: $12.50 for order order-1001.\n${told.url}`;
  expect(bodiesAt(slack!)).toEqual([{ text, mrkdwn: false }]);
  expect(bodiesAt(discord!)).toEqual([{ content: text, allowed_mentions: { parse: [] } }]);
  expect(bodiesAt(telegram!)).toEqual([{ chat_id: '-1001', text }]);
  expect([slack, telegram].map((one) => one!.received[0]!.path)).toEqual([
    SECRET,
    '/bot1:SECRET/sendMessage',
  ]);
  expect(Object.keys(slack!.received[0]!.headers).filter((name) => /signature|service/.test(name))).toEqual(
    [],
  );
  await expectSound();
});

test('an e-mail goes to a member, at the address they have; not to one who left', async () => {
  const shop = await service.createMerchant();
  const owner = await newOwner(service, shop);
  const viewer = await newMember(service, owner, 'viewer');
  const { id } = await create(shop, {
    kind: 'email',
    memberEmail: viewer.email.toUpperCase(),
    eventTypes: ['exception.created'],
  });
  expect((await shop.call('GET', `${V2}/${id}`)).body).toMatchObject({
    memberEmail: viewer.email,
    destination: `mailto:${viewer.email}`,
  });
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
  await happen(shop, 'exception.created');
  const [one] = await eventually(() => mailsTo(viewer.email).length === 1 && mailsTo(viewer.email));
  expect(one!.headers.get('subject')).toBe('$12.50 arrived and needs a person’s review: unmatched.');
  expect(one!.text).toContain('https://pay.example/dashboard/exceptions');
  const [delivery] = (await shop.call('GET', `/api/v2/webhook-deliveries?endpointId=${id}`)).body.data;
  expect(delivery.url).toBe(`mailto:${viewer.email}`);
  expect((await owner.call('DELETE', `/api/dashboard/members/${viewer.id}`)).status).toBe(204);
  expect((await shop.call('GET', `${V2}/${id}`)).body).toMatchObject({ memberEmail: null, isActive: false });
  await happen(shop, 'exception.created');
  await eventually(async () => (await service.db.query('select from undispatched_events')).length === 0);
  expect((await shop.call('POST', `${V2}/${id}/test`)).status).toBe(409);
  expect((await shop.call('GET', `/api/v2/webhook-deliveries?endpointId=${id}`)).body.data).toHaveLength(1);
  expect(mailsTo(viewer.email)).toHaveLength(1);
  await expectSound();
});

test('409 for an e-mail without a mail server', async () => {
  const shop = await service.createMerchant();
  const owner = await newOwner(service, shop);
  service.db.queuesEmails = false;
  const answer = await shop.call('POST', V2, { kind: 'email', memberEmail: owner.email });
  service.db.queuesEmails = true;
  expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
});

test('a test reaches its own channel alone, and a failure is in the log without the URL', async () => {
  const shop = await service.createMerchant();
  const refusing = await startReceiver((response, { path }) =>
    response.writeHead(410).end(`no such hook: ${path}`),
  );
  const other = await startReceiver();
  const { id } = await create(shop, { kind: 'discord', url: refusing.url + SECRET });
  await create(shop, { kind: 'slack', url: other.url });
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: other.url });
  expect((await shop.call('POST', `${V2}/${id}/test`)).status).toBe(202);
  const [failed] = await eventually(async () => {
    const { data } = (await shop.call('GET', '/api/v2/webhook-deliveries?status=failed')).body;
    return data.length > 0 && data;
  });
  expect(bodiesAt(refusing)[0].content).toBe(
    'This is a test: notifications arrive here.\nhttps://pay.example/dashboard/notifications',
  );
  expect(failed).toMatchObject({ endpointId: id, httpStatus: 410, responseBody: 'no such hook: …' });
  expect(failed.url).toBe(`${refusing.url}/…`);
  expect(JSON.stringify(failed)).not.toContain('SECRET');
  expect(other.received).toEqual([]);
  await shop.call('PATCH', `${V2}/${id}`, { isActive: false });
  expect((await shop.call('POST', `${V2}/${id}/test`)).body.error.code).toBe('INVALID_STATE');
});

test('a payout address that changes is reported, of the merchant and of a project', async () => {
  const shop = await service.createMerchant();
  const [receiver, hook] = [await startReceiver(), await startReceiver()];
  await shop.call('PATCH', '/api/b2b/merchants/webhook', { webhookUrl: hook.url });
  await create(shop, { kind: 'https', url: receiver.url });
  const project = await newProject(shop);
  const [first, second] = [newAddress(), newAddress()];
  await shop.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress: first });
  await shop.call('PATCH', `/api/v2/projects/${project.id}`, { payoutAddress: second });
  await eventually(() => receiver.received.length === 2);
  const texts = bodiesAt(receiver).map(({ text }) => text);
  expect(
    texts.some(
      (text) =>
        text.startsWith('The payout address of your shop was changed by ') && text.endsWith(`: ${first}.`),
    ),
  ).toBe(true);
  expect(
    texts.some(
      (text) =>
        text.startsWith(`The payout address of project ${project.name} `) && text.endsWith(`: ${second}.`),
    ),
  ).toBe(true);
  const events = (await shop.call('GET', '/api/v2/events?event=payout_address.changed')).body.data;
  expect(events.map(({ data }: { data: object }) => data)).toMatchObject([
    { status: 'changed', projectId: project.id, to: second },
    { status: 'changed', projectId: null, from: shop.payoutAddress, to: first },
  ]);
  expect(hook.received).toEqual([]);
});

test('a daily summary comes once, however many processes send it, and only where something happened', async () => {
  const shop = await service.createMerchant();
  const receiver = await startReceiver();
  const eventTypes = ['notification.summary'];
  // Far from now, whenever that is.
  const summaryHour = (realNow().getUTCHours() + 12) % 24;
  const { id } = await create(shop, { kind: 'https', url: receiver.url, eventTypes, summaryHour });
  const [{ at }] = (await service.db.query<{ at: Date }>(
    'select summary_at as at from webhook_endpoints where id = $1',
    [id],
  )) as [{ at: Date }];
  expect([at.getUTCHours(), at.getTime() % HOUR_MS]).toEqual([summaryHour, 0]);
  const after = (hours: number) => new Date(at.getTime() + hours * HOUR_MS);
  for (const event of ['payment_intent.succeeded', 'payment_intent.succeeded', 'exception.created'])
    await happen(shop, event);
  expect(await sendDueSummaries(service.db, at)).toBe(0);
  const tries = await Promise.all([1, 2, 3, 4].map(() => sendDueSummaries(service.db, after(1))));
  expect(tries.reduce((sum, count) => sum + count)).toBe(1);
  await eventually(() => receiver.received.length === 1);
  const [{ text, event }] = bodiesAt(receiver);
  expect([event, text]).toEqual([
    'notification.summary',
    expect.stringMatching(/^Since 20\S+ \S+ UTC: 2 paid \(\$25\.00\), 1 to review\.$/),
  ]);
  expect(await sendDueSummaries(service.db, after(73))).toBe(0);
  const plan = await service.db.query(
    'select summary_at, summary_since from webhook_endpoints where id = $1',
    [id],
  );
  expect(plan).toEqual([{ summaryAt: after(96), summarySince: after(72) }]);
  await shop.call('PATCH', `${V2}/${id}`, { eventTypes: ['invoice.paid'] });
  expect(
    await service.db.query('select from webhook_endpoints where id = $1 and summary_at is not null', [id]),
  ).toEqual([]);
});

test('409 beyond 16; webhooks count apart', async () => {
  const shop = await service.createMerchant();
  const make = () => shop.call('POST', V2, { kind: 'slack', url: 'https://hooks.example/x' });
  for (let i = 0; i < 16; i++) expect((await make()).status).toBe(201);
  const answer = await make();
  expect([answer.status, answer.body.error.code]).toEqual([409, 'INVALID_STATE']);
  expect((await shop.call('POST', '/api/v2/webhook-endpoints', { url: 'https://a.example' })).status).toBe(
    201,
  );
});
