import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult, BenchRun } from './bench.ts';
import { residentMb } from './memory.ts';
import { countWork, type Work } from './peers/count-work.ts';
import { drive } from './peers/drive.ts';
import { florin } from './peers/florin.ts';
import { medusa } from './peers/medusa.ts';
import type { Flow } from './peers/peer.ts';
import { type Measured, peersTable } from './peers/peers-table.ts';
import { stripeEmulator } from './peers/stripe-emulator.ts';
import { vendure } from './peers/vendure.ts';
import { type Round, spreadOf } from './rounds.ts';
import { socketFolder, withWorkshop } from './workshop.ts';

const CALLERS = 16;
const SECONDS_EACH = 4;
/** An idle connection tells the server's statistics what it wrote after ten seconds. */
const SETTLE_MS = 11_000;

/**
 * Payments asked for per second, here and in other programs that install from npm, each in its default set-up, on the
 * same machine and the same PostgreSQL. The ratio is that of a cart to the fastest of those that keep what they answer.
 */
export function peers({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const ours = await florin(service, await shop.connect(data));
    const others = [await medusa(shop, data, say), await vendure(shop, data, say)];
    const flows = [...ours, ...others, ...(await stripeEmulator(shop, say))];
    const admin = await shop.connect(data, 'postgres');
    await sleep(SETTLE_MS);
    const idle = await memoryOf(flows);
    const log = join(socketFolder(data), 'server.log');
    const works: (Work | undefined)[] = [];
    for (const flow of flows) works.push(flow.database ? await countWork(flow, admin, log) : undefined);

    say('warm-up');
    for (const { run } of flows) await drive(run, CALLERS, SECONDS_EACH);
    const rates = new Map<Flow, number[]>(flows.map((flow) => [flow, []]));
    for (let i = 1; i <= rounds; i++) {
      // There and back, so that a machine that slows down favours none.
      for (const flow of i % 2 ? flows : flows.toReversed())
        rates.get(flow)!.push((await drive(flow.run, CALLERS, SECONDS_EACH)).perSecond);
      say(`round ${i} of ${rounds}: ${flows.map((flow) => rates.get(flow)!.at(-1)!.toFixed(1)).join(', ')}`);
    }
    const loaded = await memoryOf(flows);
    const measured: Measured[] = [];
    for (const [i, flow] of flows.entries()) {
      const alone = await drive(flow.run, 1, SECONDS_EACH);
      say(`${flow.name}: ${alone.p50Ms.toFixed(1)} ms alone`);
      measured.push({
        flow,
        idleMb: idle[i]!,
        loadedMb: loaded[i]!,
        perSecond: rates.get(flow)!,
        alone,
        work: works[i],
      });
    }
    const compared = compare(rates.get(ours[1]!)!, others, rates);
    const spread = spreadOf(compared);
    return {
      ratio: spread.median,
      spread,
      unit: 'carts/s',
      rounds: compared,
      table: peersTable(measured, CALLERS),
      extra: {
        flows: measured.map(({ flow, ...rest }) => ({ name: flow.name, what: flow.what, ...rest })),
      },
    };
  });
}

const memoryOf = (flows: readonly Flow[]) =>
  Promise.all(
    flows.map(async ({ processes }) => {
      const each = await Promise.all(processes.map(({ pid }) => residentMb(pid)));
      return each.reduce((sum, mb) => sum + mb, 0);
    }),
  );

/** Our carts and those of the fastest other, round by round. */
function compare(
  carts: readonly number[],
  others: readonly Flow[],
  rates: ReadonlyMap<Flow, readonly number[]>,
): Round[] {
  return carts.map((ours, i) => {
    const yardstick = Math.max(...others.map((flow) => rates.get(flow)![i]!));
    return { ours, yardstick, ratio: ours / yardstick };
  });
}
