import { once } from 'node:events';
import { createApi } from './api.ts';
import { FLORIN_URL, FlorinAuthenticationError, FlorinConnectionError } from './florin.ts';
import { setUp } from './set-up.ts';

const { PORT = '3005', API_URL = `http://127.0.0.1:${PORT}` } = process.env;

try {
  const shop = await setUp();
  await once(createApi(shop).listen(Number(PORT), '127.0.0.1'), 'listening');
  console.log(`\n  Florin    ${FLORIN_URL}\n  Paywall   ${shop.paywallUrl}\n  API       ${API_URL}\n`);
} catch (error) {
  console.error(whyNot(error));
  process.exit(1);
}

function whyNot(error: unknown): string {
  const { message } = error as Error;
  if (error instanceof FlorinConnectionError) {
    return `No Florin answers at ${FLORIN_URL}. Start one with: npm start\n${message}`;
  }
  if (error instanceof FlorinAuthenticationError) {
    return `Florin at ${FLORIN_URL} does not know this FLORIN_KEY. Make one with: npx florin keys create\n${message}`;
  }
  return message;
}
