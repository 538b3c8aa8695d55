import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { TOKEN_PROGRAM, USDC_MINTS } from '../src/chain/solana/network.ts';
import type { SettleTransfer } from '../src/payments/transfers/settle-transfer.ts';
import { settleTransfers } from '../src/payments/transfers/settle-transfers.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { encodeBase58 } from '../src/platform/lib/base58.ts';
import { centsToBaseUnits } from '../src/platform/lib/money.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { type FilledShop, openFilledShop } from './filled-shop.ts';
import { type Round, spreadOf } from './rounds.ts';
import { socketFolder, withWorkshop } from './workshop.ts';

const PAST = 10_000;
/** Number of sales in each half of a round. */
const SALES = 400;
const AT_ONCE = 16;
const MINT = USDC_MINTS.sandbox;
const KINDS = ['checkouts', 'settlement'] as const;

const TRIGGERS = {
  payment_intents: ['payment_intents_revenue'],
  checkout_sessions: ['checkout_sessions_opened', 'checkout_sessions_completed'],
  invoices: ['invoices_sold', 'invoices_sales'],
};

/**
 * Measures what counting revenue costs the sales themselves: checkouts opened and payments settled per second with
 * the triggers ÷ without them, in the same database, in turn. The worse of both counts.
 */
export function revenueTriggers({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const past = { days: 90, projectsEach: 1, pricesEach: 20 };
    const filled = await openFilledShop(shop, data, { database: 'shop', merchants: 1, count: PAST, past });
    // Numbers continue after those of the past.
    await filled.db.query('update projects set last_invoice_number = $1', [PAST]);
    const connection = { host: socketFolder(data), user: 'florin', database: 'shop' };
    const db = openDatabase({ connection });
    shop.onClose(() => db.close());

    const measured: Round[] = [];
    for (let i = -1; i < rounds; i++) {
      const [first, second] = [await sell(filled, db, true), await sell(filled, db, false)];
      const [third, fourth] = [await sell(filled, db, false), await sell(filled, db, true)];
      for (const kind of KINDS) {
        const ours = (first[kind] + fourth[kind]) / 2;
        const yardstick = (second[kind] + third[kind]) / 2;
        if (i >= 0) measured.push({ of: kind, ours, yardstick, ratio: ours / yardstick });
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const kinds = KINDS.map((kind) => ({
      kind,
      ...spreadOf(measured.filter(({ of }) => of === kind)),
    }));
    const worst = kinds.reduce((a, b) => (b.median < a.median ? b : a));
    return { ratio: worst.median, spread: worst, unit: 'sales/s', rounds: measured, extra: { kinds } };
  });
}

/** Sells, with the triggers or without them; returns how many sales are opened and settled per second. */
async function sell(filled: FilledShop, db: Database, isCounted: boolean) {
  for (const [table, triggers] of Object.entries(TRIGGERS))
    for (const trigger of triggers)
      await filled.db.query(`alter table ${table} ${isCounted ? 'enable' : 'disable'} trigger ${trigger}`);
  const { rows } = await filled.db.query<{ id: string }>(
    `select id from prices where billing_mode = 'one_time' limit 1`,
  );
  const body = JSON.stringify({ ...(await projectOf(filled)), mode: 'one_time', priceId: rows[0]!.id });
  const opened = await timed(() => openCheckouts(filled, body));
  const transfers = await transfersOf(filled, opened.result);
  const settled = await timed(() => settleTransfers({ db, wakeWebhooks() {} }, transfers));
  return { checkouts: SALES / opened.seconds, settlement: SALES / settled.seconds };
}

async function projectOf({ db }: FilledShop): Promise<{ projectId: string }> {
  const { rows } = await db.query<{ id: string }>('select id from projects limit 1');
  return { projectId: rows[0]!.id };
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedMs) / 1000 };
}

async function openCheckouts({ url, merchants }: FilledShop, body: string): Promise<string[]> {
  const ids: string[] = [];
  let left = SALES;
  const open = async () => {
    while (left-- > 0) {
      const response = await fetch(`${url}/api/v2/checkout-sessions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${merchants[0]!.key}`, 'content-type': 'application/json' },
        body,
      });
      const text = await response.text();
      if (response.status !== 201) throw new Error(text);
      ids.push((JSON.parse(text) as { paymentIntentId: string }).paymentIntentId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, open));
  return ids;
}

/** Each intent is paid exactly, as the chain would show it. */
async function transfersOf({ db, merchants }: FilledShop, ids: readonly string[]): Promise<SettleTransfer[]> {
  const [{ id: merchantId, payoutAddress: owner }] = merchants as [FilledShop['merchants'][number]];
  const account = await associatedAccount(owner, MINT);
  const { rows } = await db.query<{ reference: string; cents: string }>(
    `select reference_address as reference, expected_amount_cents::text as cents from payment_intents
      where merchant_id = $1 and id = any($2)`,
    [merchantId, ids],
  );
  const now = new Date();
  const balance = (amount: bigint) => ({
    account,
    mint: MINT,
    owner,
    program: TOKEN_PROGRAM,
    amount,
    decimals: 6,
  });
  return rows.map(({ reference, cents }) => ({
    transaction: {
      ...{ signature: encodeBase58(randomBytes(64)), slot: 100, blockTime: now, hasFailed: false },
      ...{ accounts: [account, reference], signers: [], before: [balance(0n)] },
      ...{ after: [balance(centsToBaseUnits(BigInt(cents)))], transfers: [], memos: [] },
    },
    destination: { owner, mint: MINT, account },
    ...{ merchantId, isFinal: true, now },
  }));
}
