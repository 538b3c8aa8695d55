import { expect, test } from 'vitest';
import { InFlight } from './in-flight.ts';

const LIMITED = expect.objectContaining({ code: 'RATE_LIMITED' });

/** Work that ends when the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

test('a client holds 40 requests open; those of others, and its own once one has ended, are taken', async () => {
  const inFlight = new InFlight();
  const works = Array.from({ length: 40 }, held);
  const answers = works.map(({ work }) => inFlight.run('192.0.2.1', work));
  await expect(inFlight.run('192.0.2.1', held().work)).rejects.toEqual(LIMITED);
  const other = held();
  const answer = inFlight.run('198.51.100.1', other.work);
  other.end();
  expect(await answer).toBe('done');
  works[0]!.end();
  expect(await answers[0]).toBe('done');
  await expect(inFlight.run('192.0.2.1', () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
  const next = inFlight.run('192.0.2.1', works[1]!.work);
  await expect(inFlight.run('192.0.2.1', held().work)).rejects.toEqual(LIMITED);
  for (const { end } of works) end();
  expect(await Promise.all([...answers, next])).toHaveLength(41);
});

test('the networks of one IPv6 /48 hold 160 open together', async () => {
  const inFlight = new InFlight();
  const works = Array.from({ length: 200 }, held);
  const answers = works.map(({ work }, i) =>
    inFlight.run(`2001:db8:1:${i.toString(16)}::1`, work).catch((error: unknown) => error),
  );
  for (const { end } of works) end();
  const refused = (await Promise.all(answers)).filter((answer) => answer !== 'done');
  expect(refused).toEqual(Array(40).fill(LIMITED));
});
