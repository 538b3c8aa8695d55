import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXCEPTION_KINDS, EXCEPTION_STATUSES } from './exception.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** The values that a constraint of the database allows. */
function allowedBy(constraint: string): string[] {
  const line = read('migrations/schema.sql')
    .split('\n')
    .find((one) => one.includes(`constraint ${constraint} `))!;
  return [...line.matchAll(/'(\w+)'::text/g)].map(([, value]) => value!);
}

test('the database allows exactly the kinds and statuses that there are', () => {
  expect(allowedBy('payment_exceptions_kind_check').sort()).toEqual([...EXCEPTION_KINDS].sort());
  expect(allowedBy('payment_exceptions_status_check').sort()).toEqual([...EXCEPTION_STATUSES].sort());
});

test.each(EXCEPTION_KINDS)('the guide says what %s is', (kind) => {
  expect(read('docs/detection.md')).toContain(`(\`${kind}\`)`);
});
