// In your project both lines end in: from '@florin/sdk';
import { Florin } from '../../../sdk/src/florin.ts';

export * from '../../../sdk/src/florin.ts';

export const florin = new Florin({ baseUrl: setting('FLORIN_URL'), apiKey: setting('FLORIN_KEY') });

export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}
