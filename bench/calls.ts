import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import {
  add,
  type Calls,
  type CountingNode,
  isOfHistory,
  startCountingNode,
  sumOf,
} from './counting-node.ts';
import { createPayer, type Pay, type ToPay } from './payer.ts';
import type { Running } from './processes.ts';
import { type Round, spreadOf } from './rounds.ts';
import { watchStatus } from './watch-status.ts';
import { openWatchedShop, type WatchedShop } from './watched-shop.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

/** As on mainnet. */
const SLOT_MS = 400;
const PAYMENTS_A_DAY = 50;
const PAGES_A_DAY = 100;
const DAYS = 30;
const SECONDS_A_MONTH = DAYS * 86_400;
/** A third of what such a shop cost at first. */
const ALLOWED = 313_000;

/** Pages of each kind in a round, one after the other: what happens at once shares calls, which a quiet shop does not. */
const EACH = 2;
const PAGE_LIFE_SECONDS = 40;
const PAGE_EVERY_MS = 25_000;
/** Time from a deadline to the proof that nothing came: finality, and a look or two. */
const PROOF_MS = 40_000;
const PAY_AFTER_MS = 3_000;
const PAYMENT_MS = 25_000;
const READ_MS = 6_000;
/** After its deadline a page's payment is looked for so often. */
const LATER_LOOKS = 3;
/** A month has a first day only once. */
const WARM_UPS = 2;

/**
 * Counts the calls to its only node that a small shop costs in a month: 50 payments and 100 opened pages a day. One shop rests all
 * the time, and the other is visited: pages that nobody pays on, paid ones, the hourly reading and the nightly one, each
 * counted on its own, less what the resting one costs in the same seconds, and multiplied by how often it happens.
 */
export function calls({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const resting = await openShop(shop, { data, name: 'resting', profileFolder });
    const visited = await openShop(shop, { data, name: 'visited', profileFolder });
    say('the first payments, from which a service learns how long the network takes');
    for (let i = 0; i < WARM_UPS; i++) await payOnPages(visited);
    const rest = startCount(resting.node);

    const measured: Round[] = [];
    const months: Calls[] = [];
    const each: Record<string, Calls>[] = [];
    for (let i = 0; i < rounds; i++) {
      const beyond = (work: () => Promise<unknown>, times: number) =>
        countBeyond(visited.node, rest, work).then((counted) => add({}, counted, 1 / times));
      const page = await beyond(() => openPages(visited), EACH);
      const look = await beyond(() => lookAgain(visited), EACH);
      const paid = await beyond(() => payOnPages(visited), EACH);
      const hourly = await beyond(() => readNow(visited, 'next_poll_at'), 1);
      const nightly = await beyond(() => readNow(visited, 'next_rescan_at'), 1);
      const month = [
        { of: add(page, look, LATER_LOOKS), times: (PAGES_A_DAY - PAYMENTS_A_DAY) * DAYS },
        { of: paid, times: PAYMENTS_A_DAY * DAYS },
        { of: hourly, times: 24 * DAYS },
        { of: nightly, times: DAYS },
      ].reduce((sum, { of, times }) => add(sum, of, times), add({}, rest.perSecond(), SECONDS_A_MONTH));
      months.push(month);
      each.push({ page, look, paid, hourly, nightly });
      const ours = sumOf(month);
      measured.push({ ours, yardstick: ALLOWED, ratio: ALLOWED / ours });
      const [idle, unpaid, payment] = [rest.perSecond(), add(page, look, LATER_LOOKS), paid].map(sumOf);
      say(
        `round ${i + 1} of ${rounds}: ${(idle! * 60).toFixed(1)} a minute, ${unpaid!.toFixed(1)} for a page, ` +
          `${payment!.toFixed(1)} for a paid one, ${ours.toFixed(0)} a month`,
      );
    }
    const month = months.reduce((sum, each) => add(sum, each, 1 / rounds), {});
    const spread = spreadOf(measured);
    const ofHistory = Object.entries(month).filter(([method]) => isOfHistory(method));
    return {
      ratio: spread.median,
      spread,
      unit: 'calls a month',
      rounds: measured,
      table: tableOf(month),
      extra: {
        idleCallsAMinute: add({}, rest.perSecond(), 60),
        ofHistory: sumOf(Object.fromEntries(ofHistory)),
        each,
      },
    };
  });
}

interface Shop extends WatchedShop {
  node: CountingNode;
  chain: Running;
  pay: Pay;
  status: ReturnType<typeof watchStatus>;
}

async function openShop(
  shop: Workshop,
  { name, ...spec }: { data: string; name: string; profileFolder: string | undefined },
): Promise<Shop> {
  const chain = await shop.startYardstick('chain.ts', {
    name: `${name}-chain`,
    env: { SLOT_MS: String(SLOT_MS) },
  });
  const node = await startCountingNode(chain.url);
  shop.onClose(() => node.close());
  const env = { SOLANA_RPC_URLS: node.url };
  const watched = await openWatchedShop(shop, { ...spec, name, merchants: 1, chain, env });
  const status = watchStatus(watched, `status <> 'pending' and status <> 'processing'`);
  shop.onClose(() => status.stop());
  return { ...watched, node, chain, pay: await createPayer(chain.url), status };
}

/** Calls since now, as a rate. */
function startCount(node: CountingNode) {
  const before = node.counts();
  const startedMs = performance.now();
  return {
    perSecond: (): Calls =>
      add(
        add({}, node.counts(), 1e3 / (performance.now() - startedMs)),
        before,
        -1e3 / (performance.now() - startedMs),
      ),
  };
}

/** Counts the calls during `work`, less those of as long a rest. */
async function countBeyond(
  node: CountingNode,
  rest: { perSecond(): Calls },
  work: () => Promise<unknown>,
): Promise<Calls> {
  const before = node.counts();
  const startedMs = performance.now();
  await work();
  const seconds = (performance.now() - startedMs) / 1000;
  return add(add(node.counts(), before, -1), rest.perSecond(), -seconds);
}

/** Pages that stay open until the deadline, and nobody pays. */
async function openPages(shop: Shop): Promise<void> {
  const ends: Promise<unknown>[] = [];
  for (let i = 0; i < EACH; i++) {
    const intent = await openIntent(shop);
    const page = openPage(shop, intent);
    ends.push(shop.status.seenAt(intent.id).then(() => page.close()));
    await sleep(PAGE_EVERY_MS);
  }
  await Promise.all(ends);
  await sleep(PROOF_MS);
}

/** One more of the looks that follow a deadline, at each of the pages. */
async function lookAgain({ db }: Shop): Promise<void> {
  await db.query(
    `update payment_intents set reference_check_at = now()
      where id in (select id from payment_intents where status = 'expired' order by expires_at desc limit $1)`,
    [EACH],
  );
  await sleep(READ_MS);
}

async function payOnPages(shop: Shop): Promise<void> {
  for (let i = 0; i < EACH; i++) {
    const startedMs = performance.now();
    const intent = await openIntent(shop);
    const page = openPage(shop, intent);
    await sleep(PAY_AFTER_MS);
    const paid = shop.status.seenAt(intent.id);
    await shop.pay(intent);
    await paid;
    await sleep(Math.max(0, startedMs + PAYMENT_MS - performance.now()));
    page.close();
  }
}

/** Reads the account as its turn would. */
async function readNow({ db }: Shop, due: 'next_poll_at' | 'next_rescan_at'): Promise<void> {
  await db.query(`update watched_accounts set ${due} = now()`);
  await sleep(READ_MS);
}

async function openIntent(shop: Shop): Promise<ToPay> {
  const [intent] = await shop.open(1, { from: PAGE_LIFE_SECONDS, to: PAGE_LIFE_SECONDS });
  return intent!;
}

/** Opens an intent's page as a browser does: its stream says when to read it again. */
function openPage({ service }: Shop, { id }: ToPay) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const path = `${service.url}/intents/${id}`;
  const ignoreStopped = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  const read = async () => {
    const answer = await fetch(path, { headers: { accept: 'text/html' }, signal });
    if (!answer.ok) throw new Error(`the page answers ${answer.status}`);
    await answer.text();
  };
  const follow = async () => {
    await read();
    // Its countdown reads it again.
    setTimeout(() => void read().catch(ignoreStopped), (PAGE_LIFE_SECONDS + 1) * 1000);
    const stream = await fetch(`${path}/live`, { headers: { accept: 'text/event-stream' }, signal });
    let known: string | undefined;
    for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream()))
      for (const [, version] of chunk.matchAll(/event: version\ndata: (.*)/g)) {
        if (known !== undefined && version !== known) await read();
        known = version;
      }
  };
  follow().catch(ignoreStopped);
  return { close: () => stopping.abort() };
}

function tableOf(month: Calls): string {
  const rows = Object.entries(month)
    .filter(([, count]) => Math.round(count / 100) > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([method, count]) => `| \`${method}\` | ${rounded(count)} |`);
  return `${['| calls a month | small shop |', '| --- | --- |', ...rows, `| all | ${rounded(sumOf(month))} |`].join('\n')}\n`;
}

const rounded = (count: number) => (Math.round(count / 100) * 100).toLocaleString('en');
