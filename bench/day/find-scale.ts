import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DayShop, read } from './open-day-shop.ts';
import { prepareDay } from './prepare-day.ts';
import { type ProcessorMeter, sumOf } from './processor-meter.ts';

const GOAL = 0.7;
const CLOSE_ENOUGH = 0.03;
const STEPS = 9;
/** Payments become final and pages are left some seconds later, so that each step is measured when they do. */
const WARM_UP_SECONDS = 14;
const MEASURED_SECONDS = 12;
/** Number of unanswered requests, times the mix, at which the machine is at its limit, whatever our share of it is. */
const BEHIND = 40;
const FEW = 10;
const LOOK_MS = 500;

/** Raises the mix until its processes use about 70 % of the processors. */
export async function findScale(
  shop: DayShop,
  used: ProcessorMeter,
  say: (line: string) => void,
): Promise<number> {
  let scale = 1;
  for (let step = 0; step < STEPS; step++) {
    await prepareDay(shop, scale, WARM_UP_SECONDS + MEASURED_SECONDS);
    await read(`${shop.load.url}/start?scale=${scale}&seconds=${WARM_UP_SECONDS + MEASURED_SECONDS}`);
    await sleep(WARM_UP_SECONDS * 1000);
    await used();
    await sleep(MEASURED_SECONDS * 1000);
    const share = sumOf(await used()) / (MEASURED_SECONDS * cpus().length);
    const underWay = await countUnderWay(shop);
    say(`${scale.toFixed(1)} times the mix: ${(share * 100).toFixed(0)} % busy, ${underWay} under way`);
    if (underWay > BEHIND * scale) {
      say('there is no more to be had from this machine: going back by half');
      await waitForAnswers(shop);
      return scale / 2;
    }
    if (Math.abs(share - GOAL) < CLOSE_ENOUGH) return scale;
    scale *= Math.min(1.6, Math.max(0.5, GOAL / share));
  }
  return scale;
}

async function countUnderWay({ load }: DayShop): Promise<number> {
  return (await read<{ underWay: number }>(`${load.url}/state?from=0`)).underWay;
}

/** Waits for late answers, so that they are no part of what follows. */
async function waitForAnswers(shop: DayShop): Promise<void> {
  while ((await countUnderWay(shop)) > FEW) await sleep(LOOK_MS);
}
