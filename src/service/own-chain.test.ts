import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { readConfig } from '../config/config.ts';
import { systemClock } from '../platform/lib/clock.ts';
import { startOwnChain } from './own-chain.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-own-chain-'));
  cleanUp(() => rm(folder, { recursive: true }));
  return folder;
}

test('the address stays over restarts, unless its port is taken meanwhile; a port that is set is that one or none', async () => {
  const [FLORIN_DATA, other] = [await newFolder(), await newFolder()];
  const config = readConfig({ FLORIN_DATA });
  const urlOf = async (env: Record<string, string>) => {
    const own = await startOwnChain(readConfig(env), systemClock());
    return own.stop().then(() => own.chain.rpcUrl);
  };
  const first = await startOwnChain(config, systemClock());
  const { rpcUrl } = first.chain;
  await first.stop();
  expect(await urlOf({ FLORIN_DATA })).toBe(rpcUrl);
  const set = { FLORIN_DATA: other, SANDBOX_RPC_PORT: new URL(rpcUrl).port };
  const taking = await startOwnChain(readConfig(set), systemClock());
  expect(taking.chain.rpcUrl).toBe(rpcUrl);
  const elsewhere = await urlOf({ FLORIN_DATA });
  expect(elsewhere).not.toBe(rpcUrl);
  await expect(startOwnChain(readConfig({ ...set, FLORIN_DATA }), systemClock())).rejects.toThrow(
    `port ${set.SANDBOX_RPC_PORT} of 127.0.0.1 is in use: stop the program that has it, or set SANDBOX_RPC_PORT to another port`,
  );
  await taking.stop();
  expect(await urlOf({ FLORIN_DATA })).toBe(elsewhere);
});

test('a second process on the ledger of a sandbox chain is refused with the reason, until the first has stopped', async () => {
  const FLORIN_DATA = await newFolder();
  const config = readConfig({ FLORIN_DATA });
  const first = await startOwnChain(config, systemClock());
  await expect(startOwnChain(config, systemClock())).rejects.toThrow(
    `process ${process.pid} already runs the sandbox chain in ${FLORIN_DATA}/chain: let every process use that one, with SOLANA_RPC_URLS`,
  );
  await first.stop();
  const next = await startOwnChain(config, systemClock());
  await next.stop();
});
