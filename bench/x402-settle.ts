import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult, BenchRun } from './bench.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { openSponsoredShop, type SponsoredShop } from './sponsored-shop.ts';
import { withWorkshop } from './workshop.ts';
import { askForOffer, blockhashOf, createProgram, type Program } from './x402-payer.ts';

/** Number of payments that are signed, then sent: a blockhash is valid for 150 slots. */
const PAYMENTS = 1_000;
const AT_ONCE = 256;
/** Length of a slot, as on the real network. */
const SLOT_MS = 400;
const PER_SECOND = 100;
const LOOK_MS = 50;

/**
 * Payments by x402 settled per second, from the signed payment to the receipt: checked, simulated, its order written,
 * signed as the fee payer, stored, sent and confirmed. Against a hundred a second. Each answer waits for about two
 * slots of 400 ms. There is one wallet for each simultaneous payment: a program pays for one thing after the other.
 */
export function x402Settle({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (workshop) => {
    const shop = await openSponsoredShop(workshop, { slotMs: SLOT_MS, profileFolder });
    const programs = await Promise.all(Array.from({ length: AT_ONCE }, () => createProgram(shop.chain.url)));
    await settle(shop, programs, 100);
    const measured: Round[] = [];
    const waits: { p50Ms: number; p95Ms: number; resends: number }[] = [];
    const callsBefore = await shop.rpcCalls();
    for (let i = 1; i <= rounds; i++) {
      const { perSecond, tookMs, resends } = await settle(shop, programs, PAYMENTS);
      waits.push({ p50Ms: percentile(tookMs, 50), p95Ms: percentile(tookMs, 95), resends });
      measured.push({ ours: perSecond, yardstick: PER_SECOND, ratio: perSecond / PER_SECOND });
      say(
        `round ${i} of ${rounds}: ${perSecond.toFixed(0)} payments/s, p95 ${waits.at(-1)!.p95Ms.toFixed(0)} ms`,
      );
    }
    const calls = (await shop.rpcCalls()) - callsBefore;
    await allPaid(shop, 100 + rounds * PAYMENTS);
    const spread = spreadOf(measured);
    const extra = { waits, rpcCallsPerPayment: calls / (rounds * PAYMENTS) };
    return { ratio: spread.median, spread, unit: 'payments/s', rounds: measured, extra };
  });
}

/** Only sending them is measured: programs sign on machines of their own. */
async function settle({ urls, chain }: SponsoredShop, programs: readonly Program[], count: number) {
  const offered = await inParallel(count, async (i) => {
    const url = urls[i % urls.length]!;
    return { url, offer: await askForOffer(url) };
  });
  const lifetime = await blockhashOf(chain.url);
  const payments = await inParallel(count, async (i) => {
    const { url, offer } = offered[i]!;
    return { url, header: await programs[i % programs.length]!.sign(offer, lifetime) };
  });
  const tookMs: number[] = [];
  let resends = 0;
  const startedMs = performance.now();
  await inParallel(count, async (i) => {
    const { url, header } = payments[i]!;
    const sentMs = performance.now();
    resends += await payUntilSettled(url, header);
    tookMs.push(performance.now() - sentMs);
  });
  return { perSecond: (count * 1000) / (performance.now() - startedMs), tookMs, resends };
}

/** Pays as a client does: after 503 it sends the same payment again. Returns how often it did. */
async function payUntilSettled(url: string, header: string): Promise<number> {
  for (let resends = 0; ; resends++) {
    const response = await fetch(url, { headers: { 'payment-signature': header } });
    const text = await response.text();
    if (response.status === 200) return resends;
    if (response.status !== 503) throw new Error(`${response.status}: ${text}`);
    await sleep(LOOK_MS);
  }
}

async function inParallel<Result>(count: number, work: (i: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < count; i = next++) results[i] = await work(i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** Waits for all payments, and checks that there are as many orders, each paid once. */
async function allPaid({ onlooker }: SponsoredShop, count: number): Promise<void> {
  const paid = async () =>
    (await onlooker.query(`select count(*)::int as n from invoices where status = 'paid'`)).rows[0].n;
  while ((await paid()) < count) await sleep(LOOK_MS);
  if ((await paid()) !== count) throw new Error(`${await paid()} invoices for ${count} payments`);
}
