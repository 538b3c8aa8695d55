import { expect, test } from 'vitest';
import { readTraceparent } from './traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const GOOD = `00-${TRACE}-00f067aa0ba902b7-01`;

test.each([GOOD, `cc-${TRACE}-00f067aa0ba902b7-01-what-the-future-will-be-like`])('%s is read', (text) => {
  expect(readTraceparent({ headers: { traceparent: text } })).toEqual({
    traceId: TRACE,
    parentId: '00f067aa0ba902b7',
    isSampled: true,
    text: GOOD,
  });
});

test('a caller that does not record the trace says so in the flags', () => {
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-02`;
  expect(readTraceparent({ headers: { traceparent } })).toMatchObject({ isSampled: false });
});

test.each([
  '',
  `ff-${TRACE}-00f067aa0ba902b7-01`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  `${GOOD}-more`,
  `${GOOD}\n`,
  `00-${TRACE}-00f067aa0ba902b7`,
])('“%s” is ignored', (text) => {
  expect(readTraceparent({ headers: { traceparent: text } })).toBeUndefined();
});
