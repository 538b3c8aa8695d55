import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { webhooks } from '../../src/app.ts';
import { stringifyJson } from '../../src/lib/json.ts';
import { startProcess } from './process.ts';
import { type Recorded, recordEvents } from './record-samples.ts';

/** Writes src/sandbox/samples.json: one body of each event, as a sandbox sent it. */
const BASE = new Date('2026-01-31T12:00:00.000Z');

/** The best of several: most events are told best by the first of them. */
const TELLING: Record<string, (data: Recorded['data']) => boolean> = {
  'payment_intent.updated': (data) => data.txSignature === null,
  'checkout.session.expired': (data) => data.merchantReference === 'order-1005',
  'invoice.uncollectible': (data) => data.merchantReference === 'order-1005',
  'checkout.session.updated': (data) => JSON.stringify(data).includes('"paymentStatus":"underpaid"'),
};

const folder = await mkdtemp(join(tmpdir(), 'florin-samples-'));
const service = await startProcess({ FLORIN_DATA: folder });
try {
  const told = await recordEvents({ url: service.url, apiKey: service.apiKey! });
  const samples = webhooks.map(({ event }) => {
    const all = told.filter((one) => one.event === event);
    const best = all.find(({ data }) => TELLING[event]?.(data) ?? true);
    if (!best) throw new Error(`${event} was told ${all.length} times, and never as a sample`);
    return [event, plain(best, service.url)];
  });
  const text = stringifyJson(Object.fromEntries(samples), 2);
  await writeFile(new URL('../../src/sandbox/samples.json', import.meta.url), `${text}\n`);
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}

/** Ids that count up, times around the one moment of all samples, the address of a usual sandbox. */
function plain({ id, event: _, createdAt, ...rest }: Recorded, url: string): unknown {
  const ids = new Map([[id, 1]]);
  const countOf = (found: string) => {
    if (!ids.has(found)) ids.set(found, ids.size + 1);
    return String(ids.get(found)).padStart(12, '0');
  };
  const shiftMs = BASE.getTime() - new Date(createdAt).getTime();
  const text = stringifyJson(rest)
    .replaceAll(url, 'http://127.0.0.1:4020')
    .replace(
      /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
      (found) => `019b76da-a800-7000-8000-${countOf(found)}`,
    )
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (found) => {
      const seconds = Math.round((new Date(found).getTime() + shiftMs) / 1000);
      return new Date(seconds * 1000).toISOString();
    });
  return JSON.parse(text);
}
