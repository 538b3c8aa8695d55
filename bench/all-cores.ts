import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresPid } from '../test/support/process.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { parentOf, secondsOf } from './cpu-time.ts';
import { fillIntents, sampleIntents } from './fill-intents.ts';
import type { Running } from './processes.ts';
import { alternate, type Round, spreadOf } from './rounds.ts';
import { runWrk } from './tools.ts';
import { demoKey, newSeed, type Workshop, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const SECONDS_EACH = 8;
const INTENTS = 20_000;
/** How long processor time is counted for each kind of request. */
const COUNTED_SECONDS = 10;

/** Creates and reads per second of two processes on one port, against one process that does everything, in turn. */
export function allCores({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const two = await open(shop, 'two', { API_PROCESSES: '2' }, profileFolder);
    const one = await open(shop, 'one', {});
    const kinds = ['create', 'read'] as const;
    const measured: Round[] = [];
    for (const of of kinds)
      measured.push(
        ...(await alternate(
          { of, ours: (seconds) => two[of](seconds), yardstick: (seconds) => one[of](seconds) },
          { rounds, secondsEach: SECONDS_EACH },
          say,
        )),
      );
    const microseconds: Record<string, unknown> = {};
    for (const of of kinds)
      for (const service of [two, one]) {
        say(`processor time of a ${of}, ${service.name}`);
        microseconds[`${of}, ${service.name}`] = await spentOn(service, of);
      }
    const [creates, reads] = kinds.map((of) => spreadOf(measured.filter((round) => round.of === of)));
    return {
      ratio: Math.min(creates!.median, reads!.median),
      spread: spreadOf(measured),
      unit: 'requests/s',
      rounds: measured,
      extra: { creates, reads, microseconds },
    };
  });
}

interface Measured {
  name: string;
  create(seconds: number): Promise<number>;
  read(seconds: number): Promise<number>;
  /** Processor seconds used so far, by who has used them. */
  used(): Promise<Record<string, number>>;
}

async function open(
  shop: Workshop,
  name: string,
  env: Record<string, string>,
  profileFolder?: string,
): Promise<Measured> {
  const data = join(shop.folder, `${name}-data`);
  const service = await shop.startService({ name, env: { FLORIN_DATA: data, ...env }, profileFolder });
  const key = demoKey(service);
  const db = await shop.connect(data);
  const merchantIds = (await db.query('select id from merchants')).rows.map((row) => row.id);
  await fillIntents(db, merchantIds, INTENTS);
  const requests = (await sampleIntents(db, merchantIds, INTENTS)).map(({ id }) => ({
    key,
    path: `/api/merchants/intents/${id}`,
  }));
  const file = await shop.writeRequests(`${name}.txt`, requests);
  const load = { url: service.url, connections: CONNECTIONS };
  const postgres = await postgresPid(data);
  return {
    name,
    create: async (seconds) =>
      (await runWrk({ ...load, script: 'create-intent.lua', args: [key, newSeed()], seconds }))
        .requestsPerSecond,
    read: async (seconds) =>
      (await runWrk({ ...load, script: 'get.lua', args: [file, newSeed()], seconds })).requestsPerSecond,
    used: () => usedBy(service, postgres),
  };
}

async function usedBy(service: Running, postgres: number): Promise<Record<string, number>> {
  const used: Record<string, number> = { 'first process': 0, api: 0, background: 0, postgres: 0 };
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    const whose = pid && (await whoseIs(pid, service, postgres));
    if (whose) used[whose]! += await secondsOf(pid);
  }
  return used;
}

async function whoseIs(pid: number, service: Running, postgres: number): Promise<string | undefined> {
  if (pid === service.pid) return 'first process';
  if (pid === postgres) return 'postgres';
  const parent = await parentOf(pid);
  if (parent === postgres) return 'postgres';
  if (parent !== service.pid) return undefined;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return /child\.ts\0(api|background)/.exec(command)?.[1];
}

/** Microseconds of processor time for each request, by who has used them. */
async function spentOn(service: Measured, of: 'create' | 'read'): Promise<Record<string, number>> {
  const before = await service.used();
  const requests = (await service[of](COUNTED_SECONDS)) * COUNTED_SECONDS;
  const after = await service.used();
  const spent = Object.entries(after).map(([who, seconds]) => [
    who,
    Math.round(((seconds - before[who]!) * 1e6) / requests),
  ]);
  return Object.fromEntries([...spent, ['requests per second', Math.round(requests / COUNTED_SECONDS)]]);
}
