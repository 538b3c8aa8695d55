import pg from 'pg';
import { expect, test } from 'vitest';
import { getTypeParser } from './row-types.ts';

const OID_TIMESTAMPTZ = 1184;

test.each([
  '2026-11-18 03:20:11.123456+00',
  '2026-11-18 03:20:11.9999+00',
  '2026-02-28 23:59:59+00',
  '0099-01-01 00:00:00+00',
  '2026-11-18 03:20:11.123+05:30',
  '2026-11-18 03:20:11-03',
  '12026-11-18 03:20:11+00',
  '0044-03-15 12:00:00+00 BC',
  'infinity',
])('%s is the same moment for us as for the driver', (text) => {
  const ours = getTypeParser(OID_TIMESTAMPTZ)(text as never);
  expect(ours).toEqual(pg.types.getTypeParser(OID_TIMESTAMPTZ as 20, 'text')(text));
});
