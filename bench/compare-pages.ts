import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { openFilledShop } from './filled-shop.ts';
import { type Round, readInTurn, spreadOf } from './rounds.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const MERCHANTS = 10;
const READS_EACH = 40;

/** The pages to compare, and the rows they show. */
export interface Pages<Some> {
  /** Paths of pages by name, given some ids of a merchant. */
  paths: Record<string, (some: Some) => string>;
  /** Finds those ids, given the merchant's. */
  findSome: string;
  /** Fills a database with `count` rows beyond the shop's own, which then has `shopRows`. */
  fill?: { shopRows: number; rows(db: pg.Client, count: number): Promise<void> };
  /** Lowest acceptable ratio. */
  atLeast: number;
}

/**
 * Compares a page of 20, for one caller, with a hundred times the rows: time with few rows ÷ with many, both read in
 * turn. The worst page counts.
 */
export function comparePages<Some>({ rounds, say }: BenchRun, pages: Pages<Some>): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    say(`filling ${LARGE.toLocaleString('en')} rows`);
    const large = await openShop(shop, data, { database: 'large', count: LARGE }, pages);
    const small = await openShop(shop, data, { database: 'small', count: SMALL }, pages);

    const names = Object.keys(pages.paths);
    const measured: Round[] = [];
    for (let i = -1; i < rounds; i++) {
      for (const page of names) {
        const round = await readInTurn(
          page,
          { ours: (turn) => large(page, turn), yardstick: (turn) => small(page, turn) },
          READS_EACH,
        );
        if (i >= 0) measured.push(round);
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const spreads = names.map((page) => ({
      page,
      ...spreadOf(measured.filter((round) => round.of === page)),
    }));
    const worst = spreads.sort((a, b) => a.median - b.median)[0]!;
    return {
      ratio: worst.median,
      spread: worst,
      unit: 'ms',
      rounds: measured,
      extra: { rows: LARGE, atLeast: pages.atLeast, pages: spreads },
    };
  });
}

type Read = (page: string, turn: number) => Promise<number>;

async function openShop<Some>(
  shop: Workshop,
  data: string,
  { database, count }: { database: string; count: number },
  { paths, findSome, fill }: Pages<Some>,
): Promise<Read> {
  const filled = { database, merchants: MERCHANTS, count: fill?.shopRows ?? count };
  const { db, merchants, read } = await openFilledShop(
    shop,
    data,
    filled,
    fill && ((client) => fill.rows(client, count)),
  );
  const places: Some[] = [];
  for (const { id } of merchants) places.push((await db.query(findSome, [id])).rows[0]);
  return (page, turn) => {
    const nth = turn % MERCHANTS;
    return read(merchants[nth]!, `/api/v2${paths[page]!(places[nth]!)}`);
  };
}
