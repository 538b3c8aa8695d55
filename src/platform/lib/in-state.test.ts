import { expect, test } from 'vitest';
import { inState } from './in-state.ts';

test.each([
  ['draft', 'A draft invoice'],
  ['open', 'An open invoice'],
  ['uncollectible', 'An uncollectible invoice'],
  ['past_due', 'A past due invoice'],
])('%s has its article', (status, said) => {
  expect(inState(status, 'invoice')).toBe(said);
});
