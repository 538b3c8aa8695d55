import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { temporaryFolder } from './process.ts';

const BIN = join(import.meta.dirname, '../../bin/florin.js');
const { PATH, NODE_COMPILE_CACHE } = process.env;

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Sends the signal, and answers when the process is gone. */
  end(signal: NodeJS.Signals): Promise<Ran>;
}

/** `florin` as a developer has it: real processes that share one home, with nothing of the service's settings. */
export interface DeveloperCli {
  home: string;
  run(args: readonly string[], more?: { input?: string; env?: Record<string, string> }): Promise<Ran>;
  /** Runs, and answers what was printed on stdout; anything but exit code 0 is an error. */
  out(...args: string[]): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
  json(...args: string[]): Promise<any>;
  start(...args: string[]): RunningCommand;
}

export async function developerCli(): Promise<DeveloperCli> {
  const home = await temporaryFolder(cleanUp);
  const launch = (args: readonly string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: home,
      env: { PATH, NODE_COMPILE_CACHE, HOME: home, ...env },
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk) => {
        texts[name] += chunk;
      });
    return { child, texts };
  };
  const cli: DeveloperCli = {
    home,
    async run(args, { input = '', env } = {}) {
      const { child, texts } = launch(args, env);
      child.stdin.end(input);
      const [code] = await once(child, 'close');
      return { code, ...texts };
    },
    async out(...args) {
      const { code, stdout, stderr } = await cli.run(args);
      if (code !== 0) throw new Error(`florin ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
      return stdout;
    },
    json: async (...args) => JSON.parse(await cli.out(...args, '--json')),
    start(...args) {
      const { child, texts } = launch(args);
      cleanUp(async () => child.kill('SIGKILL'));
      return {
        child,
        stdout: () => texts.stdout,
        stderr: () => texts.stderr,
        async end(signal) {
          const closed = once(child, 'close');
          child.kill(signal);
          const [code] = await closed;
          return { code, ...texts };
        },
      };
    },
  };
  return cli;
}
