import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Running } from '../processes.ts';

const run = promisify(execFile);
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'florin', 'peers');

/** One way to ask for a payment, from the first request to the last. */
export interface Flow {
  name: string;
  /** Program with its version, and what it does. */
  what: string;
  /** Number of requests it takes. */
  requests: number;
  /** Database in which it keeps its answers; absent if in memory. */
  database?: string;
  processes: readonly Running[];
  run(): Promise<unknown>;
}

/** Installs what the lockfile names, without running its scripts, unless it is there; answers the folder. */
export async function installPeer(name: string, say: (line: string) => void): Promise<string> {
  const [from, to] = [join(import.meta.dirname, name), join(CACHE, name)];
  const lock = await readFile(join(from, 'package-lock.json'), 'utf8');
  const installed = await readFile(join(to, 'installed-lock.json'), 'utf8').catch(() => '');
  await cp(from, to, { recursive: true });
  if (installed === lock) return to;
  say(`installing ${name} into ${to}`);
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: to });
  await cp(join(to, 'package-lock.json'), join(to, 'installed-lock.json'));
  return to;
}

/** The version of one of its packages. */
export async function versionOf(cwd: string, name: string): Promise<string> {
  return JSON.parse(await readFile(join(cwd, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** Runs one of its programs to the end. */
export async function runPeer(cwd: string, args: readonly string[], env: Record<string, string>) {
  await run(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Finds a free port for programs that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
