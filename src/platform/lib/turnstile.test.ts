import { expect, test } from 'vitest';
import { Turnstile } from './turnstile.ts';

/** Work that ends by hand, and notes when it began. */
function bench(rule: ConstructorParameters<typeof Turnstile>[0]) {
  const turnstile = new Turnstile(rule);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, label: string) =>
    turnstile.run(name, async () => {
      begun.push(label);
      await new Promise<void>((resolve) => ends.set(label, resolve));
    });
  return { turnstile, begun, ask, end: (label: string) => ends.get(label)!() };
}

test('so many at once, and of one name; the others begin in turns', async () => {
  const { begun, ask, end } = bench({ atOnce: 2, atOnceOf: 1, waiting: 10, waitingOf: 10 });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((label) => ask(label[0]!, label));
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'b1']);
  for (const label of ['a1', 'b1', 'a2', 'c1', 'a3', 'c2']) {
    end(label);
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'a3', 'c2']);
});

test('429 where one name waits too often, 503 where all do; work that fails makes room as well', async () => {
  const { turnstile, ask, end, begun } = bench({ atOnce: 1, atOnceOf: 1, waiting: 2, waitingOf: 1 });
  const first = ask('a', 'a1');
  const second = ask('a', 'a2');
  await expect(ask('a', 'a3')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
  const third = turnstile.run('b', () => Promise.reject(new Error('no')));
  third.catch(() => undefined);
  await expect(ask('c', 'c1')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
  end('a1');
  await first;
  for (let i = 0; i < 10; i++) await Promise.resolve();
  end('a2');
  await second;
  await expect(third).rejects.toThrow('no');
  const last = ask('c', 'c2');
  await Promise.resolve();
  expect(begun).toEqual(['a1', 'a2', 'c2']);
  end('c2');
  await last;
});
