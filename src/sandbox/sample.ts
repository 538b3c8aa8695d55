import { readFileSync } from 'node:fs';
import { isUuid } from '../platform/lib/ids.ts';
import { type Json, parseJson } from '../platform/lib/json.ts';
import type { Metadata } from '../platform/lib/metadata.ts';

export interface Sample {
  sequence: number;
  status: string;
  /** Metadata, present in events of a payment intent. */
  metadata?: Metadata;
  data: object;
}

/** The moment the recorded events happened at, as they are written down. */
export const SAMPLE_TIME = new Date('2026-01-31T12:00:00.000Z');

/** One body of each event as a sandbox sent it; `npm run samples` records them again. */
const samples = parseJson(
  readFileSync(new URL('samples.json', import.meta.url), 'utf8'),
) as unknown as Record<string, Sample>;

/** Returns the content of a webhook of this kind as if it happened now, with new ids. */
export function sampleOf(event: string, freshId: () => string, now: Date): Sample {
  const sample = samples[event];
  if (!sample) throw new Error(`no sample of ${event} was recorded`);
  const shiftMs = now.getTime() - SAMPLE_TIME.getTime();
  return { ...sample, data: asOfNow(sample.data as Json, { freshId, shiftMs, known: new Map() }) as object };
}

interface Renewal {
  freshId: () => string;
  shiftMs: number;
  /** The same recorded id becomes the same fresh one, so that what belongs together still does. */
  known: Map<string, string>;
}

function asOfNow(value: Json, renewal: Renewal): Json {
  if (Array.isArray(value)) return value.map((item) => asOfNow(item, renewal));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asOfNow(inner, renewal)]));
  if (typeof value !== 'string') return value;
  if (isUuid(value)) return renewedId(value, renewal);
  return TIMESTAMP.test(value) ? new Date(Date.parse(value) + renewal.shiftMs).toISOString() : value;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function renewedId(id: string, { known, freshId }: Renewal): string {
  const fresh = known.get(id) ?? freshId();
  known.set(id, fresh);
  return fresh;
}
