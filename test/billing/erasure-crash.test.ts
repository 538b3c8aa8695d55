import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { invariants } from '../../src/operations/doctor/doctor.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { checkInvariants } from '../../src/platform/db/invariant.ts';
import { cleanUp } from '../support/clean-up.ts';
import { findMarkers } from '../support/marked-rows.ts';
import { type Running, startProcess } from '../support/process.ts';
import { call } from '../support/service.ts';
import { startGround } from '../support/start-ground.ts';

/** The whole service as a process that is killed with -9 in the middle of an erasure, again and again. */
let db: Database;
let env: Record<string, string>;
let service: Running;
let apiKey: string;

beforeAll(async () => {
  ({ db, env } = await startGround());
  service = await startProcess(env);
  cleanUp(() => service.end('SIGTERM'));
  apiKey = service.apiKey!;
});

const ask = (method: string, path: string, body?: unknown, key?: string) =>
  call(`${service.url}/api/v2${path}`, method, body, {
    authorization: `Bearer ${apiKey}`,
    ...(key && { 'idempotency-key': key }),
  });

async function must(method: string, path: string, body?: unknown, key?: string) {
  const answer = await ask(method, path, body, key);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.body;
}

/** Locks one row so that any other transaction that changes it waits. Call the result to release it. */
async function hold(query: string, values: unknown[]): Promise<() => Promise<void>> {
  const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction(async (tx) => {
    expect((await tx.query(`${query} for update`, values)).length).toBe(1);
    isHeld.resolve();
    await isOver.promise;
  });
  await Promise.race([isHeld.promise, holding]);
  return async () => {
    isOver.resolve();
    await holding;
  };
}

/** Waits until the service is blocked by the locked row. */
async function isWaiting(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await db.query(waiting)).length === 0) await sleep(10);
}

const WORD = 'zqcrashqz';
const SESSIONS = 60;

async function newHistory() {
  const project = await must('POST', '/projects', { name: 'Crash' });
  const person = { projectId: project.id, externalCustomerId: `${WORD}-id`, name: WORD };
  const customer = await must('POST', '/customers', person, 'create');
  for (let n = 0; n < SESSIONS; n++) {
    const session = await must('POST', '/checkout-sessions', {
      ...{ projectId: project.id, mode: 'one_time', amountCents: 500, customerId: customer.id },
      ...{ merchantReference: `${WORD} ${n}`, metadata: { of: WORD } },
    });
    // Open sessions are canceled by the request itself; this test is about what is left to the job.
    await must('POST', `/checkout-sessions/${session.id}/cancel`);
  }
  const gift = { deltaCredits: 5, reason: `For ${WORD}` };
  await must('POST', `/customers/${customer.id}/balance-adjustments`, gift);
  return customer.id as string;
}

const last = (table: string) =>
  `select from ${table} where id = (select max(id::text)::uuid from ${table} where customer_id = $1)`;

test('killed in the request and at each stage, it continues where it was, and nothing of the customer is left', async () => {
  const id = await newHistory();
  const path = `/customers/${id}`;

  // In the middle of the request: nothing has happened.
  const letGo = await hold('select from balances where customer_id = $1', [id]);
  const lost = ask('DELETE', `${path}?discardBalance=true`).catch(() => 'lost');
  await isWaiting();
  expect(await service.end('SIGKILL')).toBeNull();
  expect(await lost).toBe('lost');
  await letGo();
  service = await startProcess(env);
  expect(await must('GET', path)).toMatchObject({ name: WORD, creditBalance: 5 });
  expect((await ask('GET', `${path}/erasure`)).status).toBe(404);

  const points: [string, unknown[]][] = [
    [last('checkout_sessions'), [id]],
    [last('invoices'), [id]],
    [`select from postings where customer_id = $1 and reason is not null`, [id]],
    [`select from events where event = 'customer.created' and ordering_key = $1`, [id]],
    [`select from idempotency_keys where key = $1`, ['create']],
  ];
  const stages: string[] = [];
  for (const [at, [query, values]] of points.entries()) {
    const release = await hold(query, values);
    if (at > 0) service = await startProcess(env);
    else await must('DELETE', `${path}?discardBalance=true`);
    await isWaiting();
    expect(await service.end('SIGKILL')).toBeNull();
    await release();
    const [row] = await db.query<{ stage: string }>(
      'select stage from customer_erasures where customer_id = $1',
      [id],
    );
    stages.push(row!.stage);
  }
  expect(stages).toEqual(['checkout_sessions', 'invoices', 'postings', 'customer', 'idempotency_keys']);
  expect((await findMarkers(db, [WORD])).get(WORD)).not.toEqual([]);

  service = await startProcess(env);
  while ((await must('GET', `${path}/erasure`)).status !== 'erased') await sleep(20);
  const erasure = await must('GET', `${path}/erasure`);
  // Each row and event was counted once, however often its batch began.
  expect(erasure.done).toBe(erasure.total);
  expect((await findMarkers(db, [WORD])).get(WORD)).toEqual([]);
  const deleted = await db.query(
    `select from events where event = 'customer.deleted' and ordering_key = $1`,
    [id],
  );
  expect(deleted.length).toBe(1);
  const broken = (await checkInvariants(db, invariants)).filter(({ violations }) => violations.length > 0);
  expect(broken).toEqual([]);
}, 240_000);
