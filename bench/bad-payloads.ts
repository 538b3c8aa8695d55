import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchResult, BenchRun } from './bench.ts';
import { type Round, spreadOf } from './rounds.ts';
import { openSponsoredShop, type SponsoredShop } from './sponsored-shop.ts';
import { runWrk } from './tools.ts';
import { newSeed, type Workshop, withWorkshop } from './workshop.ts';
import { askForOffer, blockhashOf, createProgram, type Offer } from './x402-payer.ts';

const PER_SECOND = 10_000;
const CONNECTIONS = 64;
const SECONDS = 8;
const SLOT_MS = 400;
const OF_EACH = 200;

/**
 * Payments that are worth nothing, refused per second against 10,000: what cannot be read, what was not offered here, and offers
 * of ours with a transaction that does not pay them. None of them may cost a call to the network, whose calls
 * detect payments; the calls of a service that nobody asks anything are counted just before, in as many seconds.
 */
export function badPayloads({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (workshop) => {
    const shop = await openSponsoredShop(workshop, { slotMs: SLOT_MS, profileFolder });
    const kinds = await makePayloads(shop);
    const measured: Round[] = [];
    const extra: Record<string, unknown>[] = [];
    for (let i = 0; i < rounds; i++) {
      for (const [of, headers] of Object.entries(kinds)) {
        const file = await writeHeaders(workshop, of, headers);
        const idle = await callsDuring(shop, () => sleep(SECONDS * 1000));
        let perSecond = 0;
        const busy = await callsDuring(shop, async () => {
          perSecond = (await refuse(shop, file)).requestsPerSecond;
        });
        if (busy > idle * 2 + 20) throw new Error(`${of}: ${busy} calls to the network, ${idle} without`);
        measured.push({ of, ours: perSecond, yardstick: PER_SECOND, ratio: perSecond / PER_SECOND });
        extra.push({ of, rpcCalls: busy, rpcCallsWhenIdle: idle });
        say(`${of}: ${perSecond.toFixed(0)} refused/s, ${busy} calls to the network, ${idle} when idle`);
      }
    }
    const spread = spreadOf(measured);
    return { ratio: spread.min, spread, unit: 'refusals/s', rounds: measured, extra: { calls: extra } };
  });
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

async function makePayloads({ urls, chain }: SponsoredShop): Promise<Record<string, string[]>> {
  const many = (make: () => Promise<string> | string) => Promise.all(Array.from({ length: OF_EACH }, make));
  const offer = await askForOffer(urls[0]!);
  const program = await createProgram(chain.url);
  const lifetime = await blockhashOf(chain.url);
  const payload = async (accepted: Offer, transaction: string) =>
    encode({ x402Version: 2, accepted, payload: { transaction } });
  const wrongAmount = await program.sign({ ...offer, amount: '1' }, lifetime);
  const { transaction } = JSON.parse(Buffer.from(wrongAmount, 'base64').toString()).payload;
  const forged = () => ({ ...offer, amount: String(1 + Math.floor(Math.random() * 1e6)) });
  return {
    unreadable: await many(() => randomBytes(300).toString('base64')),
    'not offered': await many(() => payload(forged(), transaction)),
    'does not pay': await many(() => payload(offer, transaction)),
  };
}

async function writeHeaders({ folder }: Workshop, name: string, headers: readonly string[]): Promise<string> {
  const path = join(folder, `${name.replaceAll(' ', '-')}.txt`);
  await writeFile(path, headers.map((header) => `${header}\n`).join(''));
  return path;
}

/** Sends bad payments to the one link whose offer they name: elsewhere all of them are offers of another place. */
function refuse({ urls }: SponsoredShop, file: string) {
  const { origin, pathname } = new URL(urls[0]!);
  const args = [file, newSeed(), pathname];
  const run = {
    script: 'bad-payment.lua',
    connections: CONNECTIONS,
    seconds: SECONDS,
    isRefused: true,
  } as const;
  return runWrk({ ...run, url: origin, args });
}

async function callsDuring({ rpcCalls }: SponsoredShop, work: () => Promise<unknown>): Promise<number> {
  const before = await rpcCalls();
  await work();
  return (await rpcCalls()) - before;
}
