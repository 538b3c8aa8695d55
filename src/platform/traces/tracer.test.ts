import { expect, test } from 'vitest';
import { createSampler } from './sampler.ts';
import type { Span } from './span.ts';
import { Tracer } from './tracer.ts';

const CALLER = { traceId: 'ab'.repeat(16), parentId: 'cd'.repeat(8), isSampled: true };
const READ = { isWork: false };

function newTracer() {
  const kept: Span[] = [];
  const tracer = new Tracer(createSampler('parentbased_always_on', 1), (span) => kept.push(span));
  return { tracer, kept, names: () => kept.map(({ name }) => name) };
}

test('a turn that only reads leaves no trace; one that also writes or fails is kept whole', async () => {
  const { tracer, names } = newTracer();
  await tracer.inTurn('idle', async () => tracer.noteCall('select', 0, READ));
  expect(names()).toEqual([]);
  await tracer.inTurn('busy', async () => {
    tracer.noteCall('select', 0, READ);
    await tracer.part('transaction', {}, async () => tracer.noteCall('update', 0, {}));
  });
  expect(names().splice(0)).toEqual(['select', 'update', 'transaction', 'busy']);
  const failing = tracer.inTurn('failing', () => Promise.reject(new TypeError('of Ada')));
  await expect(failing).rejects.toThrow('of Ada');
  expect(names().slice(4)).toEqual(['failing']);
});

test('a request is below its caller, what it does is below it, and what it only started is not part of it', async () => {
  const { tracer, kept } = newTracer();
  const request = tracer.beginRequest(CALLER);
  const later = Promise.withResolvers<void>();
  const started = tracer.inside(request, async () => {
    tracer.noteCall('insert', 0, {});
    tracer.end(tracer.beginRequest(undefined), {});
    await later.promise;
    expect(tracer.isRecording()).toBe(false);
    await tracer.part('of a timer', {}, async () => {});
  });
  tracer.end(request, {});
  later.resolve();
  await started;
  expect(kept).toMatchObject([
    { name: 'insert', traceId: CALLER.traceId, parentId: request.spanId },
    { name: 'request', traceId: CALLER.traceId, parentId: request.spanId },
    { spanId: request.spanId, traceId: CALLER.traceId, parentId: CALLER.parentId },
  ]);
});

test('a caller that does not record its trace gets none here either', () => {
  const { tracer, kept } = newTracer();
  const request = tracer.beginRequest({ ...CALLER, isSampled: false });
  tracer.inside(request, () => tracer.noteCall('insert', 0, {}));
  tracer.end(request, {});
  expect(kept).toEqual([]);
});
