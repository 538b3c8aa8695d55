import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './support/clean-up.ts';
import { newDataFolder } from './support/data-folder.ts';
import { florin, freePort, startProcess } from './support/process.ts';
import { call } from './support/service.ts';

const FAST = { SANDBOX_SLOT_MS: '10', WATCH_FINALITY_MS: '20', WATCH_POLL_MS: '200', LOG_LEVEL: 'error' };
const TWO_DAYS = 2 * 86_400;

/** `florin sandbox-chain`, once it has said where it is. */
async function startChain(args: readonly string[], env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../bin/florin.js'), 'sandbox-chain', '--json', ...args],
    { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  cleanUp(async () => void child.kill('SIGKILL'));
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => text as string),
    exit.then(([code]) => Promise.reject(new Error(`the chain ended (${code}) before it was ready`))),
  ]);
  return {
    ...(JSON.parse(line) as { rpcUrl: string; wsUrl: string; state: string }),
    async end() {
      child.kill('SIGTERM');
      return (await exit)[0] as number | null;
    },
  };
}

test('with the chain in a process of its own the roles can be split: what the sandbox offers works, and time reaches the chain', async () => {
  const folder = await newDataFolder();
  const server = await startEmbeddedPostgres({ dataFolder: folder, purpose: 'service' });
  cleanUp(() => server.stop());
  const FLORIN_DATA = join(folder, 'shared');
  const port = `${await freePort()}`;
  const chainEnv = { ...FAST, FLORIN_DATA };
  const chain = await startChain(['--port', port], chainEnv);
  expect(chain).toMatchObject({
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    state: join(FLORIN_DATA, 'chain'),
  });
  const refusals = await Promise.all([
    florin(['sandbox-chain', '--port', '0'], chainEnv),
    florin(['sandbox-chain', '--port', port, '--state', join(folder, 'other')], chainEnv),
    florin(['sandbox-chain'], {
      ...chainEnv,
      FLORIN_NETWORK: 'devnet',
      SOLANA_RPC_URLS: 'http://127.0.0.1:1',
    }),
  ]);
  expect(refusals.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, expect.stringMatching(/^process \d+ already runs the sandbox chain in /)],
    [1, `port ${port} of 127.0.0.1 is already in use\n`],
    [1, expect.stringContaining('FLORIN_NETWORK is devnet')],
  ]);

  const env = {
    ...FAST,
    FLORIN_DATA,
    DATABASE_URL: `postgres://florin@localhost/florin?host=${encodeURIComponent(join(folder, 'postgres'))}`,
    FLORIN_SECRET_KEY: randomBytes(32).toString('base64'),
    SOLANA_RPC_URLS: chain.rpcUrl,
    SOLANA_WS_URL: chain.wsUrl,
  };
  const api = await startProcess({ ...env, FLORIN_ROLES: 'api,worker' });
  cleanUp(() => api.end('SIGTERM'));
  const headers = { authorization: `Bearer ${api.apiKey}` };
  const createIntent = async () =>
    (
      await call(
        `${api.url}/api/merchants/intents`,
        'POST',
        { amountCents: 1250, orderId: randomUUID() },
        headers,
      )
    ).body.id as string;
  const statusOf = async (id: string) =>
    (await call(`${api.url}/api/merchants/intents/${id}`, 'GET', undefined, headers)).body.status;

  const blockTime = async () => {
    const ask = async (method: string, params: unknown[]) =>
      (await call(chain.rpcUrl, 'POST', { jsonrpc: '2.0', id: 1, method, params })).body.result as number;
    return ask('getBlockTime', [await ask('getSlot', [{ commitment: 'processed' }])]);
  };
  const unpaid = await createIntent();
  const before = await blockTime();
  const moved = await call(`${api.url}/api/v2/sandbox/clock`, 'POST', { advanceSeconds: TWO_DAYS }, headers);
  expect(moved.status).toBe(200);
  expect(await blockTime()).toBeGreaterThanOrEqual(before + TWO_DAYS);
  // No watcher runs yet: the process that moves the time reads the chain up to it.
  await expect.poll(() => statusOf(unpaid)).toBe('expired');

  const watcher = await startProcess({ ...env, FLORIN_ROLES: 'watcher' });
  cleanUp(() => watcher.end('SIGTERM'));
  const paid = await createIntent();
  const pay = await florin(['pay', paid], { ...env, PUBLIC_URL: api.url });
  expect([pay.code, pay.stderr, pay.stdout]).toEqual([0, '', expect.stringContaining('Sent.')]);
  await expect.poll(() => statusOf(paid)).toBe('succeeded');

  expect(await chain.end()).toBe(0);
  const away = await call(`${api.url}/api/v2/sandbox/payments`, 'POST', { paymentIntentId: unpaid }, headers);
  expect([away.status, away.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  // With its cause: unlike a 503 that is said on purpose, something has failed.
  expect(api.output()).toMatch(/"level":"error".*"code":"SERVICE_UNAVAILABLE".*ECONNREFUSED/);
  const again = await startChain(['--port', port], chainEnv);
  // A restarted chain stands still until the watcher has told it the time.
  const after = await blockTime();
  await expect.poll(blockTime).toBeGreaterThan(after);
  const later = await createIntent();
  expect((await florin(['pay', later], { ...env, PUBLIC_URL: api.url })).stderr).toBe('');
  await expect.poll(() => statusOf(later)).toBe('succeeded');
  // The wallet that could not be made while the chain was away is made now.
  const back = await call(`${api.url}/api/v2/sandbox/payments`, 'POST', { paymentIntentId: unpaid }, headers);
  expect(back.status).toBe(202);
  expect((await florin(['reconcile'], env)).stdout).toContain('0 differences');
  for (const running of [api, watcher]) expect(await running.end('SIGTERM')).toBe(0);
  expect(await again.end()).toBe(0);
});
