import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { fillIntents, sampleIntents } from './fill-intents.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runWrk } from './tools.ts';
import { demoKey, newSeed, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const INTENTS = 20_000;
const SECONDS_EACH = 6;

/** Random intents read per second, against the framework alone answering as many bytes without a database. */
export function readIntent({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const key = demoKey(service);
    const db = await shop.connect(data);
    const merchantIds = (await db.query('select id from merchants')).rows.map((row) => row.id);
    await fillIntents(db, merchantIds, INTENTS);
    const requests = (await sampleIntents(db, merchantIds, INTENTS)).map(({ id }) => ({
      key,
      path: `/api/merchants/intents/${id}`,
    }));
    const file = await shop.writeRequests('intents.txt', requests);
    const example = await fetch(service.url + requests[0]!.path, {
      headers: { authorization: `Bearer ${key}` },
    });
    const bare = await shop.startYardstick('static-answer.ts', {
      name: 'static-answer',
      env: { ROUTE: '/api/merchants/intents/:intentId', ANSWER: await example.text() },
    });
    const read = async (url: string, seconds: number) =>
      (await runWrk({ url, script: 'get.lua', args: [file, newSeed()], connections: CONNECTIONS, seconds }))
        .requestsPerSecond;
    const measured = await alternate(
      { ours: (seconds) => read(service.url, seconds), yardstick: (seconds) => read(bare.url, seconds) },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );
    const spread = spreadOf(measured);
    return { ratio: spread.median, spread, unit: 'reads/s', rounds: measured };
  });
}
