import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { florin, type Running, startProcess } from './support/process.ts';
import { type Ground, startGround } from './support/start-ground.ts';

const root = join(import.meta.dirname, '..');
const TWO_HOURS_MS = 7_200_000;

/** A process whose machine's clock is wrong. */
async function startShifted(env: Record<string, string>): Promise<Running> {
  const preload = join(root, 'test/support/shifted-clock.ts');
  const running = await startProcess(env, [process.execPath, '--import', preload, join(root, 'src/main.ts')]);
  cleanUp(async () => void (await running.end('SIGKILL')));
  return running;
}

async function call(running: Running, method: string, path: string, key?: string, body?: object) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(key && { authorization: `Bearer ${key}` }),
  };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(running.url + path, init);
  return { status: response.status, text: await response.text() };
}

const ready = (running: Running) => call(running, 'GET', '/health/ready');

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100 && !(await isSo()); i++) await sleep(100);
  expect(await isSo()).toBe(true);
}

/** A process that is right has three open payments. */
async function openShop({ env }: Ground) {
  const right = await startProcess(env);
  cleanUp(async () => void (await right.end('SIGKILL')));
  const key = right.apiKey!;
  for (let i = 0; i < 3; i++) {
    const intent = { amountCents: 100, orderId: `o${i}` };
    expect((await call(right, 'POST', '/api/merchants/intents', key, intent)).status).toBe(200);
  }
  return { right, key };
}

const statuses = ({ db }: Ground) =>
  db.query<{ status: string; n: number }>(
    'select status, count(*)::integer as n from payment_intents group by status',
  );

/** Long enough for every job to run several times. */
const A_WHILE_MS = 5_000;

test('a process two hours ahead decides nothing: not ready, with the difference; changes are refused; nothing expires', async () => {
  const ground = await startGround();
  const { right, key } = await openShop(ground);
  // Only time is left to wait for before the open payments end.
  await ground.db.query(`update watched_accounts set read_through = now() + interval '1 day'`);
  const wrong = await startShifted({ ...ground.env, CLOCK_SHIFT_MS: String(TWO_HOURS_MS) });
  expect(await ready(wrong)).toMatchObject({ status: 503, text: expect.stringContaining('7200 s ahead') });
  expect(wrong.output()).toContain('7200 s ahead');
  await sleep(A_WHILE_MS);
  expect(await statuses(ground)).toEqual([{ status: 'pending', n: 3 }]);
  const { status } = await call(wrong, 'POST', '/api/merchants/intents', key, {
    amountCents: 1,
    orderId: 'x',
  });
  expect(status).toBe(503);
  const { text: metrics } = await call(wrong, 'GET', '/metrics');
  const difference = Number(/^florin_clock_difference_seconds (\S+)$/m.exec(metrics)![1]);
  expect(Math.round(difference)).toBe(7_200);
  expect((await ready(right)).status).toBe(200);
});

test('a clock that is set wrong while the process runs changes no time; it is ready again when it is right', async () => {
  const ground = await startGround();
  const { key } = await openShop(ground);
  await ground.db.query(`update watched_accounts set read_through = now() + interval '1 day'`);
  const process = await startShifted({
    ...ground.env,
    CLOCK_SHIFT_MS: String(-TWO_HOURS_MS),
    CLOCK_SHIFT_LATER: 'yes',
  });
  expect((await ready(process)).status).toBe(200);
  process.child.kill('SIGUSR2');
  // Before the next look at the database's clock, too.
  const made = await call(process, 'POST', '/api/merchants/intents', key, { amountCents: 1, orderId: 'y' });
  if (made.status === 200) {
    const leftMs = Date.parse(JSON.parse(made.text).expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(25 * 60_000);
  }
  await until(async () => (await ready(process)).text.includes('7200 s behind'));
  process.child.kill('SIGUSR2');
  await until(async () => (await ready(process)).status === 200);
  expect((await statuses(ground)).map(({ status }) => status)).toEqual(['pending']);
});

const DAY_MS = 86_400_000;

test.each([-2, 40, 400])(
  'a command on a machine whose clock is %i days off goes by the database’s',
  async (days) => {
    const { env, db } = await startGround();
    const preload = join(root, 'test/support/shifted-clock.ts');
    const shifted = {
      ...env,
      NODE_OPTIONS: `--import ${preload}`,
      CLOCK_SHIFT_MS: String(days * DAY_MS),
    };
    const { code, stderr } = await florin(['merchants', 'create', '--name', 'Shop', '--json'], shifted);
    expect([code, stderr]).toEqual([0, '']);
    expect((await florin(['setup-link', '--json'], shifted)).code).toBe(0);
    const off = await db.query(
      `select 'merchant' as what from merchants where abs(extract(epoch from created_at - now())) > 3600
     union all select 'link' from member_links where expires_at < now() or expires_at > now() + interval '2 days'
     union all select 'audit' from audit_entries where abs(extract(epoch from created_at - now())) > 3600`,
    );
    expect(off).toEqual([]);
    const checked = JSON.parse((await florin(['doctor', '--json'], shifted)).stdout);
    const clock = checked.findings.find(({ check }: { check: string }) => check === 'clock');
    expect([clock.ok, clock.detail]).toEqual([false, expect.stringMatching(/differ by \d{9,} ms/)]);
  },
);
