import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { mintKey } from '../src/platform/access/key.ts';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { freePort, postgresPid, type Running, startProcess } from './support/process.ts';
import { call } from './support/service.ts';
import { type Line, lineToEach, placeOrders, processesOf } from './support/several.ts';

async function startSeveral(env: Record<string, string> = {}): Promise<Running & { folder: string }> {
  const folder = await newDataFolder();
  const running = await startProcess({ FLORIN_DATA: folder, API_PROCESSES: '2', ...env });
  cleanUp(async () => void (await running.end('SIGKILL')));
  return { ...running, folder };
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const until = (done: () => unknown) => expect.poll(done, { timeout: 60_000, interval: 50 });

describe('API_PROCESSES=2', () => {
  test('two processes answer on one port and a third does the rest; SIGTERM ends them all', async () => {
    const running = await startSeveral();
    expect(running.output().match(/ready in/g)).toHaveLength(1);
    expect(running.output()).toMatch(/^ {2}Processes {2}2 for requests, 1 for worker and watcher/m);
    const processes = processesOf(running);
    expect(Object.keys(processes).sort()).toEqual(['api-1', 'api-2', 'background']);

    const authorization = `Bearer ${running.apiKey}`;
    const order = { amountCents: 1250, orderId: 'one' };
    const intent = await call(`${running.url}/api/merchants/intents`, 'POST', order, { authorization });
    const pay = { paymentIntentId: intent.body.id };
    const paid = await call(`${running.url}/api/v2/sandbox/payments`, 'POST', pay, { authorization });
    expect(paid.status).toBeLessThan(300);
    await until(
      async () =>
        (
          await call(`${running.url}/api/merchants/intents/${intent.body.id}`, 'GET', undefined, {
            authorization,
          })
        ).body.status,
    ).toBe('succeeded');

    const lines = await lineToEach(running, 2);
    expect(lines.map((line) => line.process)).toEqual(['api-1', 'api-2']);
    const clock = '/api/v2/sandbox/clock';
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ advanceSeconds: 86_400 });
    const moved = (await (await lines[0]!.ask(clock, { method: 'POST', headers, body })).json()) as {
      now: string;
    };
    await until(async () => {
      const { now } = (await (
        await lines[1]!.ask(clock, { headers: { authorization } })
      ).json()) as typeof moved;
      return now >= moved.now;
    }).toBe(true);

    const metrics = await (await lines[0]!.ask('/metrics')).text();
    for (const [label, value] of [
      ['florin_role_up{process="api-1",role="api"}', 1],
      ['florin_role_up{process="api-2",role="api"}', 1],
      ['florin_role_up{process="background",role="worker"}', 1],
      ['florin_process_up{process="supervisor",name="api-2"}', 1],
      ['florin_process_restarts_total{process="supervisor",name="background"}', 0],
      ['florin_database_connections_max{process="api-1"}', 4],
    ])
      expect(metrics.split('\n')).toContain(`${label} ${value}`);
    expect(metrics.match(/^# TYPE florin_role_up /gm)).toHaveLength(1);

    const server = await postgresPid(running.folder);
    expect(await running.end('SIGTERM')).toBe(0);
    for (const pid of [...Object.values(processes), server]) await until(() => isAlive(pid)).toBe(false);
  });

  test('a limit holds for both together', async () => {
    const running = await startSeveral({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: '20' });
    const [one, two] = (await lineToEach(running, 2)) as [Line, Line];
    const guess = async (line: Line) => {
      const authorization = `Bearer ${mintKey('devnet').raw}`;
      const answer = await line.ask('/api/b2b/merchants/me', { headers: { authorization } });
      await answer.text();
      return answer.status;
    };
    for (let i = 0; i < 20; i++) expect(await guess(one)).toBe(401);
    // Asked for its metrics, a process tells the others first what it has counted.
    await (await one.ask('/metrics')).text();
    expect(await guess(two)).toBe(429);
    expect(await guess(one)).toBe(429);
  });

  test('kill -9 of one under load: no order fails after one retry, and another takes its place', async () => {
    const running = await startSeveral();
    const load = placeOrders(running);
    for (const name of ['api-1', 'api-2', 'background']) {
      const before = processesOf(running)[name]!;
      const made = load.made();
      await until(load.made).toBeGreaterThan(made + 100);
      process.kill(before, 'SIGKILL');
      await until(() => processesOf(running)[name] ?? before).not.toBe(before);
      await until(async () =>
        (await call(`${running.url}/metrics`, 'GET')).text.includes(
          `florin_process_up{process="supervisor",name="${name}"} 1`,
        ),
      ).toBe(true);
    }
    await load.end();
    expect(load.failed).toEqual([]);
    expect(running.output()).toMatch(/"name":"api-1".*"cause":"ended by SIGKILL"/);
    const { text } = await call(`${running.url}/metrics`, 'GET');
    expect(text).toContain('florin_process_restarts_total{process="supervisor",name="api-1"} 1');
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test('a frozen process takes no new requests, and is killed and replaced', async () => {
    const running = await startSeveral();
    const before = processesOf(running)['api-1']!;
    process.kill(before, 'SIGSTOP');
    const asked = Array.from({ length: 20 }, () =>
      fetch(`${running.url}/health/ready`, { headers: { connection: 'close' } }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(isAlive(before)).toBe(true);
    await until(() => isAlive(before)).toBe(false);
    await until(() => processesOf(running)['api-1']).toBeDefined();
    expect(running.output()).toMatch(/"cause":"did not answer for 1\d s and was killed"/);
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test('SIGHUP replaces every process while no request fails', async () => {
    const running = await startSeveral({ STOP_GRACE_SECONDS: '2' });
    const before = processesOf(running);
    const load = placeOrders(running);
    running.child.kill('SIGHUP');
    await until(() => running.output()).toContain('every process is a new one');
    await load.end();
    expect({ failed: load.failed, retried: load.retried() }).toEqual({ failed: [], retried: 0 });
    const after = processesOf(running);
    expect(Object.keys(after).sort()).toEqual(['api-1', 'api-2', 'background']);
    for (const pid of Object.values(before)) expect(isAlive(pid)).toBe(false);
    expect(await running.end('SIGTERM')).toBe(0);
  });

  test('with the supervisor gone, every process ends', async () => {
    const running = await startSeveral();
    const all = [...Object.values(processesOf(running)), await postgresPid(running.folder)];
    await running.end('SIGKILL');
    for (const pid of all) await until(() => isAlive(pid)).toBe(false);
    const again = await startProcess({ FLORIN_DATA: running.folder, API_PROCESSES: '2' });
    expect(await again.end('SIGTERM')).toBe(0);
  });
});

test('what cannot be is said once, at the start', async () => {
  const failure = (env: Record<string, string>) =>
    startProcess(env).then(
      () => 'started',
      (error: Error) => error.message,
    );
  const FLORIN_DATA = await newDataFolder();
  const wrong = await failure({ FLORIN_DATA, API_PROCESSES: 'all' });
  expect(wrong.match(/API_PROCESSES: must be auto, or a whole number from 1 to 32/g)).toHaveLength(1);
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const told = await failure({ FLORIN_DATA, API_PROCESSES: '2', PORT: String(port) });
  expect(told.match(/port \d+ of 127\.0\.0\.1 is in use/g)).toHaveLength(1);
  taken.close();
  const DATABASE_URL = `postgres://florin@127.0.0.1:${await freePort()}/florin`;
  const away = await failure({
    ...{ FLORIN_DATA, API_PROCESSES: '2', DATABASE_URL, FLORIN_SECRET_KEY: 'ab'.repeat(32) },
  });
  expect(away.match(/Florin cannot start: .*ECONNREFUSED/g)).toHaveLength(1);
});
