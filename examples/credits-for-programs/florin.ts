// In your project both lines end in: from '@florin/sdk';
import { Florin } from '../../sdk/src/florin.ts';

export * from '../../sdk/src/florin.ts';

export const { FLORIN_URL = '', FLORIN_KEY = '' } = process.env;

if (!FLORIN_URL || !FLORIN_KEY) {
  console.error('Set FLORIN_URL and FLORIN_KEY: the first start of Florin shows both.');
  process.exit(1);
}

export const florin = new Florin({ baseUrl: FLORIN_URL, apiKey: FLORIN_KEY });
