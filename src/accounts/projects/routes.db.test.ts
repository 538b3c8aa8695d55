import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPlan, newSession, referenceOf } from '../../../test/support/billing.ts';
import {
  insertInvoice,
  insertSession,
  MOUNTS,
  readCsv,
  readPages,
} from '../../../test/support/billing-rows.ts';
import {
  call,
  newAddress,
  PAYOUT,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import { monthOf } from './volume.ts';

const OTHER_ADDRESS = newAddress();
const DEFAULTS = {
  gracePeriodDays: 7,
  renewalLeadDays: 7,
  reminderDays: [3, 1],
  invoicePrefix: 'INV',
  usageCredits: {},
  lowBalanceCredits: null,
  sponsorFees: null,
  agentRefundLimitCents: 0,
  embedOrigins: [],
  supportEmail: null,
  termsUrl: null,
  portalSignIn: false,
  portalPlanChangesPerDay: 10,
};
let service: TestService;
let shop: TestMerchant;
/** The clock moves only forward, so that a later change bears a later time. */
let offsetMs = 1_000;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const withKey = (key: string, method: string, path: string, body?: unknown) =>
  call(service.url + path, method, body, { authorization: `Bearer ${key}` });

const auditOf = (targetId: string) =>
  service.db.query<{ action: string; detail: Record<string, unknown>; actor: string }>(
    'select action, detail, actor from audit_entries where target_id = $1 order by id',
    [targetId],
  );

describe('/api/v2/projects', () => {
  const path = '/api/v2/projects';
  const create = async (body: object = {}) => (await shop.call('POST', path, { name: 'p', ...body })).body;

  test('201 from a name alone, with exactly the documented fields; 200 when read back, with the same bytes', async () => {
    const made = await shop.call('POST', path, { name: 'Acme' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme',
      brandName: null,
      brandColor: null,
      logoUrl: null,
      portalSignInUrl: null,
      seller: null,
      environment: 'devnet',
      payoutAddress: null,
      monthlyVolumeLimitCents: null,
      monthlyRequestLimit: null,
      settings: DEFAULTS,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/),
      updatedAt: made.body.createdAt,
      archivedAt: null,
    });
    const read = await shop.call('GET', `${path}/${made.body.id.toUpperCase()}`);
    expect([read.status, read.text]).toEqual([200, made.text]);
    expect((await auditOf(made.body.id)).map((entry) => entry.action)).toEqual(['project.created']);
  });

  test('201 with everything, to the last digit', async () => {
    const body = {
      name: 'Acme',
      environment: 'devnet',
      payoutAddress: PAYOUT,
      settings: { ...DEFAULTS, gracePeriodDays: 0, usageCredits: { 'api.calls': 2 }, invoicePrefix: 'A-1' },
    };
    const text = JSON.stringify(body).replace(
      '"lowBalanceCredits":null,"sponsorFees":null,"agentRefundLimitCents":0,"embedOrigins":[],"supportEmail":null,"termsUrl":null,"portalSignIn":false,"portalPlanChangesPerDay":10}',
      '"lowBalanceCredits":9007199254740993,"agentRefundLimitCents":9223372036854775807},"monthlyVolumeLimitCents":9223372036854775807,"monthlyRequestLimit":0',
    );
    const made = await shop.call('POST', path, text);
    expect(made.status).toBe(201);
    const read = await shop.call('GET', `${path}/${made.body.id}`);
    expect(read.body).toMatchObject({
      ...body,
      settings: {
        ...body.settings,
        lowBalanceCredits: 9_007_199_254_740_993n,
        agentRefundLimitCents: 9_223_372_036_854_775_807n,
      },
      monthlyVolumeLimitCents: 9_223_372_036_854_775_807n,
      monthlyRequestLimit: 0,
    });
  });

  test('400 for anything else, the field first', async () => {
    const bad: [object | string, string][] = [
      [{}, 'name'],
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ name: 'a\nb' }, 'name'],
      [{ name: 'a', environment: 'mainnet' }, 'environment'],
      [{ name: 'a', environment: 'sandbox' }, 'environment'],
      [{ name: 'a', payoutAddress: 'x' }, 'payoutAddress'],
      [{ name: 'a', monthlyVolumeLimitCents: -1 }, 'monthlyVolumeLimitCents'],
      [{ name: 'a', monthlyVolumeLimitCents: 1.5 }, 'monthlyVolumeLimitCents'],
      ['{"name":"a","monthlyVolumeLimitCents":9223372036854775808}', 'monthlyVolumeLimitCents'],
      [{ name: 'a', monthlyRequestLimit: '5' }, 'monthlyRequestLimit'],
      [{ name: 'a', settings: null }, 'settings'],
      [{ name: 'a', settings: { colour: 'red' } }, 'settings.colour'],
      [{ name: 'a', settings: { reminderDays: [1, 1] } }, 'settings.reminderDays'],
      [{ name: 'a', settings: { invoicePrefix: 'a b' } }, 'settings.invoicePrefix'],
      [{ name: 'a', settings: { usageCredits: { 'No!': 1 } } }, 'settings.usageCredits'],
      [{ name: 'a', settings: { usageCredits: { calls: 0 } } }, 'settings.usageCredits.calls'],
      [{ name: 'a', settings: { lowBalanceCredits: 0 } }, 'settings.lowBalanceCredits'],
      ...['http://user:pass@shop.example', 'https://a:b@shop.example', 'javascript:1', 'https:terms'].map(
        (termsUrl): [object, string] => [{ name: 'a', settings: { termsUrl } }, 'settings.termsUrl'],
      ),
      ...['help', 'help@shop', 'help@shop..example', '<help@shop.example>'].map(
        (supportEmail): [object, string] => [
          { name: 'a', settings: { supportEmail } },
          'settings.supportEmail',
        ],
      ),
      [{ name: 'a', id: randomUUID() }, 'id'],
    ];
    const count = async () => (await service.db.query('select from projects')).length;
    const before = await count();
    for (const [body, field] of bad) {
      const answer = await shop.call('POST', path, body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect(await count()).toBe(before);
  });

  test('the same Idempotency-Key makes one project, in both versions; another body is a 409', async () => {
    const key = { 'idempotency-key': 'create /api/v2' };
    const answers = await Promise.all(
      MOUNTS.flatMap((each) =>
        [1, 2, 3].map(() => shop.call('POST', `${each}/projects`, { name: 'once' }, key)),
      ),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed'))).toHaveLength(5);
    const other = await shop.call('POST', path, { name: 'other' }, key);
    expect([other.status, other.body.error.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
  });

  test('PATCH 200: what is named changes, null clears, {} and equal values change nothing', async () => {
    const made = await create({ monthlyVolumeLimitCents: 5, settings: { reminderDays: [2] } });
    const url = `${path}/${made.id}`;
    expect((await shop.call('PATCH', url, {})).body).toEqual(made);
    expect((await shop.call('PATCH', url, { name: 'p', settings: {} })).body).toEqual(made);
    expect(await auditOf(made.id)).toHaveLength(1);

    offsetMs += 1_000;
    service.clock.setOffsetMs(offsetMs);
    const named = await shop.call('PATCH', url, { name: 'q', settings: { gracePeriodDays: 3 } });
    expect(named.body).toMatchObject({
      name: 'q',
      monthlyVolumeLimitCents: 5,
      settings: { ...DEFAULTS, reminderDays: [2], gracePeriodDays: 3 },
    });
    expect(named.body.updatedAt > made.updatedAt).toBe(true);
    expect((await auditOf(made.id)).at(-1)).toMatchObject({
      action: 'project.changed',
      detail: { before: { name: 'p' }, after: { name: 'q' } },
    });

    const cleared = await shop.call('PATCH', url, { monthlyVolumeLimitCents: null });
    expect(cleared.body).toMatchObject({ name: 'q', monthlyVolumeLimitCents: null });
    expect((await shop.call('GET', url)).text).toBe(cleared.text);
  });

  test('PATCH 400 for what cannot be changed or cleared; 404 for what is not there', async () => {
    const url = `${path}/${(await create()).id}`;
    for (const body of [
      { name: null },
      { settings: null },
      { environment: 'devnet' },
      { settings: { x: 1 } },
      { settings: { invoicePrefix: null } },
      { payoutAddress: 'x' },
      { archivedAt: null },
    ]) {
      expect([body, (await shop.call('PATCH', url, body)).status]).toEqual([body, 400]);
    }
    expect((await shop.call('PATCH', url)).status).toBe(400);
    for (const id of [randomUUID(), 'x']) {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        expect([method, (await shop.call(method, `${path}/${id}`, body)).status]).toEqual([method, 404]);
      }
    }
  });

  test('403 names every scope that is missing to change a payout address, whichever the key holds', async () => {
    const { id } = await create({});
    for (let bits = 0; bits < 15; bits++) {
      const held = SCOPES.filter((_scope, i) => bits & (1 << i));
      if (held.length === 0) continue;
      const key = await shop.keyWith(held);
      for (const [method, url, body] of [
        ['PATCH', `${path}/${id}`, { payoutAddress: newAddress() }],
        ['POST', path, { name: 'a', payoutAddress: newAddress() }],
      ] as const) {
        const { status, body: answer } = await withKey(key, method, url, body);
        expect([held, method, status, answer.error?.code]).toEqual([held, method, 403, 'INSUFFICIENT_SCOPE']);
        const named = SCOPES.filter((scope) => answer.error.message.includes(scope));
        expect([held, method, named]).toEqual([
          held,
          method,
          SCOPES.filter((scope) => !held.includes(scope)),
        ]);
      }
    }
    expect((await shop.call('GET', `${path}/${id}`)).body.payoutAddress).toBeNull();
  });

  test('a payout address wants all four scopes, to set as to change, and is audited on its own', async () => {
    const writer = await shop.keyWith(['billing:read', 'billing:write', 'payments:read']);
    const refused = await withKey(writer, 'POST', path, { name: 'a', payoutAddress: PAYOUT });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(refused.body.error.message).toContain('payments:write');
    expect((await withKey(writer, 'POST', path, { name: 'a', payoutAddress: null })).status).toBe(201);

    const made = await create({ payoutAddress: PAYOUT });
    const url = `${path}/${made.id}`;
    for (const payoutAddress of [OTHER_ADDRESS, null]) {
      expect((await withKey(writer, 'PATCH', url, { name: 'z', payoutAddress })).status).toBe(403);
    }
    expect((await shop.call('GET', url)).body).toEqual(made);
    expect((await withKey(writer, 'PATCH', url, { name: 'z', payoutAddress: PAYOUT })).status).toBe(200);
    expect((await shop.call('PATCH', url, { payoutAddress: OTHER_ADDRESS })).body.payoutAddress).toBe(
      OTHER_ADDRESS,
    );
    expect((await shop.call('PATCH', url, { payoutAddress: null })).body.payoutAddress).toBeNull();
    const entries = (await auditOf(made.id)).filter(
      (entry) => entry.action === 'project.payout_address_changed',
    );
    expect(entries.map((entry) => entry.detail)).toEqual([
      { from: PAYOUT, to: OTHER_ADDRESS },
      { from: OTHER_ADDRESS, to: null },
    ]);
  });

  test('DELETE 204, twice as well: it can be read, is listed apart, and takes nothing new', async () => {
    const { id } = await create();
    const url = `${path}/${id}`;
    expect((await shop.call('DELETE', url)).status).toBe(204);
    const archived = (await shop.call('GET', url)).body;
    expect(archived.archivedAt).toMatch(/Z$/);
    expect((await shop.call('DELETE', url)).status).toBe(204);
    expect((await shop.call('GET', url)).body).toEqual(archived);
    expect(await readPages(shop, `${path}?limit=100`)).not.toContain(id);
    expect(await readPages(shop, `${path}?limit=100&archived=false`)).not.toContain(id);
    expect(await readPages(shop, `${path}?limit=100&archived=true`)).toContain(id);
    expect((await auditOf(id)).map((entry) => entry.action)).toEqual(['project.created', 'project.archived']);
    const attempts = [
      ['PATCH', url, { name: 'x' }],
      ['POST', '/api/v2/customers', { projectId: id }],
      ['POST', '/api/v2/products', { projectId: id, name: 'x' }],
    ] as const;
    for (const [method, to, body] of attempts) {
      const answer = await shop.call(method, to, body);
      expect([to, answer.status, answer.body.error.code]).toEqual([to, 409, 'INVALID_STATE']);
    }
  });

  test('DELETE 409 PROJECT_NOT_EMPTY while a subscription lives', async () => {
    const { id } = await create();
    const plan = await newPlan(shop, id);
    const begin = { mode: 'subscription', priceId: plan.id, externalCustomerId: 'a' };
    const session = await newSession(shop, id, begin);
    const remove = async () => (await shop.call('DELETE', `${path}/${id}`)).body?.error.code;
    expect(await remove()).toBe('PROJECT_NOT_EMPTY');
    const references = [await referenceOf(shop, session)];
    await arrive(service, shop.id, { references, baseUnits: centsToBaseUnits(BigInt(session.amountCents)) });
    expect(await remove()).toBe('PROJECT_NOT_EMPTY');
    const { subscriptionId } = session;
    await shop.call('POST', `/api/v2/subscriptions/${subscriptionId}/cancel`, { atPeriodEnd: false });
    expect(await remove()).toBeUndefined();
  });

  test('DELETE 409 PROJECT_NOT_EMPTY while an invoice is open', async () => {
    const { id } = await create();
    const invoiceId = await insertInvoice(service.db, { merchantId: shop.id, projectId: id });
    const refused = await shop.call('DELETE', `${path}/${id}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PROJECT_NOT_EMPTY']);
    await service.db.query(`update invoices set status = 'void' where id = $1`, [invoiceId]);
    expect((await shop.call('DELETE', `${path}/${id}`)).status).toBe(204);
  });

  test('a list shows each once, newest first, while others are made; by time; as CSV; unknown parameters are 400', async () => {
    const merchant = await service.createMerchant();
    const make = async () => (await merchant.call('POST', path, { name: '=1+1' })).body;
    const made = [];
    for (let i = 0; i < 7; i++) made.push(await make());
    const ids = made.map((one) => one.id).reverse();
    expect(await readPages(merchant, `${path}?limit=2`, make)).toEqual(ids);
    const all = await readPages(merchant, `${path}?limit=3`);
    expect(all).toHaveLength(10);
    const lines = await readCsv(merchant, `${path}?createdTo=2100-01-01T00:00:00Z`);
    expect(lines[0]).toMatch(
      /^createdAt,createdDate,name,environment,.*,settings.gracePeriodDays,.*,settings,seller,id$/,
    );
    expect(lines.slice(1).map((line) => [line.split(',').at(-1), line.split(',')[2]])).toEqual(
      all.map((id) => [id, "'=1+1"]),
    );
    const until = await readPages(merchant, `${path}?limit=9&createdTo=${made[3].createdAt}`);
    const from = await readPages(merchant, `${path}?limit=9&createdFrom=${made[3].createdAt}`);
    expect(until.length + from.length).toBe(10);
    expect(from).toContain(made[3].id);
    for (const query of ['projectId=1', 'offset=1', 'limit=0', 'limit=101', 'cursor=x', 'archived=1']) {
      expect([query, (await merchant.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
    }
  });
});

test('projects of one seller have prefixes of their own; 409 where one is chosen, or has numbers, that is another’s', async () => {
  const merchant = await service.createMerchant();
  const seller = { legalName: 'Acme GmbH', country: 'DE' };
  const make = async (body: object) =>
    (await merchant.call('POST', '/api/v2/projects', { name: 'p', ...body })).body;
  const prefixOf = (project: { settings: { invoicePrefix: string } }) => project.settings.invoicePrefix;
  const first = await make({ seller });
  const second = await make({ seller: { ...seller, legalName: 'ACME GmbH' } });
  const chosen = await merchant.call('POST', '/api/v2/projects', {
    ...{ name: 'p', seller, settings: { invoicePrefix: 'inv' } },
  });
  expect([chosen.status, chosen.body.error.code]).toEqual([409, 'INVALID_STATE']);
  const other = await make({ seller: { ...seller, legalName: 'Other GmbH' } });
  expect([first, second, other].map(prefixOf)).toEqual(['INV', 'INV2', 'INV']);
  const patch = (id: string, body: object) => merchant.call('PATCH', `/api/v2/projects/${id}`, body);
  expect(prefixOf((await patch((await make({})).id, { seller })).body)).toBe('INV3');
  await service.db.query('update projects set last_invoice_number = 1 where id = $1', [other.id]);
  for (const body of [{ seller }, { seller, settings: { invoicePrefix: 'INV2' } }]) {
    const refused = await patch(other.id, body);
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'INVALID_STATE']);
    expect(refused.body.error.message).toContain('Choose another settings.invoicePrefix');
  }
  expect((await patch(second.id, { settings: { invoicePrefix: 'INV' } })).status).toBe(409);
  const apart = await patch(other.id, { seller, settings: { invoicePrefix: 'OTHER' } });
  expect([apart.status, prefixOf(apart.body)]).toEqual([200, 'OTHER']);
});

test('a prefix stays its project’s once an invoice has it, whatever the project is called later', async () => {
  const merchant = await service.createMerchant();
  const seller = { legalName: 'Acme GmbH', country: 'DE' };
  const make = async (body: object) =>
    (await merchant.call('POST', '/api/v2/projects', { name: 'p', ...body })).body;
  const first = await make({ seller });
  const session = await merchant.call('POST', '/api/v2/checkout-sessions', {
    ...{ projectId: first.id, mode: 'one_time', amountCents: 100 },
  });
  expect(session.status).toBe(201);
  const { body } = await merchant.call('GET', '/api/v2/invoices');
  const { number } = body.data[0];
  expect(number).toBe('INV-000001');
  await merchant.call('PATCH', `/api/v2/projects/${first.id}`, { settings: { invoicePrefix: 'NEW' } });
  expect((await make({ seller })).settings.invoicePrefix).toBe('INV2');
  const taken = { name: 'p', seller, settings: { invoicePrefix: 'INV' } };
  expect((await merchant.call('POST', '/api/v2/projects', taken)).status).toBe(409);
  const back = { settings: { invoicePrefix: 'INV' } };
  expect((await merchant.call('PATCH', `/api/v2/projects/${first.id}`, back)).status).toBe(200);
});

test('a seller’s name is the same however it is spaced, also with what cannot be seen', async () => {
  const merchant = await service.createMerchant();
  const make = async (legalName: string) =>
    merchant.call('POST', '/api/v2/projects', { name: 'p', seller: { legalName, country: 'DE' } });
  const names = ['X GmbH', 'X  GmbH', 'X GmbH ', 'X\u00a0GmbH', 'X GmbH\u200b', 'x gmbh'];
  const prefixes: string[] = [];
  for (const name of names) prefixes.push((await make(name)).body.settings.invoicePrefix);
  expect(prefixes).toEqual(['INV', 'INV2', 'INV3', 'INV4', 'INV5', 'INV6']);
});

test('of projects that take one prefix at the same moment, one has it', async () => {
  const merchant = await service.createMerchant();
  const seller = { legalName: 'Acme GmbH', country: 'DE' };
  const made = await Promise.all(
    Array.from({ length: 6 }, () =>
      merchant.call('POST', '/api/v2/projects', { name: 'p', seller, settings: { invoicePrefix: 'ONE' } }),
    ),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
});

test('a volume limit that is set begins with what its month has seen, and with nothing else', async () => {
  const { id } = (await shop.call('POST', '/api/v2/projects', { name: 'p' })).body;
  const project = { merchantId: shop.id, projectId: id };
  const month = monthOf(service.clock.now());
  const set = (monthlyVolumeLimitCents: number | null) =>
    shop.call('PATCH', `/api/v2/projects/${id}`, { monthlyVolumeLimitCents });
  const counted = async () =>
    (
      await service.db.query<{ cents: bigint }>(
        'select volume_cents as cents from project_months where project_id = $1 and month = $2',
        [id, month],
      )
    )[0]?.cents;
  await insertSession(service.db, project, { amountCents: 30n, volumeMonth: month });
  await insertSession(service.db, project, { amountCents: 12n, volumeMonth: month });
  await insertSession(service.db, project, { amountCents: 500n, volumeMonth: null });
  await insertSession(service.db, project, { amountCents: 700n, volumeMonth: '2020-01-01' });
  await set(1);
  expect(await counted()).toBe(42n);
  await insertSession(service.db, project, { amountCents: 8n, volumeMonth: month });
  await set(2);
  expect(await counted()).toBe(42n);
  await set(null);
  await set(3);
  expect(await counted()).toBe(50n);
  await set(null);
  await service.db.query('update checkout_sessions set volume_month = null where project_id = $1', [id]);
  await set(4);
  expect(await counted()).toBe(0n);
});

test('on mainnet: environment mainnet; an unverified merchant reads, but makes nothing', async () => {
  const mainnet = await testService({
    FLORIN_NETWORK: 'mainnet',
    SOLANA_RPC_URLS: 'http://127.0.0.1:1',
    RATE_LIMIT_KEY_PER_SECOND: '0',
  });
  const merchant = await mainnet.createMerchant();
  const { status, body } = await merchant.call('POST', '/api/v2/projects', {
    name: 'a',
    environment: 'mainnet',
  });
  expect([status, body.environment]).toEqual([201, 'mainnet']);
  expect((await merchant.call('POST', '/api/projects', { name: 'a', environment: 'devnet' })).status).toBe(
    400,
  );
  await mainnet.db.query('update merchants set verification_status = 1');
  mainnet.app.authenticator.forget(merchant.id);
  for (const mount of MOUNTS) {
    for (const nouns of ['projects', 'customers', 'products', 'prices']) {
      const answer = await merchant.call('POST', `${mount}/${nouns}`, {});
      expect([nouns, answer.status, answer.body.error.code]).toEqual([nouns, 403, 'MERCHANT_NOT_VERIFIED']);
      expect((await merchant.call('GET', `${mount}/${nouns}`)).status).toBe(200);
    }
  }
});
