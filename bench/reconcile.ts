import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { USDC_MINTS } from '../src/chain/solana/network.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { createDatabase } from './create-database.ts';
import { fillQuickly, withoutIndexes } from './fill-quickly.ts';
import { FILL_BOOKS } from './long-history.ts';
import { type Round, spreadOf } from './rounds.ts';
import { type Ran, runCommand } from './run-command.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const TRANSACTIONS = 1_000_000;
/** Default limit of a process's calls to a node, outside of the sandbox. */
const CALLS_PER_SECOND = 25;
const ALLOWED_SECONDS = 600;
const MINT = USDC_MINTS.sandbox;

interface Compared extends Ran {
  calls: number;
}

interface Books {
  name: string;
  compare(): Promise<Compared>;
}

/**
 * Measures how long the command takes to compare a million transactions with the chain, of one account and of a thousand, at the
 * calls per second that are usual outside of the sandbox; the longer one counts. The yardstick is ten minutes.
 */
export function reconcile({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const books: Books[] = [];
    for (const [name, accounts] of [
      ['one', 1],
      ['thousand', 1_000],
    ] as const) {
      say(`filling the books of ${accounts} accounts`);
      books.push(await fillBooks(shop, data, { name, accounts }));
    }
    const measured: Round[] = [];
    const runs: Record<string, Compared>[] = [];
    for (let i = 1; i <= rounds; i++) {
      const run: Record<string, Compared> = {};
      for (const { name, compare } of books) {
        const ran = await compare();
        run[name] = ran;
        say(
          `round ${i} of ${rounds}, ${name}: ${ran.seconds.toFixed(0)} s, ${ran.calls} calls, ${ran.peakMb.toFixed(0)} MB`,
        );
      }
      runs.push(run);
      const ours = Math.max(...Object.values(run).map(({ seconds }) => seconds));
      measured.push({ ours, yardstick: ALLOWED_SECONDS, ratio: ALLOWED_SECONDS / ours });
    }
    const spread = spreadOf(measured);
    return { ratio: spread.median, spread, unit: 's', rounds: measured, extra: { runs } };
  });
}

async function fillBooks(
  shop: Workshop,
  data: string,
  { name, accounts }: { name: string; accounts: number },
): Promise<Books> {
  const database = await createDatabase(shop, data, name, [newReferenceAddress()]);
  const owners = Array.from({ length: accounts }, newReferenceAddress);
  const watched = await Promise.all(
    owners.map(async (owner) => ({ owner, account: await associatedAccount(owner, MINT) })),
  );
  const db = await shop.connect(data, name);
  const each = TRANSACTIONS / accounts;
  await fillQuickly(db, ['watched_accounts', 'incoming_transfers'], async () => {
    await db.query(
      `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at, next_rescan_at)
       select destination, account, $3, '2024-12-31Z', '2099-01-01Z', now(), now()
         from unnest($1::text[], $2::text[]) as w(destination, account)`,
      [owners, watched.map(({ account }) => account), database.merchants[0]!.id],
    );
    await withoutIndexes(db, 'incoming_transfers', () =>
      db.query(FILL_BOOKS, [owners.map((_, i) => i), owners, each]),
    );
  });
  const path = join(shop.folder, `${name}.json`);
  await writeFile(path, JSON.stringify(watched));
  const node = await shop.startYardstick('history-chain.ts', {
    name: `chain-${name}`,
    env: { ACCOUNTS: path, EACH: String(each), MINT },
  });
  const countCalls = async (): Promise<number> => {
    const response = await fetch(node.url, {
      method: 'POST',
      body: JSON.stringify({ method: 'bench_calls' }),
    });
    const { result } = (await response.json()) as { result: Record<string, number> };
    return Object.values(result).reduce((sum, count) => sum + count, 0);
  };
  const env = {
    ...database.env,
    SOLANA_MAX_CALLS_PER_SECOND: String(CALLS_PER_SECOND),
    FLORIN_DATA: shop.folder,
  };
  return {
    name,
    async compare() {
      const before = await countCalls();
      const { ran, result } = await runCommand(env, ['reconcile', '--rpc-url', node.url]);
      const { transactions } = result as unknown as { transactions: number };
      if (transactions !== TRANSACTIONS) throw new Error(`${transactions} transactions were compared`);
      return { ...ran, calls: (await countCalls()) - before };
    },
  };
}
