import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';
import { currentWait, REQUEST_PATIENCE_MS, RequestWait, waitedForBy } from './request-wait.ts';

test('a lone call starts at once; what arrives meanwhile goes together', async () => {
  const batches: number[][] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const double = coalesce<number, number>(
    async (items) => {
      batches.push(items);
      if (batches.length === 1) await gate;
      return items.map((item) => item * 2);
    },
    { maxBatch: 3, maxInFlight: 1 },
  );
  const answers = Promise.all([1, 2, 3, 4, 5].map(double));
  expect(batches).toEqual([[1]]);
  release();
  expect(await answers).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('an Error among the answers is for its own caller only; a thrown one for the whole batch', async () => {
  const odd = coalesce<number, number>(
    async (items) => {
      if (items.includes(99)) throw new Error('broken');
      return items.map((item) => (item % 2 ? item : new Error(`even ${item}`)));
    },
    { maxBatch: 10, maxInFlight: 1 },
  );
  const first = odd(1);
  const results = await Promise.allSettled([first, odd(2), odd(3)]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  await expect(odd(99)).rejects.toThrow('broken');
  await expect(odd(5)).resolves.toBe(5);
});

test('a batch has as many items as their sizes allow, and no item is split', async () => {
  const batches: string[][] = [];
  const read = coalesce<string, string>(
    async (items) => {
      batches.push(items);
      return items;
    },
    { maxBatch: 4, maxInFlight: 1, sizeOf: ({ length }) => length },
  );
  const items = ['a', 'bb', 'cc', 'd', 'eeeee', 'f'];
  expect(await Promise.all(items.map(read))).toEqual(items);
  expect(batches).toEqual([['a'], ['bb', 'cc'], ['d'], ['eeeee'], ['f']]);
});

test('a run starts beside another when enough wait, full or not', async () => {
  const batches: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const read = coalesce<number, number>(
    async (items) => {
      batches.push(items);
      await gate.promise;
      return items;
    },
    { maxBatch: 10, maxInFlight: 2, minBeside: 3 },
  );
  const answers = Promise.all([1, 2, 3, 4, 5].map(read));
  expect(batches).toEqual([[1], [2, 3, 4]]);
  gate.resolve();
  expect(await answers).toEqual([1, 2, 3, 4, 5]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

function gated() {
  const waits: (RequestWait | undefined)[] = [];
  const ran: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const queued = coalesce<number, number>(
    async (items) => {
      waits.push(currentWait());
      ran.push(items);
      if (ran.length === 1) await gate.promise;
      return items;
    },
    { maxBatch: 10, maxInFlight: 1 },
  );
  return { queued, waits, ran, open: () => gate.resolve() };
}

test('the time in the queue counts as waiting, and a batch has the patience of the request that has waited least', async () => {
  const { queued, waits, open } = gated();
  const [short, long] = [new RequestWait(), new RequestWait(1_000)];
  const first = queued(1);
  const others = [long, short].map((wait) => waitedForBy(wait, () => queued(2)));
  const shortMs = short.ms;
  open();
  await Promise.all([first, ...others]);
  expect(waits[0]).toBeUndefined();
  expect(waits[1]).toBe(short);
  expect(short.ms).toBeGreaterThan(shortMs);
  expect(long.ms).toBeGreaterThan(1_000);
});

test('a request whose patience is over is answered 503 behind a batch that hangs, and is not done afterwards; the others are', async () => {
  const { queued, ran, open } = gated();
  const first = queued(1);
  const others = [queued(2), waitedForBy(new RequestWait(), () => queued(3))];
  const late = waitedForBy(new RequestWait(REQUEST_PATIENCE_MS), () => queued(4));
  await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  open();
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 3]);
  expect(ran).toEqual([[1], [2, 3]]);
});
