import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldDay } from './hold-day.ts';
import type { Acknowledged } from './mix.ts';
import { listEvents, listLost, listUndelivered, type Noted, noteWebhookTimes } from './nothing-lost.ts';
import { type DayShop, read } from './open-day-shop.ts';
import { type PathTimes, Times } from './open-loop.ts';
import { isGrowing, trendOf } from './trends.ts';
import { type DayWatch, isDone } from './watch-day.ts';

const DONE_WITHIN_MS = 180_000;
const LOOK_MS = 500;

interface LoadResult {
  paths: Record<string, PathTimes>;
  errors: Record<string, string[]>;
  lateP99Ms: number;
  acknowledged: Acknowledged;
}

/** Waits until everything is done, and answers how long each path took and all that is not as it should be. */
export async function checkDay(
  shop: DayShop,
  watch: DayWatch,
  { held, beganAt }: { held: HeldDay; beganAt: Date },
) {
  const { paths, errors, lateP99Ms, acknowledged } = await read<LoadResult>(`${shop.load.url}/result`);
  const problems = Object.entries(errors).map(([path, some]) => `${path} failed: ${some.join(' | ')}`);
  problems.push(...(await waitUntilDone(watch)), ...listGrowing(watch));
  problems.push(...(await listLost(shop.db, acknowledged, watch.finals)));
  const receiver = await read<{ noted: Noted; again: number; emails: number }>(`${shop.receiver.url}/noted`);
  const events = await listEvents(shop.db, beganAt);
  problems.push(...listUndelivered(events, receiver.noted));
  const times = new Times();
  noteWebhookTimes(times, {
    events: events.filter(({ createdMs }) => createdMs >= held.fromMs && createdMs <= held.toMs),
    noted: receiver.noted,
    finals: watch.finals,
    dueRenewals: held.dueRenewals,
  });
  return {
    paths: { ...paths, ...times.summary() },
    problems,
    extra: {
      begunLateP99Ms: lateP99Ms,
      checked: {
        intents: acknowledged.intents.length,
        sessions: acknowledged.sessions.length,
        invoices: acknowledged.invoices.length,
        usageRecords: acknowledged.usageKeys.length,
        payments: watch.finals.length,
        events: events.length,
        eventsThatCameAgain: receiver.again,
        emails: receiver.emails,
      },
    },
  };
}

async function waitUntilDone(watch: DayWatch): Promise<string[]> {
  const untilMs = performance.now() + DONE_WITHIN_MS;
  for (;;) {
    const queues = await watch.look();
    if (isDone(queues)) return [];
    if (performance.now() > untilMs) return [`not done when all was over: ${JSON.stringify(queues)}`];
    await sleep(LOOK_MS);
  }
}

function listGrowing({ samples }: DayWatch): string[] {
  return Object.keys(samples[0]!.queues).flatMap((name) => {
    const trend = trendOf(samples.map(({ queues }) => queues[name]!));
    return isGrowing(trend) ? [`more and more: ${name} ${JSON.stringify(trend)}`] : [];
  });
}
