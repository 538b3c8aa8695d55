import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringifyJson } from '../../src/platform/lib/json.ts';
import { webhooks } from '../../src/service/webhook-list.ts';
import { chooseSamples } from './choose-samples.ts';
import { startProcess } from './process.ts';
import { recordEvents } from './record-samples.ts';

/** Writes src/sandbox/samples.json, or the file that is named: one body of each event, as a sandbox sent it. */
const target = process.argv[2] ?? new URL('../../src/sandbox/samples.json', import.meta.url);
const folder = await mkdtemp(join(tmpdir(), 'florin-samples-'));
/** Slots so slow that a payment is seen long before it is final; the recorder makes it final when it was. */
const SANDBOX_SLOT_MS = '1000';
const service = await startProcess({ FLORIN_DATA: folder, SANDBOX_SLOT_MS });
try {
  const told = await recordEvents({ url: service.url, apiKey: service.apiKey! });
  const names = webhooks.map(({ event }) => event);
  await writeFile(target, `${stringifyJson(chooseSamples(names, told, service.url), 2)}\n`);
} finally {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
}
