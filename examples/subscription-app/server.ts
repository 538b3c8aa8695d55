import { once } from 'node:events';
import { createApp } from './app.ts';
import { FlorinAuthenticationError, FlorinConnectionError, florin } from './florin.ts';
import { setUp } from './set-up.ts';

const { FLORIN_URL, PORT = '3006', APP_URL = `http://127.0.0.1:${PORT}` } = process.env;

try {
  const plan = await setUp();
  await once(createApp(plan, APP_URL).listen(Number(PORT), '127.0.0.1'), 'listening');
  const webhookUrl = `${APP_URL}/webhooks/florin`;
  // In a sandbox, register our URL at every start. With real money, set it once, by hand.
  if (plan.environment === 'devnet') await florin.merchant.updateWebhook({ webhookUrl });
  console.log(`\n  Florin    ${FLORIN_URL}\n  Webhooks  ${webhookUrl}\n  Page      ${APP_URL}\n`);
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
