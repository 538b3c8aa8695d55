import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface Running {
  url: string;
  pid: number;
  /** Output that it has printed for people. */
  output: string;
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Folder of its log. */
  folder: string;
  name: string;
  env?: Record<string, string>;
  profileFolder?: string | undefined;
}

export interface ForeignOptions extends StartOptions {
  /** Folder that it is installed in. */
  cwd: string;
  args?: readonly string[];
  /** Address that it listens at. */
  url: string;
  /** Output that shows that it answers. */
  ready: RegExp;
}

/** The service as an operator starts it, in a process of its own, on any free port. */
export async function startService(options: StartOptions): Promise<Running> {
  const env = { ...(await startSettings()), ...options.env };
  return start('src/main.ts', /^ +Data +\S[\s\S]*\n\n$/m, { ...options, env });
}

/** Reads the settings of `npm start` for the process. */
async function startSettings(): Promise<Record<string, string>> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return Object.fromEntries(
    [...scripts.start.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

/** A server to compare with; it prints its address when it is ready. */
export function startYardstick(file: string, options: StartOptions): Promise<Running> {
  return start(join('bench/yardsticks', file), /^http:\S+\n$/, options);
}

/** A program that is not ours, in a folder of its own. */
export function startForeign(script: string, { ready, ...options }: ForeignOptions): Promise<Running> {
  return start(script, ready, options);
}

const children = new Set<ChildProcess>();
/** Nothing stays behind, also when the bench itself is ended. */
process.once('exit', () => {
  for (const child of children) child.kill('SIGTERM');
});

type Options = StartOptions & Partial<Pick<ForeignOptions, 'cwd' | 'args' | 'url'>>;

async function start(script: string, ready: RegExp, options: Options): Promise<Running> {
  const { folder, name, env, profileFolder, cwd = ROOT, args = [], url } = options;
  const logPath = join(folder, `${name}.log`);
  const log = await open(logPath, 'w');
  const profile = profileFolder ? ['--cpu-prof', '--cpu-prof-dir', profileFolder] : [];
  const child = spawn(process.execPath, [...profile, script, ...args], {
    cwd,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', log.fd],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  await log.close();
  const output = await outputUntil(child, ready);
  if (output === undefined) throw new Error(`${name} did not start:\n${await readFile(logPath, 'utf8')}`);
  return {
    url: url ?? /http:\/\/\S+/.exec(output)![0],
    pid: child.pid!,
    output,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Returns the child's output up to and with the pattern; undefined if it ended before. */
async function outputUntil(child: ChildProcess, pattern: RegExp): Promise<string | undefined> {
  let text = '';
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (pattern.test(text)) {
      child.stdout!.resume();
      return text;
    }
  }
  return undefined;
}
