import { expect, test } from 'vitest';
import { Conditions } from './conditions.ts';

const bounds = {
  beforeId: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
  fromId: '01a1ee41-4e0d-0000-0000-000000000000',
};

test('a page has a lower bound only where it bounds something', () => {
  const bounded = new Conditions().add('merchant_id = ?', 'm').within('id', bounds);
  expect(bounded.where).toBe('merchant_id = $1 and id < $2 and id >= $3');
  expect(bounded.values).toEqual(['m', bounds.beforeId, bounds.fromId]);

  const open = new Conditions().within('c.id', { ...bounds, fromId: '00000000-0000-0000-0000-000000000000' });
  expect([open.where, open.values]).toEqual(['c.id < $1', [bounds.beforeId]]);
});
