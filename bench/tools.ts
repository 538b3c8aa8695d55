import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PACKAGES = { wrk: 'wrk', pgbench: 'postgresql' };
export type Tool = keyof typeof PACKAGES;

/** Undefined when all are there, otherwise what to do about it. */
export function missingTools(tools: readonly Tool[]): string | undefined {
  // Debian's client package has a pgbench that only says the real one is missing, hence the look at its words.
  const missing = tools.filter((tool) => !spawnSync(tool, ['--version']).stdout?.includes(tool));
  if (missing.length === 0) return undefined;
  const packages = missing.map((tool) => PACKAGES[tool]).join(' ');
  return `This bench needs ${missing.join(' and ')}. On Debian: apt-get install -y ${packages}`;
}

export interface WrkRun {
  url: string;
  script: 'bad-payment.lua' | 'checkout-session.lua' | 'create-intent.lua' | 'get.lua' | 'usage.lua';
  args: readonly string[];
  connections: number;
  seconds: number;
  /** Every answer is to have a status of 400 and above, as an offer to pay has. */
  isRefused?: boolean;
}

export interface WrkResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** A run with a single failed request is no measurement, so it throws. */
export async function runWrk(wrk: WrkRun): Promise<WrkResult> {
  const { url, script, args, connections, seconds, isRefused = false } = wrk;
  const { stdout } = await run('wrk', [
    ...['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s'],
    ...['-s', join(import.meta.dirname, 'wrk', script), url, '--', ...args],
  ]);
  const {
    failed,
    refused = 0,
    requests = 0,
    ...result
  } = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1)) as WrkResult & {
    failed: number;
    refused?: number;
    requests?: number;
  };
  if (refused !== (isRefused ? requests : 0))
    throw new Error(`${refused} of ${requests} were refused by ${url}`);
  if (failed > 0) throw new Error(`${failed} requests to ${url} failed`);
  return result;
}

export interface PgbenchRun {
  socketFolder: string;
  database: string;
  script: string;
  variables: Record<string, string>;
  connections: number;
  seconds: number;
}

/** Transactions per second. */
export async function runPgbench(bench: PgbenchRun): Promise<number> {
  const { stdout } = await run('pgbench', [
    ...['-n', '-M', 'prepared', '-j1', `-c${bench.connections}`, `-T${bench.seconds}`],
    ...['-f', join(import.meta.dirname, 'pgbench', bench.script)],
    ...Object.entries(bench.variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ...['-h', bench.socketFolder, '-U', 'florin', bench.database],
  ]);
  const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
  if (!rate || !/^number of failed transactions: 0 /m.test(stdout))
    throw new Error(`pgbench failed:\n${stdout}`);
  return Number(rate);
}
