import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '../day/client.ts';
import { arrivalsOf } from '../day/load.ts';
import type { Acknowledged, DayPlaces, FinalPayment } from '../day/mix.ts';
import { keepRates, Times } from '../day/open-loop.ts';
import { watchFinality } from '../finality.ts';
import { createPayer } from '../payer.ts';
import { percentile } from '../rounds.ts';

/**
 * Everybody who uses the installation, in a process of their own. /start begins the mix, /state tells what is under way
 * and which payments became final, /result what came of it once all of it has ended.
 */
const places: DayPlaces = JSON.parse(await readFile(process.env.DAY_FILE!, 'utf8'));
const client = createClient(places.service);
const pay = await createPayer(places.chain);
const finality = await watchFinality(places.chain);
const finals: FinalPayment[] = [];
const acknowledged: Acknowledged = { intents: [], sessions: [], invoices: [], usageKeys: [] };

interface Run {
  times: Times;
  lateMs: number[];
  /** Ends with the last of everything that was begun. */
  ended: Promise<void>;
}
const runs: Run[] = [];

function start(scale: number, seconds: number): void {
  const times = new Times();
  const lateMs: number[] = [];
  const { merchants } = places;
  const arrivals = arrivalsOf({ client, pay, finality, merchants, times, acknowledged, finals }, scale);
  runs.push({ times, lateMs, ended: keepRates(arrivals, seconds, { times, lateMs }) });
}

/** The times of the last run, and whatever failed in any. */
async function result() {
  for (const { ended } of runs) await ended;
  const { times, lateMs } = runs.at(-1)!;
  const errors = runs.flatMap((run) => [...run.times.errors].map(([path, all]) => [path, all.slice(0, 5)]));
  return {
    paths: times.summary(),
    errors: Object.fromEntries(errors),
    lateP99Ms: percentile(lateMs, 99),
    acknowledged,
  };
}

const server = createServer(async (incoming, response) => {
  const { pathname, searchParams: query } = new URL(incoming.url!, 'http://localhost');
  const answer = (body: object) => response.end(JSON.stringify(body));
  if (pathname === '/start') {
    start(Number(query.get('scale')), Number(query.get('seconds')));
    return answer({});
  }
  if (pathname === '/result') return answer(await result());
  answer({ underWay: client.underWay(), finals: finals.slice(Number(query.get('from'))) });
});

process.on('SIGTERM', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
