import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { Florin } from '../../sdk/src/florin.ts';
import { cleanUp } from './clean-up.ts';
import { newDataFolder } from './data-folder.ts';
import { requireTool } from './debian.ts';
import { blockedReason } from './guide.ts';
import { requirePackages } from './own-packages.ts';
import { freePort, startProcess, temporaryFolder } from './process.ts';

const root = join(import.meta.dirname, '../..');

export interface Sandbox {
  florin: Florin;
  webhookSecret: string;
  /** The RPC address of its chain. */
  chainUrl: string;
  /** Environment of an example. */
  env: Record<string, string>;
}

/** A service of its own, as a developer has it after the first start, on a chain that is soon final. */
export async function startSandbox(slotMs = 10): Promise<Sandbox> {
  const FLORIN_DATA = await newDataFolder();
  const service = await startProcess({
    FLORIN_DATA,
    SANDBOX_SLOT_MS: String(slotMs),
    WATCH_FINALITY_MS: '20',
  });
  cleanUp(() => service.end('SIGTERM'));
  const webhookSecret = /whsec_\w+/.exec(service.output())![0];
  const env = {
    FLORIN_URL: service.url,
    FLORIN_KEY: service.apiKey!,
    FLORIN_WEBHOOK_SECRET: webhookSecret,
  };
  const chainUrl = /^ {2}Chain +(\S+)/m.exec(service.output())![1]!;
  return {
    florin: new Florin({ baseUrl: service.url, apiKey: service.apiKey }),
    webhookSecret,
    chainUrl,
    env,
  };
}

export interface Example {
  url: string;
  webhookUrl: string;
  output(): string;
}

/** Starts an example by the commands its README names, and waits until it says where it is. */
export async function startExample(name: string, env: Record<string, string>): Promise<Example> {
  const folder = join(root, 'examples', name);
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const isOnItsOwn = existsSync(join(folder, 'package-lock.json'));
  expect(readme.includes(`\nnpm ci --prefix examples/${name}\n`)).toBe(isOnItsOwn);
  if (isOnItsOwn) requirePackages(folder);
  const command = /^npm start .*$/m.exec(readme)![0];
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd: root,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: await temporaryFolder(cleanUp),
      npm_config_update_notifier: 'false',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(await freePort()),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what npm started ends with it.
    detached: true,
  });
  cleanUp(() => endGroup(child));
  return isReady(child);
}

async function isReady(child: ChildProcess): Promise<Example> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (/^ {2}(Shop|Page|API) .*\n/m.test(output)) resolve();
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', read);
    child.once('close', (code) => reject(new Error(`ended with ${code}:\n${output}`)));
  });
  return {
    url: /^ {2}(?:Shop|Page|API) +(\S+)$/m.exec(output)![1]!,
    webhookUrl: /^ {2}Webhooks +(\S+)$/m.exec(output)?.[1] ?? '',
    output: () => output,
  };
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  await ended;
}

/** The command that the README tries the API with, and what the README says is answered. */
export async function expectReadmeRight(name: string, api: Example, { env }: Sandbox): Promise<void> {
  requireTool('curl');
  const readme = (await readFile(join(root, 'examples', name, 'README.md'), 'utf8'))
    .replaceAll(/http:\/\/127\.0\.0\.1:30\d\d/g, api.url)
    .replaceAll('http://127.0.0.1:4020', env.FLORIN_URL!);
  const [, command, text] = /```sh\n(curl[\s\S]*?)```\s+```json\n([\s\S]*?)```/.exec(readme)!;
  const { stdout } = await promisify(execFile)('bash', ['-c', command!]);
  expect(blockedReason(stdout, { language: 'json', text: text! })).toBeUndefined();
}

/** Expects that an example says what is missing, that no service is there, or that the key is wrong, and ends with 1. */
export async function expectExplains(name: string, { env }: Sandbox): Promise<void> {
  const why = (changed: Record<string, string>) =>
    startExample(name, changed).then(
      () => 'started',
      (error: Error) => error.message,
    );
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await why({ FLORIN_URL: env.FLORIN_URL! })).toMatch(/ended with 1:[\s\S]*Set .*FLORIN_KEY/);
  expect(await why({ ...env, FLORIN_URL: nowhere })).toMatch(
    new RegExp(`ended with 1:[\\s\\S]*No Florin answers at ${nowhere}`),
  );
  expect(await why({ ...env, FLORIN_KEY: 'fl_dev_wrong' })).toMatch(
    /ended with 1:[\s\S]*does not know this FLORIN_KEY/,
  );
}
