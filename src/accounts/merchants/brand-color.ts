import { Text } from '../../platform/http/schema.ts';

/** A color as a caller sends it; stored in lower case. */
export const BrandColor = {
  ...Text({ min: 7, max: 7, description: '`#rrggbb`.' }),
  pattern: '^#[0-9A-Fa-f]{6}$',
  examples: ['#1a7f5a'],
};
