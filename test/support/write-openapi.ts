import { readFile, writeFile } from 'node:fs/promises';
import { createApp } from '../../src/app.ts';
import { createRpc } from '../../src/chain/solana/rpc.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { secretBox } from '../../src/platform/lib/secret-box.ts';
import { docTables } from './doc-tables.ts';

/** Writes openapi.json from the registered routes, and the tables of docs/ that repeat it. No database is asked. */
const app = await createApp({
  config: readConfig({}),
  db: openDatabase({ connection: {} }),
  clock: systemClock(),
  log: createLog('silent'),
  metrics: new Metrics(),
  secrets: secretBox(Buffer.alloc(32)),
  readiness: async () => undefined,
  rpc: createRpc({ urls: [] }),
  sponsor: undefined,
  sandbox: { wallet: undefined, runDue: async () => {} },
  publicUrl: () => '',
});
const { body } = await app.inject('/openapi.json');
await writeFile(new URL('../../openapi.json', import.meta.url), body);
for (const [path, written] of Object.entries(docTables)) {
  const file = new URL(`../../${path}`, import.meta.url);
  await writeFile(file, written(await readFile(file, 'utf8'), JSON.parse(body)));
}
await app.close();
