import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { readCsv, readPages } from '../../../test/support/billing-rows.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

describe('/api/v2/customers', () => {
  const path = '/api/v2/customers';
  let projectId: string;
  beforeAll(async () => {
    projectId = (await shop.call('POST', '/api/v2/projects', { name: 'p' })).body.id;
  });
  const create = (body: object = {}) => shop.call('POST', path, { projectId, ...body });

  test('201 with exactly the documented fields; 200 when read back, with its balances', async () => {
    const made = await create({ externalCustomerId: 'u 1', email: 'ann@example.com', name: 'Ann' });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        projectId,
        externalCustomerId: 'u 1',
        email: 'ann@example.com',
        emailSource: 'merchant',
        name: 'Ann',
        language: null,
        creditBalance: 0,
        accountCreditCents: 0,
        metadata: {},
        address: null,
        country: null,
        isBusiness: false,
        taxIds: [],
        mergedIntoCustomerId: null,
        createdAt: expect.stringMatching(/Z$/),
      },
    ]);
    const url = `${path}/${made.body.id}`;
    expect((await shop.call('GET', url)).text).toBe(made.text);
    await service.db.query(
      'insert into balances (merchant_id, customer_id, credits, cents) values ($1, $2, 9007199254740993, 7)',
      [shop.id, made.body.id],
    );
    const rich = (await shop.call('GET', url)).body;
    expect([rich.creditBalance, rich.accountCreditCents]).toEqual([9_007_199_254_740_993n, 7]);
    const listed = await shop.call('GET', `${path}?projectId=${projectId}`);
    expect(listed.body.data).toContainEqual(rich);
  });

  test('201 from a project alone; null is the same as nothing', async () => {
    for (const body of [{}, { externalCustomerId: null, email: null, name: null }]) {
      expect((await create(body)).body).toMatchObject({ externalCustomerId: null, email: null, name: null });
    }
  });

  test('409 CUSTOMER_EXISTS for a second externalCustomerId in the project, also at once; another project may have it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create({ externalCustomerId: 'same' })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect(answers.find((answer) => answer.status === 409)!.body.error.code).toBe('CUSTOMER_EXISTS');
    const other = (await shop.call('POST', '/api/v2/projects', { name: 'other' })).body.id;
    expect((await create({ projectId: other, externalCustomerId: 'same' })).status).toBe(201);
  });

  test('the same Idempotency-Key makes one customer; another body is a 409', async () => {
    const key = { 'idempotency-key': 'c /api/v2' };
    const ask = (name: string) => shop.call('POST', path, { projectId, name }, key);
    const answers = await Promise.all([ask('a'), ask('a'), ask('a')]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect((await ask('b')).body.error.code).toBe('IDEMPOTENCY_CONFLICT');
  });

  test('400 for anything else, the field first, and nothing is written', async () => {
    const bad: [object, string][] = [
      [{ projectId: undefined }, 'projectId'],
      [{ projectId: 'x' }, 'projectId'],
      [{ projectId: randomUUID() }, 'projectId'],
      [{ externalCustomerId: '' }, 'externalCustomerId'],
      [{ externalCustomerId: 'x'.repeat(256) }, 'externalCustomerId'],
      [{ externalCustomerId: 5 }, 'externalCustomerId'],
      [{ email: '' }, 'email'],
      [{ email: 'ann' }, 'email'],
      [{ email: '@b' }, 'email'],
      [{ email: 'a@' }, 'email'],
      [{ email: 'ann\u200b@example.com' }, 'email'],
      [{ email: 'ann@exam\u00adple.com' }, 'email'],
      [{ email: 'a@b@c' }, 'email'],
      [{ email: 'a b@c' }, 'email'],
      [{ email: 'a\u0000@c' }, 'body'],
      [{ email: `${'a'.repeat(250)}@b.cd` }, 'email'],
      [{ name: 'x'.repeat(256) }, 'name'],
      [{ language: 'x' }, 'language'],
      [{ language: 'de_AT' }, 'language'],
      [{ language: 'de\r\nx' }, 'language'],
      [{ language: `de${'-abcdefgh'.repeat(4)}` }, 'language'],
      [{ creditBalance: 5 }, 'creditBalance'],
    ];
    const count = async () => (await service.db.query('select from customers')).length;
    const before = await count();
    for (const [body, field] of bad) {
      const answer = await create(body);
      expect([body, answer.status, answer.body.error?.message.split(' ')[0]]).toEqual([body, 400, field]);
    }
    expect(await count()).toBe(before);
    expect((await create({ email: `${'a'.repeat(64)}@${'b.'.repeat(92)}b.cd` })).status).toBe(201);
  });

  test('PATCH 200: e-mail and name, null clears, {} changes nothing; the audit log keeps no personal data', async () => {
    const made = (await create({ externalCustomerId: 'p /api/v2', email: 'ann@example.com', name: 'Ann' }))
      .body;
    const url = `${path}/${made.id}`;
    expect((await shop.call('PATCH', url, {})).body).toEqual(made);
    const renamed = await shop.call('PATCH', url, { name: 'Anna' });
    expect([renamed.status, renamed.body]).toEqual([200, { ...made, name: 'Anna' }]);
    const german = await shop.call('PATCH', url, { language: 'de-AT' });
    expect(german.body).toEqual({ ...made, name: 'Anna', language: 'de-AT' });
    const cleared = await shop.call('PATCH', url, { email: null, name: null, language: null });
    expect(cleared.body).toEqual({ ...made, email: null, emailSource: null, name: null });
    expect((await shop.call('GET', url)).text).toBe(cleared.text);
    const entries = await service.db.query<{ detail: object }>(
      'select detail from audit_entries where target_id = $1 order by id',
      [made.id],
    );
    expect(entries.map((entry) => entry.detail)).toEqual([
      { fields: ['name'] },
      { fields: ['language'] },
      { fields: ['email', 'name', 'language'] },
    ]);
    for (const body of [{ externalCustomerId: 'x' }, { projectId }, { email: 'x' }, { name: '' }, []]) {
      expect([body, (await shop.call('PATCH', url, body)).status]).toEqual([body, 400]);
    }
  });

  test('404 for what is not there', async () => {
    for (const id of [randomUUID(), 'x']) {
      expect((await shop.call('GET', `${path}/${id}`)).status).toBe(404);
      expect((await shop.call('PATCH', `${path}/${id}`, {})).status).toBe(404);
    }
  });

  test('a list shows each once, newest first, while others are made; by project, external id and time; as CSV', async () => {
    const merchant = await service.createMerchant();
    const project = async () => (await merchant.call('POST', '/api/v2/projects', { name: 'p' })).body.id;
    const [one, two] = [await project(), await project()];
    const make = async (at: string, i: number) =>
      (await merchant.call('POST', path, { projectId: at, externalCustomerId: `u${i}`, name: '@x' })).body;
    const made = [];
    for (let i = 0; i < 5; i++) made.push(await make(one, i));
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await make(two, i));
    const newest = (list: { id: string }[]) => list.map(({ id }) => id).reverse();
    let next = 100;
    const pages = await readPages(merchant, `${path}?limit=2&projectId=${one}`, () => make(one, next++));
    expect(pages).toEqual(newest(made));
    expect(await readPages(merchant, `${path}?limit=1&externalCustomerId=u1`)).toEqual(
      newest([made[1], others[1]]),
    );
    expect(await readPages(merchant, `${path}?limit=5&externalCustomerId=u1&projectId=${two}`)).toEqual([
      others[1].id,
    ]);
    expect(
      await readPages(merchant, `${path}?limit=5&projectId=${two}&createdTo=2000-01-01T00:00:00Z`),
    ).toEqual([]);
    expect(
      await readPages(merchant, `${path}?limit=5&projectId=${two}&createdFrom=2000-01-01T00:00:00Z`),
    ).toEqual(newest(others));
    expect(await readPages(merchant, `${path}?limit=5&projectId=${randomUUID()}`)).toEqual([]);
    const lines = await readCsv(merchant, `${path}?projectId=${two}&limit=1`);
    expect(lines[0]).toBe(
      'createdAt,createdDate,externalCustomerId,email,name,language,creditBalance,accountCreditUsd,accountCreditCents,country,isBusiness,emailSource,currency,address.line1,address.line2,address.postalCode,address.city,address.state,metadata,address,taxIds,id,projectId,mergedIntoCustomerId',
    );
    expect(lines.slice(1).map((line) => line.split(',').slice(2, 9))).toEqual(
      newest(others).map((_, i) => [`u${2 - i}`, '', "'@x", '', '0', '0.00', '0']),
    );
    expect(lines.slice(1).map((line) => line.split(',').slice(-3, -1))).toEqual(
      newest(others).map((id) => [id, two]),
    );
    for (const query of ['mail=a', 'projectId=x', 'externalCustomerId=', 'status=open', 'cursor=x']) {
      expect([query, (await merchant.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
    }
  });
});
