import { readFile, writeFile } from 'node:fs/promises';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { createLog } from '../../src/platform/lib/log.ts';
import { Metrics } from '../../src/platform/lib/metrics.ts';
import { secretBox } from '../../src/platform/lib/secret-box.ts';
import { createApp } from '../../src/service/app.ts';
import { openNodes } from '../../src/service/open-nodes.ts';
import { routesPage } from './routes-page.ts';

/** Writes openapi.json and src/routes.txt from the registered routes, and the tables of docs/ that repeat it. No database is asked. */
const config = readConfig({});
const log = createLog('silent');
const metrics = new Metrics();
const app = await createApp({
  config,
  db: openDatabase({ connection: {} }),
  clock: systemClock(),
  log,
  metrics,
  secrets: secretBox(Buffer.alloc(32)),
  readiness: async () => undefined,
  ...openNodes({ config, log, metrics }, [], false),
  sponsor: undefined,
  sandbox: { wallet: undefined, runDue: async () => {} },
  publicUrl: () => '',
});
const { body } = await app.inject('/openapi.json');
await writeFile(new URL('../../openapi.json', import.meta.url), body);
const routes = new URL('../../src/routes.txt', import.meta.url);
await writeFile(routes, routesPage(app.routeDescriptions, await readFile(routes, 'utf8')));
// Read only now: it has the names of the client from the page above.
const { docTables } = await import('./doc-tables.ts');
for (const [path, written] of Object.entries(docTables)) {
  const file = new URL(`../../${path}`, import.meta.url);
  await writeFile(file, written(await readFile(file, 'utf8'), JSON.parse(body)));
}
await app.close();
