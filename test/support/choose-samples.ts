import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../src/platform/lib/base58.ts';
import { stringifyJson } from '../../src/platform/lib/json.ts';
import type { Recorded } from './record-samples.ts';

const BASE_MS = Date.parse('2026-01-31T12:00:00.000Z');
/** Times in samples differ by what the journey says, not by how fast the machine was that recorded them. */
const ROUND_TO_MS = 5 * 60_000;

/** Choice among several samples of an event; for most events it is the first one. */
const TELLING: Record<string, (one: Recorded) => boolean> = {
  'payment_intent.updated': ({ status }) => status === 'canceled',
  'checkout.session.expired': ({ data }) => data.merchantReference === 'order-1005',
  'invoice.uncollectible': ({ data }) => data.merchantReference === 'order-1005',
  'exception.created': ({ data }) => stringifyJson(data).includes('"kind":"unmatched"'),
  'exception.reopened': ({ data }) => stringifyJson(data).includes('"kind":"unmatched"'),
  'exception.resolved': ({ data }) => stringifyJson(data).includes('"kind":"unmatched"'),
  'checkout.session.updated': ({ data }) => stringifyJson(data).includes('"paymentStatus":"underpaid"'),
};

/** One body for each event, the same from every recording of the same journeys. */
export function chooseSamples(
  events: readonly string[],
  told: readonly Recorded[],
  url: string,
): Record<string, unknown> {
  const names = stableNames(told);
  const samples = events.map((event) => {
    const all = told.filter((one) => one.event === event);
    const best = all.find((one) => TELLING[event]?.(one) ?? true);
    if (!best) throw new Error(`${event} was sent ${all.length} times, and never as a sample`);
    return [event, plain(best, url, names)];
  });
  return Object.fromEntries(samples);
}

const BASE58 = /\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g;
const RANDOM_NAMES = /\b([1-9A-HJ-NP-Za-km-z]{80,90}|cs_[0-9A-Za-z]{34})\b/g;
/** Addresses that are new in every recording, by the fields that hold them. */
const RANDOM_ADDRESSES = /"(?:payerAddress|referenceAddress)":"(?<address>[1-9A-HJ-NP-Za-km-z]{32,44})"/g;

/** Transactions and tokens are named by chance; here by when they first came up, the same wherever they come up again. */
function stableNames(told: readonly Recorded[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [found] of stringifyJson(told).matchAll(RANDOM_NAMES)) {
    if (names.has(found)) continue;
    const digest = createHash('sha512').update(`name ${names.size}`).digest();
    const text = encodeBase58(digest);
    names.set(found, found.startsWith('cs_') ? `cs_00${text.slice(0, 32)}` : text);
  }
  for (const { groups } of stringifyJson(told).matchAll(RANDOM_ADDRESSES)) {
    const { address } = groups!;
    if (names.has(address!)) continue;
    names.set(address!, encodeBase58(createHash('sha256').update(`address ${names.size}`).digest()));
  }
  return names;
}

/** Ids that count up, times around the one moment of all samples, the address of a usual sandbox. */
function plain(
  { id, event: _, createdAt, ...rest }: Recorded,
  url: string,
  names: ReadonlyMap<string, string>,
): unknown {
  const ids = new Map([[id, 1]]);
  const countOf = (found: string) => {
    if (!ids.has(found)) ids.set(found, ids.size + 1);
    return String(ids.get(found)).padStart(12, '0');
  };
  const shiftMs = BASE_MS - new Date(createdAt).getTime();
  const text = stringifyJson(rest)
    .replaceAll(url, 'http://127.0.0.1:4020')
    .replace(RANDOM_NAMES, (found) => names.get(found)!)
    .replace(BASE58, (found) => names.get(found) ?? found)
    .replace(
      /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
      (found) => `019b76da-a800-7000-8000-${countOf(found)}`,
    )
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (found) => {
      const atMs = new Date(found).getTime() + shiftMs;
      return new Date(Math.round(atMs / ROUND_TO_MS) * ROUND_TO_MS).toISOString();
    });
  return JSON.parse(text);
}
