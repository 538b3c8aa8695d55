import { loadavg } from 'node:os';
import { cleanUp } from '../support/clean-up.ts';
import { checkShop, isClean } from '../support/shop-check.ts';
import { type ShopLoad, startShopLoad, unexpected } from '../support/shop-load.ts';
import { type Cluster, startCluster, type Through, versionsOf } from './cluster.ts';
import { FAULTS } from './faults.ts';
import type { Report, Round } from './report.ts';
import { startServices } from './services.ts';

/** Replaces the leader again and again while a shop is at work, and compares what was acknowledged with the books. */
export async function failOver(rounds: number, through: Through, isAsynchronous: boolean): Promise<Report> {
  const loadAtStart = loadavg()[0]!;
  say('starting the cluster');
  const cluster = await startCluster(isAsynchronous, cleanUp);
  say('starting the service');
  const services = await startServices(cluster.databaseUrl(through), cluster.folder, cleanUp);
  const { shop, db, receiver, env } = services;
  const load = await startShopLoad(shop);
  const startedMs = performance.now();
  const done: Round[] = [];
  for (let i = 0; i < rounds; i++) {
    const round = await runRound(cluster, load, i);
    done.push(round);
    say(`round ${i + 1}, ${round.fault}: nothing for ${round.gapMs} ms, ${load.count()} acknowledged`);
  }
  const durationMs = performance.now() - startedMs;
  await load.stop();
  say('comparing');
  const verdict = await checkShop({ db, acknowledged: load.acknowledged, received: receiver.received, env });
  const problems = [
    ...unexpected(load.answers),
    ...services.ended(),
    ...done.flatMap((round) => round.problems),
  ];
  return {
    ...{
      through,
      isAsynchronous,
      versions: versionsOf(),
      rounds: done,
      durationMs,
      loadAtStart,
      verdict,
      problems,
    },
    answers: Object.fromEntries(load.answers.counts),
    slowestAnswerMs: Math.round(load.answers.slowestMs),
    isClean: isClean(verdict) && problems.length === 0,
  };
}

/** Number of writes acknowledged before the leader has to go. */
const WRITES_BETWEEN = 200;

/** One fault, from a healthy cluster under load to the next healthy cluster under load. */
async function runRound(cluster: Cluster, load: ShopLoad, index: number): Promise<Round> {
  const fault = FAULTS[index % FAULTS.length]!;
  await load.more(WRITES_BETWEEN);
  const sinceMs = performance.now();
  const problems = await fault.run(cluster);
  await cluster.settled();
  await load.more(WRITES_BETWEEN);
  return { fault: fault.name, gapMs: Math.round(load.longestGapMs(sinceMs)), problems };
}

function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
