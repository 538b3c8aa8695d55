import { once } from 'node:events';
import { createServer } from 'node:http';
import { listener } from './listener.ts';

const { FLORIN_URL, PORT = '3002' } = process.env;
const origin = `http://127.0.0.1:${PORT}`;

// Everything else is imported after this: it reads the settings as it is loaded.
const missing = ['FLORIN_URL', 'FLORIN_KEY', 'FLORIN_WEBHOOK_SECRET'].filter((name) => !process.env[name]);
if (missing.length > 0) {
  stop(`Set ${missing.join(', ')}: the first start of Florin shows all three.`);
}
const { florin, FlorinAuthenticationError, FlorinConnectionError } = await import('./lib/florin.ts');
const { respond } = await import('./router.ts');

try {
  const project = await findProject('Edge example');
  // In your deployment this is a setting like the others.
  process.env.FLORIN_PROJECT = project.id;
  await once(createServer(listener(origin, respond)).listen(Number(PORT), '127.0.0.1'), 'listening');
  const webhookUrl = `${origin}/api/webhooks/florin`;
  // In a sandbox, register our URL at every start. With real money, set it once, by hand.
  if (project.environment === 'devnet') await florin.merchant.updateWebhook({ webhookUrl });
  console.log(`\n  Florin    ${FLORIN_URL}\n  Webhooks  ${webhookUrl}\n  Page      ${origin}\n`);
} catch (error) {
  const { message } = error as Error;
  if (error instanceof FlorinConnectionError) {
    stop(`No Florin answers at ${FLORIN_URL}. Start one with: npm start\n${message}`);
  }
  if (error instanceof FlorinAuthenticationError) {
    stop(`Florin at ${FLORIN_URL} does not know this FLORIN_KEY. Make one with: npx florin keys create`);
  }
  stop(message);
}

async function findProject(name: string) {
  for await (const project of florin.projects.list()) if (project.name === name) return project;
  return florin.projects.create({ name });
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
