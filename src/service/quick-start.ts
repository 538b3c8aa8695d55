import { existsSync, readdirSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { extname, join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { returnMemoryWhenIdle } from '../platform/lib/return-memory.ts';

/** Time below which a new PostgreSQL is being created. */
const FIRST_ORDERS_MS = 60;

/** PostgreSQL works in processes of its own, and a new database takes a while: meanwhile the service is loaded. */
export async function loadService(storage: Promise<unknown>): Promise<typeof import('./start.ts')> {
  // Its failure is reported where it is awaited, which may be later.
  storage.catch(() => {});
  await Promise.race([storage, sleep(FIRST_ORDERS_MS)]);
  return loadInParts();
}

/**
 * Loads the service a part at a time: loading holds up everything else, and between two parts PostgreSQL gets its
 * next order. Everything not listed here is loaded with `start.ts` at the end.
 */
async function loadInParts(): Promise<typeof import('./start.ts')> {
  const source = join(import.meta.dirname, '..');
  const routes = `routes${extname(import.meta.filename)}`;
  for (const room of [
    'platform',
    'accounts',
    'webhooks',
    'intents',
    'billing',
    'payments',
    'agents',
    'sandbox',
    'pages',
    'counter',
    'reports',
    'operations',
  ])
    for (const folder of ['', ...readdirSync(join(source, room))]) {
      const file = join(source, room, folder, routes);
      if (existsSync(file)) await import(file).then(giveWay);
    }
  await import('./open-chain.ts').then(giveWay);
  await import('./jobs.ts').then(giveWay);
  await import('./app.ts').then(giveWay);
  return import('./start.ts');
}

/** Some turns of the event loop: an order is often made of several small steps. */
async function giveWay(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await setImmediate();
}

/**
 * Delay before compiled code is stored. On a first start that takes half a second, in which nobody is answered: it
 * must not be when the first visitors come.
 */
const KEEP_COMPILED_MS = 1_000;

/** Keeps what the next start needs, and gives back what only this one needed. */
export function tidyUpAfterStart(): void {
  // Node writes it when a process exits; without this, one that is killed would have everything compiled again.
  setTimeout(flushCompileCache, KEEP_COMPILED_MS);
  returnMemoryWhenIdle();
}
