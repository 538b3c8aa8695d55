import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address } from '@solana/kit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addressText } from '../ledger/addresses.ts';
import { Chain } from '../ledger/chain.ts';
import { FAUCET } from '../ledger/genesis.ts';
import { createFaucet } from './faucet.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'long-chain-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (stateFolder = folder) => new Chain({ now: () => new Date(1_800_000_000_000), stateFolder });

const ownerOf = (n: number) =>
  address(
    addressText(
      Buffer.alloc(32, 0)
        .fill(n + 1, 28, 32)
        .fill(7, 0, 4),
    ),
  );

/** One gift to another owner in each slot; `settled` slots without any come after it. */
async function give(chain: Chain, from: number, to: number, settled: number): Promise<void> {
  const faucet = await createFaucet(chain);
  for (let n = from; n < to; n++) {
    await faucet.fund(ownerOf(n % 250), 1_000_000n + BigInt(n));
    chain.openSlot();
  }
  for (let n = 0; n < settled; n++) chain.openSlot();
}

/** All that can be asked about the past and the present. */
function story(chain: Chain) {
  const all = { before: undefined, until: undefined, limit: 10_000, maxSlot: chain.slots.slot };
  const history = chain.ledger.page(FAUCET.address, all);
  return {
    history: history.map(({ signature, slot, blockTime, place }) => ({ signature, slot, blockTime, place })),
    bytes: history
      .filter((_, i) => i % 50 === 0)
      .map((entry) => chain.details(entry).bytes.toString('base64')),
    balances: Array.from({ length: 250 }, (_, n) => chain.accounts.latest(ownerOf(n))?.lamports),
    found: history.every(({ signature }) => chain.ledger.find(signature)?.signature === signature),
    pages: [0, 1, 249].map((n) => chain.ledger.page(ownerOf(n), all).map(({ signature }) => signature)),
    size: chain.ledger.size,
  };
}

test('what a chain holds in memory does not grow with its transactions, and nothing is forgotten', async () => {
  const chain = open();
  await give(chain, 0, 700, 0);
  const held = () => [chain.ledger.recentCount, chain.accounts.trackedCount];
  const [entries, accounts] = held();
  expect(entries).toBeLessThan(620);
  await give(chain, 700, 1_000, 0);
  // One transaction in every slot: as many as slots are kept, and the accounts of those.
  expect(held()[0]).toBeLessThanOrEqual(entries! + 16);
  expect(held()[1]).toBeLessThanOrEqual(accounts! + 16);
  expect(chain.ledger.size).toBe(1_000);
  const told = story(chain);
  expect([told.history.length, told.found]).toEqual([1_000, true]);
  const gone = chain.rollBack(5);
  expect(gone).toHaveLength(4);
  const before = story(chain);
  await chain.close();

  // The beginning of the log is not read again: a start is as fast after years.
  const log = join(folder, 'ledger.log');
  const whole = readFileSync(log);
  const damaged = Buffer.from(whole);
  damaged.fill('x', 200, 300);
  writeFileSync(log, damaged);
  const restarted = open();
  expect(restarted.ledger.recentCount).toBeLessThan(620);
  const [oldest] = before.history.slice(-1);
  expect(() => restarted.details({ ...restarted.ledger.find(oldest!.signature)! })).toThrow(/damaged/);
  await restarted.close();
  writeFileSync(log, Buffer.concat([whole, readFileSync(log).subarray(whole.length)]));
  const mended = open();
  expect(story(mended)).toEqual(before);
  await mended.close();
});

test('the place of a transaction in its block is known of archived ones too', async () => {
  const chain = open();
  const faucet = await createFaucet(chain);
  for (let n = 0; n < 3; n++) await faucet.fund(ownerOf(n), 1_000_000n);
  const places = () => {
    const all = { before: undefined, until: undefined, limit: 10, maxSlot: chain.slots.slot };
    return chain.ledger.page(FAUCET.address, all).map((entry) => chain.ledger.indexInSlot(entry));
  };
  expect([chain.ledger.archivedCount, places()]).toEqual([0, [2, 1, 0]]);
  for (let n = 0; n < 700; n++) chain.openSlot();
  expect([chain.ledger.archivedCount, places()]).toEqual([3, [2, 1, 0]]);
  await chain.close();
});

test('an archive that is gone, damaged, of another log or behind is made up from the log', async () => {
  const chain = open();
  await give(chain, 0, 300, 700);
  // After a kill, the archive ends somewhere before the log.
  const killed = mkdtempSync(join(tmpdir(), 'long-chain-killed-'));
  cpSync(folder, killed, { recursive: true });
  await give(chain, 300, 310, 0);
  const before = story(chain);
  expect(chain.ledger.recentCount).toBe(10);
  await chain.close();
  const archive = join(folder, 'archive.db');
  const again = async () => {
    const restarted = open();
    const result = story(restarted);
    const { recentCount } = restarted.ledger;
    await restarted.close();
    return [result, recentCount];
  };
  rmSync(archive);
  expect(await again()).toEqual([before, 10]);
  writeFileSync(archive, 'not a database at all, but longer than the head of one has to be '.repeat(9));
  for (const rest of ['-wal', '-shm']) rmSync(`${archive}${rest}`, { force: true });
  expect(await again()).toEqual([before, 10]);
  cpSync(join(killed, 'ledger.log'), join(folder, 'ledger.log'));
  const shorter = open();
  expect(shorter.ledger.size).toBe(300);
  await shorter.close();
  cpSync(join(folder, 'ledger.log'), join(killed, 'ledger.log'));
  const behind = open(killed);
  expect(behind.ledger.size).toBe(300);
  await behind.close();
  rmSync(killed, { recursive: true });
});
