import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { compareReads } from './compare-reads.ts';
import { fillIntents, sampleIntents } from './fill-intents.ts';
import { demoKey, withWorkshop } from './workshop.ts';

const INTENTS = 20_000;

/** Random intents read per second, against the framework alone answering as many bytes without a database. */
export function readIntent(run: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({
      name: 'service',
      env: { FLORIN_DATA: data },
      profileFolder: run.profileFolder,
    });
    const key = demoKey(service);
    const db = await shop.connect(data);
    const merchantIds = (await db.query('select id from merchants')).rows.map((row) => row.id);
    await fillIntents(db, merchantIds, INTENTS);
    const requests = (await sampleIntents(db, merchantIds, INTENTS)).map(({ id }) => ({
      key,
      path: `/api/merchants/intents/${id}`,
    }));
    const route = '/api/merchants/intents/:intentId';
    return compareReads(shop, run, { unit: 'reads/s', url: service.url, requests, route, secondsEach: 6 });
  });
}
