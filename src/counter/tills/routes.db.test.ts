import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { enter, newPlace, pairedTill, TILLS } from '../../../test/support/till.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '0' });
  shop = await service.createMerchant('Bean & Co');
});

const auditOf = (targetId: string) =>
  service.db.query<{ actor: string; action: string; detail: object }>(
    'select actor, action, detail from audit_entries where target_id = $1 order by id',
    [targetId],
  );

async function elapse(minutes: number): Promise<void> {
  const { clock } = service;
  clock.setOffsetMs(clock.now().getTime() - Date.now() + minutes * 60_000);
}

describe('pairing', () => {
  test('a code is exchanged for a key, once; both are stored as hashes alone, and both are audited', async () => {
    const place = await newPlace(shop);
    const made = await shop.call('POST', TILLS, { ...place, name: 'Blue phone', tipPercents: [10, 15] });
    expect(made.status).toBe(201);
    const { id, code } = made.body;
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(made.body.url).toBe(`http://127.0.0.1/till#code=${code.replace('-', '')}`);
    expect((await shop.call('GET', TILLS)).body).toEqual([]);

    const paired = await enter(service, ` ${code.toLowerCase().replace('-', ' ')}`);
    expect([paired.status, paired.text]).toEqual([204, '']);
    const cookie = paired.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^florin_till=till_00\w{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/);
    const own = await call(`${service.url}/api/till`, 'GET', undefined, { cookie: cookie.split(';')[0]! });
    expect(own.body).toEqual({
      id,
      name: 'Blue phone',
      seller: 'Bean & Co',
      terminalName: 'Counter',
      tipPercents: [10, 15],
      csrfToken: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(own.headers.get('cache-control')).toBe('no-store');
    expect((await shop.call('GET', TILLS)).body).toMatchObject([{ id, ...place, name: 'Blue phone' }]);

    const secret = cookie.slice('florin_till='.length).split(';')[0]!;
    const [row] = await service.db.query<{ row: string }>(
      'select t::text as row from tills t where id = $1',
      [id],
    );
    expect(row!.row).not.toContain(code.replace('-', ''));
    expect(row!.row).not.toContain(secret);
    expect(service.log.join('')).not.toContain(secret);
    expect(service.log.join('')).not.toContain(code.replace('-', ''));
    expect(await auditOf(id)).toMatchObject([
      { action: 'till.code_created', detail: place },
      { actor: `till:${id}`, action: 'till.paired', detail: place },
    ]);
  });

  test('a code that is used, replaced, expired, withdrawn or made up gets one and the same answer', async () => {
    const place = await newPlace(shop);
    const make = async () => (await shop.call('POST', TILLS, place)).body;
    const replaced = await make();
    const withdrawn = await make();
    expect((await shop.call('DELETE', `${TILLS}/${withdrawn.id}`)).status).toBe(204);
    const expired = await make();
    const answers = [await enter(service, replaced.code), await enter(service, withdrawn.code)];
    await elapse(10);
    answers.push(await enter(service, expired.code));
    const good = await make();
    await elapse(9.9);
    const both = await Promise.all([enter(service, good.code), enter(service, good.code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401]);
    answers.push(...both.filter(({ status }) => status === 401), await enter(service, good.code));
    for (const code of ['AAAA-AAAA', 'short', 'ÄÄÄÄ-ÄÄÄÄ']) answers.push(await enter(service, code));
    expect(answers).toHaveLength(8);
    for (const { status, body, headers } of answers) {
      expect([status, body.error.code, body.error.message]).toEqual([
        401,
        'PAIRING_CODE_INVALID',
        'This code does not work. A code works once, for 10 minutes; get a new one in the dashboard.',
      ]);
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect(await shop.call('POST', TILLS, place)).toMatchObject({
      status: 409,
      body: { error: { message: 'This terminal has a till. Unpair it first, or use another terminal.' } },
    });
  });

  test('guessing is refused after a few wrong codes and cookies', async () => {
    const guarded = await testService({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '3' }, service.db);
    const statuses: number[] = [];
    for (let i = 0; i < 2; i++) statuses.push((await enter(guarded, 'AAAA-AAAA')).status);
    const forged = { cookie: `florin_till=till_${'A'.repeat(43)}` };
    for (let i = 0; i < 2; i++)
      statuses.push((await call(`${guarded.url}/api/till`, 'GET', undefined, forged)).status);
    statuses.push((await enter(guarded, 'AAAA-AAAA')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await call(`${guarded.url}/api/till`, 'GET')).status).toBe(401);
  });

  test('bad input names its field and makes nothing', async () => {
    const place = await newPlace(shop);
    const refusedBy = async (body: object) => (await shop.call('POST', TILLS, body)).body.error.message;
    expect(await refusedBy({ ...place, tipPercents: [5, 5] })).toContain('tipPercents must not');
    expect(await refusedBy({ ...place, tipPercents: [0] })).toContain('tipPercents');
    expect(await refusedBy({ ...place, projectId: place.terminalId })).toContain('projectId must be');
    expect(await refusedBy({ ...place, terminalId: place.projectId })).toContain('terminalId must be');
    expect(await refusedBy({ terminalId: place.terminalId })).toContain('projectId');
    await shop.call('PATCH', `/api/b2b/merchants/terminals/${place.terminalId}`, { isActive: false });
    expect(await refusedBy(place)).toBe('This terminal is not active.');
    const rows = await service.db.query('select from tills where terminal_id = $1', [place.terminalId]);
    expect(rows).toEqual([]);
  });
});

describe('the key', () => {
  test('works for the till’s own calls alone, and no other credential works there', async () => {
    const till = await pairedTill(service, shop);
    const secret = till.cookie.split('=')[1]!;
    const guarded = service.app.routeDescriptions.filter(
      ({ scopes, portal, dashboard, keyless }) => (scopes && !keyless) || portal || dashboard,
    );
    for (const { method, path } of guarded) {
      const url = service.url + path.replace(/\{\w+\}/g, till.terminalId);
      for (const headers of [{ cookie: till.cookie }, { authorization: `Bearer ${secret}` }] as Record<
        string,
        string
      >[]) {
        const { status } = await call(url, method, method === 'GET' ? undefined : {}, headers);
        expect([method, path, status]).toEqual([method, path, 401]);
      }
    }
    const byKey = await call(`${service.url}/api/till`, 'GET', undefined, {
      authorization: `Bearer ${shop.key}`,
    });
    expect([byKey.status, byKey.body.error.code]).toEqual([401, 'TILL_NOT_PAIRED']);
  });

  test('ends at once when the till is unpaired, which is audited; unpairing again changes nothing', async () => {
    const till = await pairedTill(service, shop);
    expect((await till.call('GET', '')).status).toBe(200);
    for (let i = 0; i < 2; i++) expect((await shop.call('DELETE', `${TILLS}/${till.id}`)).status).toBe(204);
    const refused = await till.call('GET', '');
    expect([refused.status, refused.body.error.code]).toEqual([401, 'TILL_NOT_PAIRED']);
    expect((await auditOf(till.id)).map(({ action }) => action)).toEqual([
      'till.code_created',
      'till.paired',
      'till.unpaired',
    ]);
    const next = await pairedTill(service, shop, { terminalId: till.terminalId, projectId: till.projectId });
    expect((await next.call('GET', '')).status).toBe(200);
    const { body: elsewhere } = await shop.call('POST', TILLS, await newPlace(shop));
    const again = await call(
      `${service.url}/api/till/pair`,
      'POST',
      { code: elsewhere.code },
      { cookie: next.cookie },
    );
    expect([again.status, (await next.call('GET', '')).status]).toEqual([204, 401]);
    expect((await auditOf(next.id)).at(-1)!.action).toBe('till.unpaired');
  });
});
