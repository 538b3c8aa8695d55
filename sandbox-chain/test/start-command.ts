import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanUp } from '../../test/support/clean-up.ts';

export interface RunningCommand {
  /** Its first output, up to the line that the USDC mint is in. */
  printed: string;
  rpcUrl: string;
  /** Sends the signal, waits until the process is gone, answers how it ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts the chain by a command, in a folder, and waits until it says where it is. */
export async function startCommand(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningCommand> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  cleanUp(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  const printed = await firstLines(child);
  return {
    printed,
    rpcUrl: /http:\S+/.exec(printed)![0],
    async end(signal) {
      child.kill(signal);
      await ended;
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

function firstLines(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/^USDC mint .*\n/m.test(output)) resolve(output);
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`ended with ${code} before it was ready: ${errors}`)));
  });
}

export function post(rpcUrl: string, method: string, ...params: unknown[]): Promise<Response> {
  return fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

/** The result of one call over JSON-RPC. */
export async function call(rpcUrl: string, method: string, ...params: unknown[]): Promise<unknown> {
  const answer = await post(rpcUrl, method, ...params);
  return ((await answer.json()) as { result: unknown }).result;
}
