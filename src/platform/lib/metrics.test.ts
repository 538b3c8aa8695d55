import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('a gauge that cannot be read is no number, and hides no other', () => {
  const metrics = new Metrics();
  metrics.gauge('florin_memory_bytes', 'Memory.', () => {
    throw new Error('EMFILE: too many open files');
  });
  metrics.gauge('florin_database_up', 'Database.', () => 1);
  expect(metrics.text()).toMatch(/^florin_memory_bytes NaN$/m);
  expect(metrics.text()).toMatch(/^florin_database_up 1$/m);
});
