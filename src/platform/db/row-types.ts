import pg from 'pg';

const OID_INT8 = 20;
const OID_INT8_ARRAY = 1016;
const OID_NUMERIC = 1700;

/** int8 and whole numerics are bigint inside the service; a fraction in a numeric is an error, not a rounding. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === OID_INT8 || oid === OID_NUMERIC) return BigInt as unknown as (value: string) => unknown;
  if (oid === OID_INT8_ARRAY) return parseInt8Array;
  return pg.types.getTypeParser(oid, format as 'text');
}

function parseInt8Array(text: string): bigint[] {
  const items = pg.types.getTypeParser(OID_INT8_ARRAY as 20, 'text')(text) as unknown as string[];
  return items.map(BigInt);
}
