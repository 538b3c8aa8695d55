import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { makeLinks } from './public-link.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runWrk } from './tools.ts';
import { demoKey, newSeed, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const SECONDS_EACH = 8;

/** Offers of payment links per second, each with an id and a seal of its own, against the framework alone answering as many bytes. */
export function x402Offer({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({
      name: 'service',
      env: { FLORIN_DATA: data, RATE_LIMIT_PUBLIC_PER_SECOND: '0' },
      profileFolder,
    });
    const key = demoKey(service);
    const tokens = await makeLinks(service.url, key);
    const requests = tokens.map((token) => ({ key: '-', path: `/pay/${token}` }));
    const file = await shop.writeRequests('links.txt', requests);
    const example = await fetch(service.url + requests[0]!.path, { headers: { accept: 'application/json' } });
    if (example.status !== 402) throw new Error(`no offer: ${await example.text()}`);
    const bare = await shop.startYardstick('static-answer.ts', {
      name: 'static-answer',
      env: { ROUTE: '/pay/:publicToken', ANSWER: await example.text() },
    });
    const read = async (url: string, seconds: number) =>
      (await runWrk({ url, script: 'offer.lua', args: [file, newSeed()], connections: CONNECTIONS, seconds }))
        .requestsPerSecond;
    const measured = await alternate(
      { ours: (seconds) => read(service.url, seconds), yardstick: (seconds) => read(bare.url, seconds) },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );
    const spread = spreadOf(measured);
    return { ratio: spread.median, spread, unit: 'offers/s', rounds: measured };
  });
}
