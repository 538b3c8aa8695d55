import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runWrk } from './tools.ts';
import { demoKey, newSeed, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const LINKS = 20;
const SECONDS_EACH = 8;

/** Public payment links read per second, against the framework alone answering as many bytes without a database. */
export function publicLink({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const key = demoKey(service);
    const tokens = await makeLinks(service.url, key);
    const requests = tokens.map((token) => ({ key: '-', path: `/api/v2/payment-links/${token}` }));
    const file = await shop.writeRequests('links.txt', requests);
    const example = await fetch(service.url + requests[0]!.path);
    const bare = await shop.startYardstick('static-answer.ts', {
      name: 'static-answer',
      env: { ROUTE: '/api/v2/payment-links/:publicToken', ANSWER: await example.text() },
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

/** The public tokens of some links. */
export async function makeLinks(url: string, key: string): Promise<string[]> {
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
    const sold = { productName: `Course ${i}`, billingMode: 'one_time', unitAmountCents: 4900 };
    tokens.push((await post('/payment-links/setup', { projectId, ...sold })).paymentLink.publicToken);
  }
  return tokens;
}
