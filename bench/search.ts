import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { type FilledShop, openFilledShop } from './filled-shop.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { withWorkshop } from './workshop.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const READS_EACH = 40;
const AT_MOST_MS = 100;

/**
 * Measures a search with a hundred times the payments, checkouts, invoices and customers of one merchant: time among
 * few ÷ among many, both searched in turn. The worst kind of text counts.
 */
export function search({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    say(`filling ${LARGE.toLocaleString('en')} rows of each`);
    const open = async (database: string, count: number) => {
      const filled = await openFilledShop(shop, data, { database, merchants: 1, count }, addTransactions);
      const { rows } = await filled.db.query<Known>(FIND_SOME, [READS_EACH]);
      return { filled, rows };
    };
    const large = await open('large', LARGE);
    const small = await open('small', SMALL);

    const measured: Round[] = [];
    const times = new Map<string, number[]>(Object.keys(TEXTS).map((kind) => [kind, []]));
    for (let i = -1; i < rounds; i++) {
      for (const kind of Object.keys(TEXTS)) {
        const { round, ours } = await askInTurn(kind, large, small);
        if (i < 0) continue;
        measured.push(round);
        times.get(kind)!.push(...ours);
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const kinds = [...times].map(([kind, ms]) => ({
      kind,
      p95Ms: percentile(ms, 95),
      ...spreadOf(measured.filter((round) => round.of === kind)),
    }));
    const worst = kinds.sort((a, b) => a.median - b.median)[0]!;
    const slowest = Math.max(...kinds.map(({ p95Ms }) => p95Ms));
    return {
      ratio: worst.median,
      spread: worst,
      unit: 'ms',
      rounds: measured,
      extra: { rows: LARGE, slowestP95Ms: slowest, atMostMs: AT_MOST_MS, kinds },
    };
  });
}

interface Known {
  id: string;
  order: string;
  reference: string;
  signature: string;
  email: string;
  name: string;
  number: string;
  cents: string;
}

interface Open {
  filled: FilledShop;
  rows: Known[];
}

/** Texts to search for, of something that exists; a beginning that very many have is the hardest. */
const TEXTS: Record<string, (known: Known) => string> = {
  order: ({ order }) => order,
  'how most orders begin': () => 'ord',
  'how some orders begin': ({ order }) => order.slice(0, -2),
  reference: ({ reference }) => reference,
  signature: ({ signature }) => signature,
  id: ({ id }) => id,
  'e-mail': ({ email }) => email,
  'how most e-mails begin': () => 'u',
  name: ({ name }) => name,
  number: ({ number }) => number.toLowerCase(),
  'how most numbers begin': () => 'inv',
  amount: ({ cents }) => (Number(cents) / 100).toFixed(2),
  nothing: () => 'there is no such thing',
};

/** One after the other, so that whatever else the machine does meets both. */
async function askInTurn(kind: string, large: Open, small: Open) {
  const ask = ({ filled, rows }: Open, turn: number) =>
    filled.read(
      filled.merchants[0]!,
      `/api/v2/search?q=${encodeURIComponent(TEXTS[kind]!(rows[turn % rows.length]!))}`,
    );
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let turn = 0; turn < READS_EACH; turn++) {
    ours.push(await ask(large, turn));
    yardstick.push(await ask(small, turn));
  }
  const [many, few] = [percentile(ours, 50), percentile(yardstick, 50)];
  return { ours, round: { of: kind, ours: many, yardstick: few, ratio: few / many } satisfies Round };
}

/** A transaction of its own for everything that was paid. */
async function addTransactions(db: pg.Client): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(`
    insert into incoming_transfers (signature, destination, slot, block_time, received_base_units, has_failed, is_final, seen_at)
    select ${SIGNATURE}, destination_address, 1, succeeded_at, received_base_units, false, true, succeeded_at
      from payment_intents where status = 'succeeded'`);
  await db.query(`
    insert into payment_allocations (merchant_id, intent_id, signature, destination, base_units, is_final, created_at)
    select merchant_id, id, ${SIGNATURE}, destination_address, received_base_units, true, succeeded_at
      from payment_intents where status = 'succeeded'`);
  await db.query('reset session_replication_role');
  await db.query('vacuum analyze transfers, credits');
}

/** 64 bytes in base58, always the same for an intent. */
const SIGNATURE = `'z' || left(repeat(translate(md5(id::text), '0', 'z'), 3), 86)`;

const FIND_SOME = `
  select i.id, i.order_id as "order", i.reference_address as reference, r.signature, c.email, c.name,
         v.number_text as number, i.expected_amount_cents::text as cents
    from (select * from payment_intents where status = 'succeeded' order by random() limit $1) as i
    join payment_allocations r on r.merchant_id = i.merchant_id and r.intent_id = i.id
    join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
    join customers c on c.merchant_id = s.merchant_id and c.id = s.customer_id
    join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id`;
