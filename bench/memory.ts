import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult, BenchRun } from './bench.ts';
import { type Round, spreadOf } from './rounds.ts';
import { withWorkshop } from './workshop.ts';

const ALLOWED_MB = 250;
/** Time after which a process has returned the memory that its start needed. */
const SETTLE_MS = 30_000;

/** Measures the memory of an idle service, all its processes but PostgreSQL; the yardstick is 250 MB. */
export async function memory({ rounds, say }: BenchRun): Promise<BenchResult> {
  const measured: Round[] = [];
  for (let i = 0; i < rounds; i++) {
    const mb = await withWorkshop(async (shop) => {
      const data = join(shop.folder, 'data');
      const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data } });
      await sleep(SETTLE_MS);
      return residentMb(service.pid);
    });
    say(`start ${i + 1} of ${rounds}: ${mb.toFixed(0)} MB`);
    // Less is better, and a ratio says better by being higher.
    measured.push({ ours: mb, yardstick: ALLOWED_MB, ratio: ALLOWED_MB / mb });
  }
  const spread = spreadOf(measured);
  return { ratio: spread.median, spread, unit: 'MB', rounds: measured };
}

/** Resident memory of a process and its descendants, leaving out those that belong to PostgreSQL. */
export async function residentMb(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = new Map((await Promise.all(pids.map(statusOf))).map((status) => [status.pid, status]));
  const isOurs = (one: Status | undefined): boolean =>
    one !== undefined && one.name !== 'postgres' && (one.pid === pid || isOurs(processes.get(one.parent)));
  return [...processes.values()].filter(isOurs).reduce((sum, one) => sum + one.residentKb, 0) / 1024;
}

interface Status {
  pid: number;
  parent: number;
  name: string;
  residentKb: number;
}

async function statusOf(pid: number): Promise<Status> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(text)?.[1] ?? '';
  return {
    pid,
    parent: Number(field('PPid')),
    name: field('Name'),
    residentKb: Number(field('VmRSS')),
  };
}
