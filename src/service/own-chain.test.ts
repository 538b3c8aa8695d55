import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { readConfig } from '../config/config.ts';
import { systemClock } from '../platform/lib/clock.ts';
import { startOwnChain } from './own-chain.ts';

test('a second process on the ledger of a sandbox chain is refused with the reason, until the first has stopped', async () => {
  const FLORIN_DATA = await mkdtemp(join(tmpdir(), 'florin-own-chain-'));
  cleanUp(() => rm(FLORIN_DATA, { recursive: true }));
  const config = readConfig({ FLORIN_DATA });
  const first = await startOwnChain(config, systemClock());
  await expect(startOwnChain(config, systemClock())).rejects.toThrow(
    `process ${process.pid} already runs the sandbox chain in ${FLORIN_DATA}/chain: let every process use that one, with SOLANA_RPC_URLS`,
  );
  await first.stop();
  const next = await startOwnChain(config, systemClock());
  await next.stop();
});
