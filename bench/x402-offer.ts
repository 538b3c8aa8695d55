import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { compareReads } from './compare-reads.ts';
import { makeLinks } from './public-link.ts';
import { demoKey, withWorkshop } from './workshop.ts';

/** Offers of payment links per second, each with an id and a seal of its own, against the framework alone answering as many bytes. */
export function x402Offer(run: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({
      name: 'service',
      env: { FLORIN_DATA: data, RATE_LIMIT_PUBLIC_PER_SECOND: '0' },
      profileFolder: run.profileFolder,
    });
    const key = demoKey(service);
    const tokens = await makeLinks(service.url, key);
    const requests = tokens.map((token) => ({ key: '-', path: `/pay/${token}` }));
    return compareReads(shop, run, {
      unit: 'offers/s',
      url: service.url,
      requests,
      route: '/pay/:publicToken',
      isRefused: true,
      headers: { Accept: 'application/json' },
      secondsEach: 8,
    });
  });
}
