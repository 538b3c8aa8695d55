import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { dispatchAll, EVERYTHING, emitEvents, setUrl } from '../../test/support/webhooks.ts';
import { checkInvariants } from '../platform/db/invariant.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { type Claim, LEASE_MS, type Outcome } from './delivery.ts';
import { webhookInvariants } from './invariants.ts';
import { recordResults } from './record-results.ts';
import { MAX_ATTEMPTS, retryDelayMs } from './retry.ts';

let service: TestService;
let shop: TestMerchant;

const START = new Date('2026-02-01T00:00:00.000Z');
const at = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

beforeEach(async () => {
  service = await testService();
  shop = await service.createMerchant();
  await setUrl(service.db, shop.id, 'https://shop.example/hook');
});

const claim = (now: Date, rooms = EVERYTHING) => claimDeliveries(service.db, rooms, now);

const outcome = (now: Date, given: Partial<Outcome> = {}): Outcome => ({
  startedAt: now,
  durationMs: 5,
  httpStatus: 200,
  error: null,
  responseBody: 'ok',
  retryAfterMs: null,
  ...given,
});
const FAILED = { httpStatus: 500, error: 'HTTP 500' };

async function record(claims: Claim[], now: Date, given: Partial<Outcome> = {}): Promise<Set<string>> {
  const results = claims.map((one) => ({ claim: one, outcome: outcome(now, given) }));
  return recordResults(service.db, results, now);
}

const read = async (id: string) => (await shop.call('GET', `/api/v2/webhook-deliveries/${id}`)).body;

async function brokenInvariants(): Promise<string[]> {
  const results = await checkInvariants(service.db, webhookInvariants);
  return results.filter((result) => result.violations.length > 0).map((result) => result.name);
}

test('what another transaction holds is due as soon as it lets go', async () => {
  const { db } = service;
  await emitEvents(db, shop.id);
  await dispatchAll(db, START);
  await record(await claim(START), START, FAILED);
  // The erasure of a customer does the same while it overwrites what receivers have answered.
  await db.transaction(async (tx) => {
    await tx.query('update webhook_deliveries set response_body = null');
    expect(await claim(at(12))).toEqual([]);
    expect(await brokenInvariants()).toEqual([]);
  });
  expect(await brokenInvariants()).toEqual([]);
  expect((await claim(at(12))).map(({ number }) => number)).toEqual([2]);
});

describe('retries', () => {
  test('twelve attempts at their times and not before, then dead with the reason', async () => {
    await emitEvents(service.db, shop.id);
    await dispatchAll(service.db, START);
    let now = START;
    for (let number = 1; number <= MAX_ATTEMPTS; number++) {
      const [one, ...none] = await claim(now);
      expect([one!.number, none]).toEqual([number, []]);
      await record([one!], now, FAILED);
      const delivery = await read(one!.id);
      expect(delivery.attempts).toHaveLength(number);
      if (number === MAX_ATTEMPTS) {
        expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, deliveredAt: null });
        expect(delivery.error).toBe('HTTP 500 (the last of 12 attempts)');
        break;
      }
      const next = new Date(now.getTime() + retryDelayMs(one!.id, number + 1, null));
      expect(delivery).toMatchObject({
        status: 'retrying',
        nextAttemptAt: next.toISOString(),
        error: 'HTTP 500',
      });
      expect(await claim(new Date(next.getTime() - 1))).toEqual([]);
      now = next;
    }
    expect(await claim(new Date(now.getTime() + 365 * 86_400_000))).toEqual([]);
    expect(await brokenInvariants()).toEqual([]);
  });

  test('it may succeed at any attempt, and then it is over', async () => {
    await emitEvents(service.db, shop.id);
    await dispatchAll(service.db, START);
    await record(await claim(START), START, FAILED);
    const [second] = await claim(at(12));
    await record([second!], at(13));
    const delivery = await read(second!.id);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      httpStatus: 200,
      error: null,
      deliveredAt: at(13).toISOString(),
      nextAttemptAt: null,
      durationMs: 5,
      responseBody: 'ok',
    });
    expect(delivery.attempts).toEqual([
      { number: 1, startedAt: START.toISOString(), durationMs: 5, httpStatus: 500, error: 'HTTP 500' },
      { number: 2, startedAt: at(13).toISOString(), durationMs: 5, httpStatus: 200, error: null },
    ]);
    expect(await claim(at(100_000))).toEqual([]);
  });

  test('410 ends it at once with the reason; Retry-After is waited for', async () => {
    await emitEvents(service.db, shop.id, [randomUUID(), randomUUID()]);
    await dispatchAll(service.db, START);
    const [gone, busy] = await claim(START);
    await record([gone!], START, { httpStatus: 410, error: 'HTTP 410' });
    expect(await read(gone!.id)).toMatchObject({ status: 'failed', nextAttemptAt: null, httpStatus: 410 });
    expect((await read(gone!.id)).error).toContain('gone permanently');
    await record([busy!], START, { httpStatus: 503, error: 'HTTP 503', retryAfterMs: 1_800_000 });
    expect((await read(busy!.id)).nextAttemptAt).toBe(at(1_800).toISOString());
  });

  test('each attempt goes to the URL then set, with the secrets then valid', async () => {
    await emitEvents(service.db, shop.id);
    await dispatchAll(service.db, START);
    await record(await claim(START), START, FAILED);
    await setUrl(service.db, shop.id, 'https://new.example/');
    await shop.call('POST', '/api/b2b/merchants/generate-webhook-secret');
    const [second] = await claim(at(12));
    expect(second!.url).toBe('https://new.example/');
    expect(service.secrets.open(second!.previousSecret!)).toBe(shop.webhookSecret);
    expect(service.secrets.open(second!.secret)).not.toBe(shop.webhookSecret);
    expect((await read(second!.id)).url).toBe('https://shop.example/hook');
    await record([second!], at(13));
    expect((await read(second!.id)).url).toBe('https://new.example/');
  });
});

describe('leases', () => {
  test('what one worker holds no other gets, until the lease has run out', async () => {
    await emitEvents(service.db, shop.id);
    await dispatchAll(service.db, START);
    expect(await claim(START)).toHaveLength(1);
    expect(await claim(START)).toEqual([]);
    expect(await claim(new Date(START.getTime() + LEASE_MS - 1))).toEqual([]);
    expect(await claim(new Date(START.getTime() + LEASE_MS))).toHaveLength(1);
  });

  test('a zombie’s late result is refused and changes nothing', async () => {
    await emitEvents(service.db, shop.id);
    await dispatchAll(service.db, START);
    const zombie = await claim(START);
    const later = new Date(START.getTime() + LEASE_MS);
    const heir = await claim(later);
    expect([heir[0]!.id, heir[0]!.number]).toEqual([zombie[0]!.id, 1]);
    expect(heir[0]!.leaseId).not.toBe(zombie[0]!.leaseId);
    expect(await record(zombie, later, FAILED)).toEqual(new Set());
    expect((await read(heir[0]!.id)).status).toBe('pending');
    expect(await record(heir, later)).toEqual(new Set([heir[0]!.id]));
    expect(await record(heir, later)).toEqual(new Set());
    expect(await record(zombie, later, FAILED)).toEqual(new Set());
    expect(await read(heir[0]!.id)).toMatchObject({ status: 'succeeded', attempts: [{ number: 1 }] });
  });

  test('a late result is taken while nobody else has taken the delivery over', async () => {
    await emitEvents(service.db, shop.id);
    await dispatchAll(service.db, START);
    const slow = await claim(START);
    expect((await record(slow, at(600))).size).toBe(1);
  });

  test.each([2, 8])('%i workers at once claim each of 1,500 deliveries exactly once', async (workers) => {
    const shops = [
      shop.id,
      ...(await Promise.all([1, 2, 3, 4].map(async () => (await service.createMerchant()).id))),
    ];
    for (const id of shops) {
      await setUrl(service.db, id, 'https://shop.example/hook');
      await emitEvents(
        service.db,
        id,
        Array.from({ length: 300 }, () => randomUUID()),
      );
    }
    await dispatchAll(service.db, START);
    const rooms = { slots: 40, usual: 16, known: new Map<string, number>() };
    const claimed: string[] = [];
    let left = 1_500;
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (left > 0) {
          const claims = await claim(START, rooms);
          left -= claims.length;
          claimed.push(...claims.map((one) => one.id));
          await record(claims, START);
        }
      }),
    );
    expect(claimed).toHaveLength(1_500);
    expect(new Set(claimed).size).toBe(1_500);
    expect(await brokenInvariants()).toEqual([]);
  });
});

describe('ordering keys', () => {
  test('first attempts go one after the other; the next goes when the one before is done', async () => {
    const orderingKey = randomUUID();
    const ids = await emitEvents(service.db, shop.id, [orderingKey, orderingKey, randomUUID(), orderingKey]);
    await dispatchAll(service.db, START);
    const first = await claim(START);
    expect(first.map((one) => one.eventId)).toEqual([ids[0], ids[2]]);
    expect(await claim(at(1))).toEqual([]);
    await record([first[0]!], at(1));
    const second = await claim(at(1));
    expect(second.map((one) => one.eventId)).toEqual([ids[1]]);
    await record(second, at(2));
    const third = await claim(at(2));
    expect(third.map((one) => one.eventId)).toEqual([ids[3]]);
    await record([first[1]!, ...third], at(2));
    expect(await brokenInvariants()).toEqual([]);
  });

  test('a failing one holds its ordering key for 60 s and no longer; a success before that frees it', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    const ids = await emitEvents(service.db, shop.id, [a, b, a, b]);
    await dispatchAll(service.db, START);
    await record(await claim(START), START, FAILED);
    expect(await claim(at(1))).toEqual([]);
    const retries = await claim(at(12));
    expect(retries.map((one) => [one.eventId, one.number])).toEqual(
      expect.arrayContaining([
        [ids[0], 2],
        [ids[1], 2],
      ]),
    );
    const [ofA, ofB] = [ids[0], ids[1]].map((id) => retries.find((one) => one.eventId === id)!);
    await record([ofA!], at(12));
    await record([ofB!], at(12), FAILED);
    const freed = await claim(at(12));
    expect(freed.map((one) => one.eventId)).toEqual([ids[2]]);
    await record(freed, at(12));
    expect(await claim(at(59.999))).toEqual([]);
    const last = await claim(at(60));
    expect(last.map((one) => [one.eventId, one.number])).toEqual([[ids[3], 1]]);
    await record(last, at(60));
    expect(await brokenInvariants()).toEqual([]);
  });

  test('a dead one frees its ordering key at once; a resend neither waits nor holds', async () => {
    const orderingKey = randomUUID();
    const ids = await emitEvents(service.db, shop.id, [orderingKey, orderingKey]);
    await dispatchAll(service.db, START);
    const first = await claim(START);
    const resend = await shop.call('POST', `/api/v2/webhook-deliveries/${first[0]!.id}/resend`);
    expect(resend.status).toBe(202);
    const soon = new Date(Date.parse(resend.body.createdAt) + 1);
    expect((await claim(soon)).map((one) => one.id)).toContain(resend.body.id);
    const again = await claim(new Date(soon.getTime() + LEASE_MS));
    await record(
      again.filter((one) => one.eventId === ids[0]),
      soon,
      { httpStatus: 410, error: 'HTTP 410' },
    );
    expect((await claim(new Date(soon.getTime() + LEASE_MS))).map((one) => one.eventId)).toContain(ids[1]);
  });

  test('another merchant’s ordering key of the same name is another ordering key', async () => {
    const other = await service.createMerchant();
    await setUrl(service.db, other.id, 'https://other.example/');
    const orderingKey = randomUUID();
    await emitEvents(service.db, shop.id, [orderingKey]);
    await emitEvents(service.db, other.id, [orderingKey]);
    await dispatchAll(service.db, START);
    expect(await claim(START)).toHaveLength(2);
  });

  test('whatever happens, first attempts of an ordering key are in order', async () => {
    const orderingKeys = Array.from({ length: 12 }, () => randomUUID());
    await emitEvents(
      service.db,
      shop.id,
      Array.from({ length: 120 }, (_, i) => orderingKeys[i % 12]!),
    );
    await dispatchAll(service.db, START);
    const firsts: { orderingKey: string; place: number }[] = [];
    let seconds = 0;
    let done = 0;
    let underWay = 0;
    const worker = async (number: number) => {
      for (let turn = number; done < 120; turn++) {
        const now = at(seconds);
        const claims = await claim(now, { slots: 7, usual: 5, known: new Map() });
        underWay += claims.length;
        for (const one of claims)
          if (one.number === 1) firsts.push((JSON.parse(one.body!) as { data: (typeof firsts)[0] }).data);
        for (const [i, one] of claims.entries()) {
          const fails = (turn + i) % 3 === 0;
          await record([one], now, fails ? FAILED : {});
          underWay--;
          if (!fails) done++;
        }
        // Time passes only while nobody holds anything, so no lease runs out.
        if (underWay === 0 && claims.length === 0) seconds++;
      }
    };
    await Promise.all([1, 2, 3, 4].map(worker));
    expect(firsts).toHaveLength(120);
    for (const orderingKey of orderingKeys)
      expect(firsts.filter((one) => one.orderingKey === orderingKey).map((one) => one.place)).toEqual([
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
      ]);
    expect(await brokenInvariants()).toEqual([]);
  });
});

describe('fairness', () => {
  test('10,000 waiting deliveries of one merchant take no more than its room, and cost the others nothing', async () => {
    for (let i = 0; i < 20; i++)
      await emitEvents(
        service.db,
        shop.id,
        Array.from({ length: 500 }, () => randomUUID()),
      );
    const others = await Promise.all(Array.from({ length: 50 }, () => service.createMerchant()));
    for (const other of others) {
      await setUrl(service.db, other.id, 'https://other.example/');
      await emitEvents(service.db, other.id);
    }
    await dispatchAll(service.db, START);
    const claims = await claim(START, { slots: 200, usual: 8, known: new Map([[shop.id, 2]]) });
    expect(claims.filter((one) => one.merchantId === shop.id)).toHaveLength(2);
    expect(new Set(claims.map((one) => one.merchantId)).size).toBe(51);
    expect(await claim(START, { slots: 100, usual: 8, known: new Map([[shop.id, 0]]) })).toEqual([]);
    // With fewer slots than merchants nobody gets a second one before everybody has had one.
    for (const other of others) await emitEvents(service.db, other.id, [randomUUID(), randomUUID()]);
    await dispatchAll(service.db, START);
    const few = await claim(START, { slots: 51, usual: 8, known: new Map() });
    expect(new Set(few.map((one) => one.merchantId)).size).toBe(51);
    expect(few).toHaveLength(51);
  });
});

test('the invariants notice planted faults', async () => {
  await emitEvents(service.db, shop.id, [randomUUID(), randomUUID()]);
  await dispatchAll(service.db, START);
  expect(await brokenInvariants()).toEqual([]);
  await service.db.query('update webhook_endpoints set claim_at = null');
  expect(await brokenInvariants()).toEqual(['deliveries-scheduled']);
  await service.db.query('update webhook_endpoints set claim_at = $1', [START]);
  await claim(START);
  expect(await brokenInvariants()).toEqual(['leases-end']);
  await service.db.query('update webhook_deliveries set lease_id = null, lease_until = null');
  await service.db.query('update webhook_endpoints set claim_at = $1', [START]);
  await service.db.query(
    'delete from webhook_deliveries where id = (select id from webhook_deliveries limit 1)',
  );
  expect(await brokenInvariants()).toEqual(['events-delivered']);
  await service.db.query('delete from webhook_deliveries');
  await service.db.query('update merchants set webhook_url = null');
  expect(await brokenInvariants()).toEqual([]);
});
