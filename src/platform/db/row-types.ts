import pg from 'pg';

const OID_INT8 = 20;
const OID_INT8_ARRAY = 1016;
const OID_NUMERIC = 1700;
const OID_TIMESTAMPTZ = 1184;

/** int8 and whole numerics are bigint inside the service; a fraction in a numeric is an error, not a rounding. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === OID_INT8 || oid === OID_NUMERIC) return BigInt as unknown as (value: string) => unknown;
  if (oid === OID_INT8_ARRAY) return parseInt8Array;
  if (oid === OID_TIMESTAMPTZ) return parseTimestamp;
  return pg.types.getTypeParser(oid, format as 'text');
}

const parseAnyTimestamp = pg.types.getTypeParser(OID_TIMESTAMPTZ as 20, 'text') as (text: string) => unknown;

/** Nearly all are of our time and in UTC, which is read in half the time. */
function parseTimestamp(text: string): unknown {
  const isUsual = text[4] === '-' && text[10] === ' ' && text.endsWith('+00');
  return isUsual ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseAnyTimestamp(text);
}

function parseInt8Array(text: string): bigint[] {
  const items = pg.types.getTypeParser(OID_INT8_ARRAY as 20, 'text')(text) as unknown as string[];
  return items.map(BigInt);
}
