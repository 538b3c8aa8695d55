import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, startOfNextUtcMonth } from '../../src/platform/lib/clock.ts';
import {
  advance,
  bring,
  expectSound,
  newLink,
  newProject,
  newSession,
  readSession,
  runDue,
} from '../support/billing.ts';
import { call, type TestMerchant, type TestService, testService } from '../support/service.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  // The 10th of a month: what takes days does not end in the next one.
  service.clock.setOffsetMs(Date.UTC(2040, 0, 10) - Date.now());
  shop = await service.createMerchant();
});

const create = (projectId: string, amountCents: number) =>
  shop.call('POST', '/api/v2/checkout-sessions', { projectId, mode: 'one_time', amountCents });
const cancel = (id: string) => shop.call('POST', `/api/v2/checkout-sessions/${id}/cancel`);
const used = async (projectId: string) => {
  const { body } = await shop.call('GET', `/api/v2/billing/overview?projectId=${projectId}`);
  return body.limits[0].volumeCents;
};
const limited = async (cents: number | null): Promise<string> =>
  (await newProject(shop, { monthlyVolumeLimitCents: cents })).id;
const setLimit = (projectId: string, cents: number | null) =>
  shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyVolumeLimitCents: cents });
const statuses = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
/** The service's time becomes `days` after the next month has begun. */
const toNextMonth = async (days = 0) => {
  const now = service.clock.now();
  await advance(service, (startOfNextUtcMonth(now).getTime() - now.getTime()) / DAY_MS + days);
};

describe('monthly volume', () => {
  test('50 at once against a cap: exact to the cent, 403 for the rest, and the last cent can be had', async () => {
    const projectId = await limited(10_000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(projectId, 333)));
    expect([statuses(answers, 201), statuses(answers, 403)]).toEqual([30, 20]);
    expect(answers.find(({ status }) => status === 403)!.body.error.code).toBe(
      'PROJECT_VOLUME_LIMIT_EXCEEDED',
    );
    expect(await used(projectId)).toBe(9_990);
    expect((await create(projectId, 11)).status).toBe(403);
    expect((await create(projectId, 10)).status).toBe(201);
    expect((await create(projectId, 1)).status).toBe(403);
    await expectSound(service);
  });

  test('what is canceled, expired or refused makes room again; what is paid keeps it', async () => {
    const projectId = await limited(1_000);
    const first = await newSession(shop, projectId, { amountCents: 600 });
    const second = await newSession(shop, projectId, { amountCents: 400 });
    expect((await create(projectId, 1)).status).toBe(403);
    await cancel(first.id);
    expect(await used(projectId)).toBe(400);
    await bring(service, shop, second, 400);
    expect(await used(projectId)).toBe(400);
    const third = await newSession(shop, projectId, { amountCents: 600 });
    const part = await bring(service, shop, third, 100);
    expect(part).toBeTruthy();
    await advance(service, 1.5);
    await runDue(service);
    expect((await readSession(shop, third.id)).status).toBe('expired');
    expect(await used(projectId)).toBe(400);
    // Late money is taken, whatever the limit says.
    await newSession(shop, projectId, { amountCents: 600 });
    await bring(service, shop, third, 500);
    expect((await readSession(shop, third.id)).status).toBe('complete');
    expect(await used(projectId)).toBe(1_600);
    expect((await create(projectId, 1)).status).toBe(403);
    await expectSound(service);
  });

  test('strangers cannot use it up: their sessions count once money is seen, and not after it vanished', async () => {
    const projectId = await limited(1_000);
    const { paymentLink } = await newLink(shop, projectId, { unitAmountCents: 400 });
    const url = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
    const opened = await Promise.all(Array.from({ length: 30 }, () => call(url, 'POST', {})));
    expect(statuses(opened, 201)).toBe(30);
    expect(await used(projectId)).toBe(0);
    const own = await newSession(shop, projectId, { amountCents: 1_000 });
    expect((await call(url, 'POST', {})).body.error.code).toBe('PROJECT_VOLUME_LIMIT_EXCEEDED');
    await cancel(own.id);
    const sessions = await Promise.all(opened.map(({ body }) => readSession(shop, body.sessionId)));
    await bring(service, shop, sessions[0], 400, { isFinal: false });
    expect(await used(projectId)).toBe(400);
    for (const session of sessions.slice(1, 4)) await bring(service, shop, session, 400);
    expect(await used(projectId)).toBe(1_600);
    expect((await call(url, 'POST', {})).status).toBe(403);
    expect((await create(projectId, 1)).status).toBe(403);
    await expectSound(service);
  });

  test('a new month begins at zero; what is paid then counts then', async () => {
    const projectId = await limited(1_000);
    await toNextMonth(-0.25);
    const early = await newSession(shop, projectId, { amountCents: 700 });
    expect((await create(projectId, 400)).status).toBe(403);
    await toNextMonth();
    expect(await used(projectId)).toBe(0);
    expect((await create(projectId, 400)).status).toBe(201);
    await bring(service, shop, early, 700);
    expect(await used(projectId)).toBe(1_100);
    expect((await create(projectId, 1)).status).toBe(403);
    await expectSound(service);
  });

  test('a limit that is set, changed or taken away holds at once, and counts what came before it', async () => {
    const projectId = await limited(null);
    const before = await newSession(shop, projectId, { amountCents: 700 });
    await setLimit(projectId, 1_000);
    expect(await used(projectId)).toBe(700);
    expect((await create(projectId, 301)).status).toBe(403);
    await setLimit(projectId, 1_001);
    expect((await create(projectId, 301)).status).toBe(201);
    await setLimit(projectId, null);
    expect((await create(projectId, 5_000)).status).toBe(201);
    await cancel(before.id);
    await setLimit(projectId, 0);
    expect(await used(projectId)).toBe(5_301);
    expect((await create(projectId, 1)).status).toBe(403);
    await expectSound(service);
  });

  test('while limits, sessions, cancels and payments race, the count stays the sum', async () => {
    const projectId = await limited(20_000);
    const sessions = await Promise.all(
      Array.from({ length: 12 }, () => newSession(shop, projectId, { amountCents: 100 })),
    );
    await Promise.all([
      ...sessions.slice(0, 6).map(({ id }) => cancel(id)),
      ...sessions.slice(4, 10).map((session) => bring(service, shop, session, 100)),
      ...Array.from({ length: 10 }, () => create(projectId, 77)),
      setLimit(projectId, null),
      setLimit(projectId, 900),
      setLimit(projectId, 30_000),
    ]);
    await setLimit(projectId, 30_000);
    await expectSound(service);
  });
});

describe('monthly requests', () => {
  test('30 at once against a cap of 10: exactly 10 pass, the rest get 429 until the 1st', async () => {
    service.clock.setOffsetMs(Date.UTC(2040, 3, 10) - Date.now());
    const projectId = (await newProject(shop, { monthlyRequestLimit: 10 })).id;
    const askedAt = service.clock.now().getTime();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        i % 3 === 0
          ? create(projectId, 5)
          : shop.call('GET', `${i % 2 ? '/api' : '/api/v2'}/invoices?projectId=${projectId}`),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]!.body.error.code).toBe('PROJECT_REQUEST_LIMIT_EXCEEDED');
    // It may be a second less by now, and never one more.
    const endsAt = Date.UTC(2040, 4, 1);
    const waits = refused.map(({ headers }) => Number(headers.get('retry-after')));
    expect(Math.max(...waits)).toBeLessThanOrEqual(Math.ceil((endsAt - askedAt) / 1_000));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(
      Math.ceil((endsAt - service.clock.now().getTime()) / 1_000),
    );
    expect((await shop.call('GET', `/api/v2/projects/${projectId}`)).status).toBe(200);
    expect((await create(projectId, 5)).status).toBe(429);
    await toNextMonth();
    expect((await create(projectId, 5)).status).toBe(201);
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyRequestLimit: 1 });
    expect((await create(projectId, 5)).status).toBe(429);
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { monthlyRequestLimit: 2 });
    expect((await create(projectId, 5)).status).toBe(201);
  });
});
