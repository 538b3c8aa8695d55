import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { firstIdAt } from '../src/platform/lib/ids.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { openFilledShop } from './filled-shop.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const MERCHANTS = 10;
const READS_EACH = 40;
const AT_MOST = 1.3;

/**
 * What a hundred times the rows cost a page of 20, for one caller: how long it takes with few rows ÷ with many, both
 * read in turn. The worst page counts.
 */
export function listPage({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    say(`filling ${LARGE.toLocaleString('en')} rows`);
    const large = await openShop(shop, data, 'large', LARGE);
    const small = await openShop(shop, data, 'small', SMALL);

    const pages = Object.keys(PATHS);
    const measured: Round[] = [];
    for (let i = -1; i < rounds; i++) {
      for (const page of pages) {
        const round = await readInTurn(page, large, small);
        if (i >= 0) measured.push(round);
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const spreads = pages.map((page) => ({
      page,
      ...spreadOf(measured.filter((round) => round.of === page)),
    }));
    const worst = spreads.sort((a, b) => a.median - b.median)[0]!;
    return {
      ratio: worst.median,
      spread: worst,
      unit: 'ms',
      rounds: measured,
      extra: { rows: LARGE, atLeast: 1 / AT_MOST, pages: spreads },
    };
  });
}

type Read = (page: string, turn: number) => Promise<number>;

/** One after the other, so that whatever else the machine does meets both. */
async function readInTurn(page: string, large: Read, small: Read): Promise<Round> {
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let turn = 0; turn < READS_EACH; turn++) {
    ours.push(await large(page, turn));
    yardstick.push(await small(page, turn));
  }
  const [many, few] = [percentile(ours, 50), percentile(yardstick, 50)];
  return { of: page, ours: many, yardstick: few, ratio: few / many };
}

async function openShop(shop: Workshop, data: string, database: string, count: number): Promise<Read> {
  const { db, merchants, read } = await openFilledShop(shop, data, { database, merchants: MERCHANTS, count });
  const places: Some[] = [];
  for (const { id } of merchants) places.push((await db.query(FIND_SOME, [id])).rows[0]);
  return (page, turn) => {
    const nth = turn % MERCHANTS;
    return read(merchants[nth]!, `/api/v2${PATHS[page]!(places[nth]!)}`);
  };
}

const FIND_SOME = `
  select project_id as project, customer_id as customer, external_customer_id as "externalId"
    from checkout_sessions where merchant_id = $1 limit 1`;

interface Some {
  project: string;
  customer: string;
  externalId: string;
}

const PATHS: Record<string, (some: Some) => string> = {
  sessions: () => '/checkout-sessions',
  'sessions, deep': () => `/checkout-sessions?cursor=${monthAgo()}`,
  'sessions, project': ({ project }) => `/checkout-sessions?projectId=${project}`,
  'sessions, customer': ({ customer }) => `/checkout-sessions?customerId=${customer}`,
  'sessions, many of a status': () => '/checkout-sessions?status=complete',
  'sessions, few of a status': () => '/checkout-sessions?status=canceled',
  'sessions, few of two': ({ project }) =>
    `/checkout-sessions?projectId=${project}&status=open&status=canceled`,
  'sessions, none under way': () => '/checkout-sessions?paymentStatus=processing',
  invoices: () => '/invoices',
  'invoices, project': ({ project }) => `/invoices?projectId=${project}`,
  'invoices, external customer': ({ externalId }) => `/invoices?externalCustomerId=${externalId}`,
  'invoices, few of a status': () => '/invoices?status=void',
  'invoices, few of two': ({ project }) => `/invoices?projectId=${project}&status=open&status=void`,
  customers: () => '/customers',
  'customers, project': ({ project }) => `/customers?projectId=${project}`,
};

function monthAgo(): string {
  const id = firstIdAt(new Date(Date.now() - 30 * 86_400_000));
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}
