import { setTimeout as sleep } from 'node:timers/promises';
import { forgetLoopDelay, type LoopDelay, readLoopDelay } from '../loop-delays.ts';
import type { Workshop } from '../workshop.ts';
import { type DayShop, read } from './open-day-shop.ts';
import { prepareDay } from './prepare-day.ts';
import type { ProcessorMeter } from './processor-meter.ts';

const PARTS = 10;

export interface HeldDay {
  fromMs: number;
  toMs: number;
  /** Seconds of processor time, by part. */
  usedSeconds: Awaited<ReturnType<ProcessorMeter>>;
  /** Delays in each tenth of the time, one after the other. */
  delays: { service: LoopDelay; idle: LoopDelay }[];
  dueRenewals: ReadonlyMap<string, number>;
}

export interface Hold {
  scale: number;
  seconds: number;
  meter: ProcessorMeter;
  say(line: string): void;
}

/** The mix at this scale for so long. */
export async function holdDay(shop: Workshop, day: DayShop, hold: Hold): Promise<HeldDay> {
  const { scale, seconds, meter, say } = hold;
  const dueRenewals = await prepareDay(day, scale, seconds);
  const fromMs = Date.now();
  await read(`${day.load.url}/start?scale=${scale}&seconds=${seconds}`);
  await meter();
  const delays: HeldDay['delays'] = [];
  for (let part = 1; part <= PARTS; part++) {
    await Promise.all([forgetLoopDelay(day.service), forgetLoopDelay(day.idle)]);
    await sleep(Math.max(0, fromMs + (part * seconds * 1000) / PARTS - Date.now()));
    const delay = { service: await readLoopDelay(shop, day.name), idle: await readLoopDelay(shop, 'idle') };
    delays.push(delay);
    const { p99Ms, maxMs, cpuP99Ms, cpuMs } = delay.service;
    say(
      `part ${part} of ${PARTS}: late by ${p99Ms.toFixed(1)} ms (p99) and ${maxMs.toFixed(0)} ms at most; ` +
        `${cpuP99Ms.toFixed(1)} and ${cpuMs.toFixed(0)} ms of a processor without a turn`,
    );
  }
  return { fromMs, toMs: Date.now(), usedSeconds: await meter(), delays, dueRenewals };
}
