import { request } from 'undici';
import { percentile } from '../rounds.ts';

export interface Driven {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
}

/** Callers that each begin again as soon as they are done, until the time is over; what has begun then still counts. */
export async function drive(flow: () => Promise<unknown>, callers: number, seconds: number): Promise<Driven> {
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1000;
  const times: number[] = [];
  const call = async () => {
    while (performance.now() < untilMs) {
      const begunMs = performance.now();
      await flow();
      times.push(performance.now() - begunMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  const tookSeconds = (performance.now() - startedMs) / 1000;
  return {
    perSecond: times.length / tookSeconds,
    p50Ms: percentile(times, 50),
    p95Ms: percentile(times, 95),
  };
}

export interface Answer<Body> {
  body: Body;
  headers: Record<string, string | string[] | undefined>;
}

/** Posts JSON, or a form when the body is text; an answer that is no success throws. */
export async function post<Body>(
  url: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Answer<Body>> {
  const isForm = typeof body === 'string';
  const response = await request(url, {
    method: 'POST',
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${url} answered ${response.statusCode}: ${text}`);
  return { body: JSON.parse(text) as Body, headers: response.headers };
}
