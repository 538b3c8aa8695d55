import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { freePort, temporaryFolder } from '../../test/support/process.ts';
import { SANDBOX_GENESIS_HASH } from '../src/sandbox-chain.ts';
import { call, startCommand } from './start-command.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'node_modules/.bin/florin-sandbox-chain');
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };

test('the command starts a chain where it was asked to, answers, and stops with code 0 on SIGTERM', async () => {
  const port = await freePort();
  const chain = await startCommand([bin, '--port', String(port)], root, env);
  expect(chain.rpcUrl).toBe(`http://127.0.0.1:${port}`);
  expect(await call(chain.rpcUrl, 'getHealth')).toBe('ok');
  expect(await call(chain.rpcUrl, 'getGenesisHash')).toBe(SANDBOX_GENESIS_HASH);
  expect(await chain.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await expect(call(chain.rpcUrl, 'getHealth')).rejects.toThrow('fetch failed');
});

test('with --state it knows after a restart what it knew before, and slots wait for --slot-ms 0', async () => {
  const state = await temporaryFolder(cleanUp);
  const start = () => startCommand([bin, '--port', '0', '--slot-ms', '0', '--state', state], root, env);
  const owner = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
  const first = await start();
  const signature = (await call(first.rpcUrl, 'requestAirdrop', owner, 1_000_000_000)) as string;
  const slot = async (url: string) => (await call(url, 'getSlot', { commitment: 'processed' })) as number;
  const before = await slot(first.rpcUrl);
  expect(await call(first.rpcUrl, 'sandbox_advanceSlots', 32)).toBe(before + 32);
  // An open WebSocket must not keep it from ending.
  const socket = new WebSocket(first.rpcUrl.replace('http', 'ws'));
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  expect(await first.end('SIGINT')).toEqual({ code: 0, signal: null });

  const second = await start();
  expect(await slot(second.rpcUrl)).toBeGreaterThan(before + 32);
  expect(
    await call(second.rpcUrl, 'getSignatureStatuses', [signature], { searchTransactionHistory: true }),
  ).toMatchObject({ value: [{ confirmationStatus: 'finalized', err: null }] });
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

/** Runs it to its end. */
async function runToEnd(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await promisify(execFile)(bin, args, { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

test('misuse is explained with the usage and code 2; a taken port is code 1', async () => {
  expect(await runToEnd('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('--slot-ms') });
  const misuses: [string[], string][] = [
    [['--port', '65536'], '--port takes a whole number up to 65535, not "65536".'],
    [['--port', ''], 'not ""'],
    [['--slot-ms', '-1'], '--slot-ms'],
    [['--prot', '1'], "Unknown option '--prot'"],
    [['8899'], 'Unexpected argument'],
  ];
  for (const [args, reason] of misuses) {
    const { code, stdout, stderr } = await runToEnd(...args);
    expect([args, code, stdout]).toEqual([args, 2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('--state <folder>');
  }
  const chain = await startCommand([bin, '--port', '0'], root, env);
  const { code, stderr } = await runToEnd('--port', new URL(chain.rpcUrl).port);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is already in use')]);
  await chain.end('SIGTERM');
});
