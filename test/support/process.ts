import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Part of a test run's environment that our processes get. */
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** A folder that is gone when the test file is done. */
export async function temporaryFolder(onDone: (clean: () => Promise<void>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-'));
  // A server that is just ending may still write there.
  onDone(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/** Below the ephemeral range: a port in it may belong to some connection before it is listened on. */
const PORTS = [16_384, 32_768] as const;

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

export interface Running {
  /** Address of its API, or of its health checks if it has none. */
  url: string;
  /** Only after the very first start. */
  apiKey: string | undefined;
  output(): string;
  child: ChildProcess;
  /** Sends the signal and waits until the process is gone; answers its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the service as its own process, itself or by another command, and waits until it says it is ready. */
export async function startProcess(
  env: Record<string, string>,
  [command, ...args]: readonly [string, ...string[]] = [process.execPath, join(root, 'src/main.ts')],
): Promise<Running> {
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', HEALTH_PORT: '0', STOP_GRACE_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (/^ {2}Data /m.test(output)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) =>
      reject(new Error(`the service ended (${code}) before it was ready:\n${output}`)),
    );
  });
  await ready;
  return {
    url: /^ {2}(?:API|Health) +(\S+?)(?:\/health\/ready)?$/m.exec(output)![1]!,
    apiKey: /^ {2}API key +(\S+)$/m.exec(output)?.[1],
    output: () => output,
    child,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill(signal);
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the CLI to its end. */
export const florin = (args: string[], env: Record<string, string>): Promise<Ended> =>
  startFlorin(args, env).ended;

/** Starts a command of the CLI. */
export function startFlorin(
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [join(root, 'bin/florin.js'), ...args], {
    cwd: root,
    // Never the logins of the user who runs the tests.
    env: { PATH, NODE_COMPILE_CACHE, XDG_CONFIG_HOME: '/nowhere', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return { child, ended };
}

/** The process id of the embedded server of a data folder. */
export async function postgresPid(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, 'postgres/cluster/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}
