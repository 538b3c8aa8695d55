import type { BenchResult, BenchRun } from './bench.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runWrk } from './tools.ts';
import { newSeed, type Workshop } from './workshop.ts';

const CONNECTIONS = 64;

interface Reads {
  unit: string;
  /** Address that the service listens at. */
  url: string;
  requests: readonly { key: string; path: string }[];
  /** The route that the framework alone answers, with the bytes that ours gives to the first request. */
  route: string;
  /** The answers are refusals with a status of 400 and above, as an offer to pay is. */
  isRefused?: boolean;
  headers?: Record<string, string>;
  secondsEach: number;
}

/** GETs of random ones of the paths per second, against the framework alone answering as many bytes without a database. */
export async function compareReads(
  shop: Workshop,
  { rounds, say }: Pick<BenchRun, 'rounds' | 'say'>,
  { unit, url, requests, route, isRefused = false, headers = {}, secondsEach }: Reads,
): Promise<BenchResult> {
  const { key, path } = requests[0]!;
  const authorization = key === '-' ? {} : { authorization: `Bearer ${key}` };
  const example = await fetch(url + path, { headers: { ...headers, ...authorization } });
  if (example.ok === isRefused) throw new Error(`${path} failed: ${await example.text()}`);
  const bare = await shop.startYardstick('static-answer.ts', {
    name: 'static-answer',
    env: { ROUTE: route, ANSWER: await example.text() },
  });
  const file = await shop.writeRequests('requests.txt', requests);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const get = { script: 'get.lua', connections: CONNECTIONS } as const;
  const read = async (target: string, seconds: number, refusals: boolean) => {
    const args = [file, newSeed(), ...lines];
    return (await runWrk({ ...get, url: target, args, seconds, isRefused: refusals })).requestsPerSecond;
  };
  const measured = await alternate(
    {
      ours: (seconds) => read(url, seconds, isRefused),
      yardstick: (seconds) => read(bare.url, seconds, false),
    },
    { rounds, secondsEach },
    say,
  );
  const spread = spreadOf(measured);
  return { ratio: spread.median, spread, unit, rounds: measured };
}
