import { expect, test } from 'vitest';
import { readSearch, writeSearch } from './search.ts';

test('filters come back from the address as they went in, digits and all', () => {
  const search = { status: ['underpaid', 'processing'], orderId: '0042', from: '2026-01-31' };
  expect(writeSearch(search)).toBe('?status=underpaid&status=processing&orderId=0042&from=2026-01-31');
  expect(readSearch(writeSearch(search))).toEqual(search);
  expect(writeSearch({ status: undefined, orderId: '' })).toBe('');
});
