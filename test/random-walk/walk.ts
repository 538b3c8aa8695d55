import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '@florin/sandbox-chain';
import { florin, type Running } from '../support/process.ts';
import { newAddress } from '../support/service.ts';
import { compareBooks } from './checks.ts';
import { type Dice, OFTEN, OPERATIONS } from './operations.ts';
import { Shop } from './shop.ts';

export interface WalkOptions {
  seed: number;
  steps: number;
  /** The books are compared after so many. */
  every: number;
  say?(line: string): void;
}

/** Three merchants, of whom one moves: four calendars. */
const ZONES = ['America/Los_Angeles', 'Europe/Berlin', 'Asia/Kathmandu'];

/** Settings of a service to walk on: blocks are quick, so that payments are soon final. */
export const WALKED = {
  SANDBOX_SLOT_MS: '20',
};

/**
 * Any billing operation in any order, for three merchants: whatever was done, everything that says the same must agree.
 * The same seed makes the same choices. Throws with the seed, the step and what does not agree.
 */
export async function walk(service: Running, folder: string, options: WalkOptions): Promise<void> {
  const { seed, steps, every, say = () => {} } = options;
  const dice = diceOf(seed);
  const shops = await openShops(service, folder);
  const names = [...Object.keys(OPERATIONS), ...OFTEN];
  const record: string[] = [];
  for (let step = 1; step <= steps; step++) {
    const shop = dice.pick(shops)!;
    const name = dice.pick(names)!;
    const answer = await OPERATIONS[name]!(shop, dice).catch((error: Error) => {
      throw new Error(`seed ${seed}, step ${step}, ${name}: ${error.message}`, { cause: error });
    });
    record.push(`${step} ${shop.timeZone} ${name}: ${answer?.status ?? 'nothing to do'}`);
    say(record.at(-1)!);
    if (step % every !== 0 && step !== steps) continue;
    const found = await compareAll(shops, folder);
    if (found.length > 0)
      throw new Error(
        `seed ${seed}, step ${step}:\n${found.join('\n')}\nafter\n${record.slice(-every).join('\n')}`,
      );
    if (step === every) await shops[0]!.moveTo('UTC');
  }
}

function diceOf(seed: number): Dice {
  const random = seededRandom(seed, 11);
  const below = (count: number) => Math.floor(random() * count);
  return { below, pick: (items) => items[below(items.length)], chance: (share) => random() < share };
}

async function openShops(service: Running, folder: string): Promise<Shop[]> {
  const chainUrl = /^ {2}Chain +(\S+)/m.exec(service.output())![1]!;
  const shops = [new Shop(service.url, service.apiKey!, ZONES[0]!)];
  for (const zone of ZONES.slice(1)) {
    const payoutAddress = newAddress();
    const args = ['merchants', 'create', '--name', zone, '--payout-address', payoutAddress, '--json'];
    const made = await florin(args, { FLORIN_DATA: folder });
    if (made.code !== 0) throw new Error(made.stderr);
    shops.push(
      Object.assign(new Shop(service.url, JSON.parse(made.stdout).apiKey, zone), { payoutAddress, chainUrl }),
    );
  }
  for (const shop of shops) await shop.open();
  return shops;
}

async function compareAll(shops: readonly Shop[], folder: string): Promise<string[]> {
  for (const shop of shops) await settled(shop);
  const found: string[] = [];
  for (const shop of shops) found.push(...(await compareAtRest(shop)));
  const doctor = await florin(['doctor'], { FLORIN_DATA: folder });
  const wrong = doctor.stdout.split('\n').filter((line) => line !== '' && !line.startsWith('✓'));
  return doctor.code === 0 ? found : [...found, ...wrong];
}

/** Finds contradictions that stay, however long one waits: a payment that is on chain and not seen yet contradicts nothing. */
async function compareAtRest(shop: Shop): Promise<string[]> {
  let found = await compareBooks(shop);
  for (let tries = 0; found.length > 0 && tries < 60; tries++) {
    await settled(shop);
    found = await compareBooks(shop);
  }
  return found;
}

async function newestEvent(shop: Shop): Promise<string> {
  const { body } = await shop.call('GET', '/api/v2/events?limit=1');
  return body.data[0]?.id ?? '';
}

/** Everything that was paid is final and has been counted: nothing is under way, and no event is new for a while. */
async function settled(shop: Shop): Promise<void> {
  let quiet = 0;
  for (let last = ''; quiet < 4; ) {
    await setTimeout(250);
    const newest = await newestEvent(shop);
    const busy = await shop.call('GET', '/api/merchants/intents?status=processing&limit=1');
    quiet = newest === last && busy.body.data.length === 0 ? quiet + 1 : 0;
    last = newest;
  }
}
