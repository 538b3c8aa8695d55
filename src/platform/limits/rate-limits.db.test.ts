import { describe, expect, test } from 'vitest';
import { newLink, newProject } from '../../../test/support/billing.ts';
import { call, type TestService, testService } from '../../../test/support/service.ts';
import { mintKey } from '../access/key.ts';

test('429 with Retry-After and RateLimit headers when a key exceeds its burst; another key is not affected', async () => {
  const service = await testService({ RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '5' });
  const shop = await service.createMerchant();
  const other = await service.createMerchant();
  const answers = [];
  for (let i = 0; i < 20; i++) answers.push(await shop.call('POST', '/api/b2b/merchants/terminals', {}));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.body.error.code).toBe('RATE_LIMITED');
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused[0]!.headers.get('ratelimit-limit')).toBe('5');
  expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0');
  const made = await service.db.query('select from terminals where merchant_id = $1', [shop.id]);
  expect(made).toHaveLength(20 - refused.length);
  expect((await other.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
});

test('429 for usage beyond a limit of its own, which other calls neither use nor share', async () => {
  const service = await testService({
    RATE_LIMIT_KEY_PER_SECOND: '1',
    RATE_LIMIT_KEY_BURST: '1',
    RATE_LIMIT_USAGE_PER_SECOND: '10',
  });
  const shop = await service.createMerchant();
  const answers = await Promise.all(Array.from({ length: 60 }, () => shop.call('POST', '/api/v2/usage', {})));
  expect(answers.filter((answer) => answer.status === 400).length).toBeGreaterThanOrEqual(10);
  const refused = answers.filter((answer) => answer.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]!.headers.get('ratelimit-limit')).toBe('10');
  const other = await shop.call('GET', '/api/b2b/merchants/me');
  expect([other.status, other.headers.get('ratelimit-limit')]).toEqual([200, '1']);
});

const ME = '/api/b2b/merchants/me';

/** Calls with a well-formed key that nobody was ever given. */
const guess = (service: TestService, headers: Record<string, string> = {}) =>
  call(service.url + ME, 'GET', undefined, {
    authorization: `Bearer ${mintKey('devnet').raw}`,
    ...headers,
  });

test('429 with every header for wrong keys beyond the limit; a valid key of the same address keeps working', async () => {
  const service = await testService({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3' });
  const shop = await service.createMerchant();
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push(await guess(service));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual([
    ...['2', '1', '0'],
    ...['0', '0', '0'],
  ]);
  for (const { headers, body } of answers.slice(3)) {
    expect(body.error.code).toBe('RATE_LIMITED');
    expect(headers.get('ratelimit-limit')).toBe('3');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(1);
    expect(headers.get('ratelimit-reset')).toBe(headers.get('retry-after'));
  }
  const later = await shop.keyWith(['payments:read']);
  for (let i = 0; i < 20; i++) {
    expect((await guess(service)).status).toBe(429);
    expect((await shop.call('GET', ME)).status).toBe(200);
    expect((await shop.call('GET', ME, undefined, { authorization: `Bearer ${later}` })).status).toBe(200);
  }
  expect((await call(`${service.url}${ME}`, 'GET')).status).toBe(401);
  expect((await call(`${service.url}/health/live`, 'GET')).status).toBe(200);
});

test('429 for what cannot be a key, and for wrong metrics tokens, counted together with wrong keys', async () => {
  const service = await testService({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3', METRICS_TOKEN: 'right' });
  const metrics = (token: string) =>
    call(`${service.url}/metrics`, 'GET', undefined, { authorization: `Bearer ${token}` });
  expect((await guess(service, { authorization: 'Bearer nonsense' })).status).toBe(401);
  expect((await metrics('wrong')).status).toBe(403);
  expect((await guess(service)).status).toBe(401);
  const refused = await metrics('wrong again');
  expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
  expect((await guess(service, { authorization: 'Bearer nonsense' })).status).toBe(429);
  expect((await metrics('right')).status).toBe(200);
});

test('RateLimit-Reset counts down to a full bucket while calls pass, and to the next call once refused', async () => {
  const service = await testService({ RATE_LIMIT_KEY_PER_SECOND: '1', RATE_LIMIT_KEY_BURST: '50' });
  const shop = await service.createMerchant();
  const answers = await Promise.all(Array.from({ length: 90 }, () => shop.call('GET', ME)));
  for (const { status, headers } of answers) {
    const reset = Number(headers.get('ratelimit-reset'));
    if (status === 429) expect([reset, headers.get('retry-after')]).toEqual([1, '1']);
    else expect(reset - (50 - Number(headers.get('ratelimit-remaining')))).toBeOneOf([-1, 0]);
  }
  expect(answers.map(({ headers }) => headers.get('ratelimit-reset'))).toContain('50');
});

test('429 for an address that asks too often without a key, however it spells the path; keys and preflights go on', async () => {
  const service = await testService({ RATE_LIMIT_PUBLIC_PER_SECOND: '1', TRUST_PROXY: 'true' });
  const shop = await service.createMerchant();
  const intent = (await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' })).body;
  const ask = (address: string, method: string, rest = '', prefix = '/api/public/intents') =>
    call(`${service.url}${prefix}/${intent.id}${rest}`, method, undefined, { 'x-forwarded-for': address });
  const first = await ask('192.0.2.1', 'GET');
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit-limit')).toBe('2');
  expect(first.headers.get('ratelimit-remaining')).toBe('1');
  const answers = [];
  for (let i = 0; i < 8; i++) {
    answers.push(await ask('192.0.2.1', 'GET'));
    answers.push(await ask('192.0.2.1', 'POST', '/check'));
    answers.push(await ask('192.0.2.1', 'GET', '/pay'));
    answers.push(await ask('192.0.2.1', 'GET', '', '/api/%70ublic/intents'));
  }
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  const oddlySpelled = answers.filter((_answer, i) => i % 4 === 3).map(({ status }) => status);
  expect(oddlySpelled).toContain(429);
  for (const { headers } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(headers.get('ratelimit-remaining')).toBe('0');
  }
  expect(refused[0]!.body.error.code).toBe('RATE_LIMITED');
  const toWallet = refused.find(({ body }) => body.message)!;
  expect(Object.keys(toWallet.body)).toEqual(['message']);
  expect(toWallet.headers.get('access-control-allow-origin')).toBe('*');
  expect((await ask('192.0.2.1', 'OPTIONS', '/pay')).status).toBe(204);
  expect((await ask('192.0.2.2', 'GET')).status).toBe(200);
  expect((await shop.call('GET', `/api/merchants/intents/${intent.id}`)).status).toBe(200);
  const sameNetwork = [];
  for (let i = 0; i < 8; i++) sameNetwork.push((await ask(`2001:db8::${i}`, 'GET')).status);
  expect(sameNetwork).toContain(429);
  for (const spell of [(i: number) => `7.7.8.8:${1000 + i}`, (i: number) => `garbage${i}`]) {
    const statuses = [];
    for (let i = 0; i < 8; i++) statuses.push((await ask(spell(i), 'GET')).status);
    expect([spell(0), statuses]).toEqual([spell(0), expect.arrayContaining([429])]);
  }
});

test('429 for PDFs beyond an allowance of their own, which pages neither use nor share', async () => {
  const service = await testService({ RATE_LIMIT_PUBLIC_PER_SECOND: '10' });
  const ask = async (path: string) => (await call(`${service.url}/checkout/none${path}`, 'GET')).status;
  const prints = await Promise.all(Array.from({ length: 19 }, () => ask('/receipt.pdf')));
  expect(prints.filter((status) => status === 404).length).toBeGreaterThanOrEqual(10);
  expect(prints).toContain(429);
  expect(await Promise.all(Array.from({ length: 15 }, () => ask('')))).toEqual(Array(15).fill(404));
});

test('in the sandbox nothing is limited by default', async () => {
  const service = await testService();
  const shop = await service.createMerchant();
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => shop.call('GET', '/api/b2b/merchants/me')),
  );
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect(answers[0]!.headers.get('ratelimit-limit')).toBeNull();
  const { body } = await shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' });
  const views = await Promise.all(
    Array.from({ length: 100 }, () => call(`${service.url}/api/public/intents/${body.id}`, 'GET')),
  );
  expect(views.every((answer) => answer.status === 200)).toBe(true);
});

test('429 for a stranger who starts too many checkouts of one link; other links, other addresses and keys go on', async () => {
  const service = await testService({
    RATE_LIMIT_CHECKOUT_PER_MINUTE: '3',
    RATE_LIMIT_PUBLIC_PER_SECOND: '2',
    TRUST_PROXY: 'true',
  });
  const shop = await service.createMerchant();
  const project = await newProject(shop);
  const [link, other] = [await newLink(shop, project.id), await newLink(shop, project.id)];
  const buy = (token: string, address = '192.0.2.1') =>
    call(`${service.url}/api/payment-links/${token}/checkout`, 'POST', {}, { 'x-forwarded-for': address });
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push((await buy(link.paymentLink.publicToken)).status);
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
  expect((await buy(other.paymentLink.publicToken)).status).toBe(201);
  expect((await buy(link.paymentLink.publicToken, '192.0.2.2')).status).toBe(201);
  // Reading the public page counts as a call without a key; the owner's own reading does not.
  const look = (id: string, headers = {}) =>
    call(`${service.url}/api/payment-links/${id}`, 'GET', undefined, headers);
  const looks = [];
  for (let i = 0; i < 8; i++) looks.push((await look(link.paymentLink.publicToken)).status);
  expect(looks).toContain(429);
  for (let i = 0; i < 8; i++) {
    const own = await look(link.paymentLink.id, { authorization: `Bearer ${shop.key}` });
    expect(own.status).toBe(200);
  }
});

test('429 for an address that asks the portal too often; that a visit is over there does not count as guessing keys', async () => {
  const service = await testService({
    RATE_LIMIT_PUBLIC_PER_SECOND: '1',
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '1',
  });
  const shop = await service.createMerchant();
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await call(`${service.url}/api/portal/me`, 'GET')).status),
  );
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await shop.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
});

describe('behind a proxy that is not trusted', () => {
  const warnings = ({ log }: TestService) => log.filter((line) => line.includes('TRUST_PROXY'));
  const FORWARDED = [
    { 'x-forwarded-for': '192.0.2.1' },
    { forwarded: 'for=192.0.2.1' },
    { 'x-real-ip': '192.0.2.1' },
    { via: '1.1 proxy' },
  ];

  test.each(FORWARDED)('one warning for requests that carry %o', async (headers) => {
    const service = await testService();
    await call(`${service.url}/health/live`, 'GET');
    expect(warnings(service)).toEqual([]);
    for (let i = 0; i < 3; i++) await call(`${service.url}/health/live`, 'GET', undefined, headers);
    expect(warnings(service)).toHaveLength(1);
    expect(JSON.parse(warnings(service)[0]!)).toMatchObject({ level: 'warn', address: '127.0.0.1' });
  });

  test('none when the proxy is trusted, one when another address than the trusted sends them', async () => {
    const trusting = await testService({ TRUST_PROXY: '127.0.0.1' });
    await call(`${trusting.url}/health/live`, 'GET', undefined, FORWARDED[0]);
    expect(warnings(trusting)).toEqual([]);
    const mistaken = await testService({ TRUST_PROXY: '192.0.2.7' });
    await call(`${mistaken.url}/health/live`, 'GET', undefined, FORWARDED[0]);
    expect(warnings(mistaken)).toHaveLength(1);
  });
});
