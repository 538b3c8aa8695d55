import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { compareReads } from './compare-reads.ts';
import { demoKey, withWorkshop } from './workshop.ts';

const LINKS = 20;

/** Public payment links read per second, against the framework alone answering as many bytes without a database. */
export function publicLink(run: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({
      name: 'service',
      env: { FLORIN_DATA: data },
      profileFolder: run.profileFolder,
    });
    const key = demoKey(service);
    const tokens = await makeLinks(service.url, key);
    const requests = tokens.map((token) => ({ key: '-', path: `/api/v2/payment-links/${token}` }));
    const route = '/api/v2/payment-links/:publicToken';
    return compareReads(shop, run, { unit: 'reads/s', url: service.url, requests, route, secondsEach: 8 });
  });
}

/** The public tokens of some links. */
export async function makeLinks(url: string, key: string, unitAmountCents = 4900): Promise<string[]> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path} failed: ${await response.text()}`);
    return (await response.json()) as { id: string; paymentLink: { publicToken: string } };
  };
  const { id: projectId } = await post('/projects', { name: 'bench' });
  const tokens: string[] = [];
  for (let i = 1; i <= LINKS; i++) {
    const sold = { productName: `Course ${i}`, billingMode: 'one_time', unitAmountCents };
    tokens.push((await post('/payment-links/setup', { projectId, ...sold })).paymentLink.publicToken);
  }
  return tokens;
}
