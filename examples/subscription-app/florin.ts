// In your project both lines end in: from '@florin/sdk';
import { Florin } from '../../sdk/src/florin.ts';

export * from '../../sdk/src/florin.ts';

const { FLORIN_URL = '', FLORIN_KEY = '', FLORIN_WEBHOOK_SECRET = '' } = process.env;

if (!FLORIN_URL || !FLORIN_KEY || !FLORIN_WEBHOOK_SECRET) {
  console.error(
    'Set FLORIN_URL, FLORIN_KEY and FLORIN_WEBHOOK_SECRET: the first start of Florin shows all three.',
  );
  process.exit(1);
}

export const florin = new Florin({ baseUrl: FLORIN_URL, apiKey: FLORIN_KEY });

/** Proves that a webhook comes from Florin. */
export const webhookSecret = FLORIN_WEBHOOK_SECRET;
