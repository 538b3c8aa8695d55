import { COMMAND } from '../config/command-name.ts';
import { type Config, hasApi } from '../config/config.ts';
import { version } from '../config/version.ts';
import type { Service } from './start.ts';

/** A service that is ready, as the greeting presents it. */
export interface Greeted extends Omit<Service, 'stop' | 'demo' | 'metrics'> {
  demo: { key: { raw: string }; webhookSecret: string } | undefined;
  /** Number and work of several processes; absent: there is one. */
  processes?: string;
}

/** Tells where the service is, and on the first start of a sandbox what to try. */
export function greeting(service: Greeted, config: Config, totalMs: number): string {
  const steps = service.timings.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ');
  const lines = [
    '',
    `  Florin ${version} · ${config.FLORIN_NETWORK} · ready in ${seconds(totalMs)} (${steps})`,
    '',
    ...(hasApi(config)
      ? [
          `  API        ${service.url}`,
          `  Dashboard  ${service.url}/dashboard`,
          `  Docs       ${service.url}/docs`,
        ]
      : [`  Roles      ${config.FLORIN_ROLES.join(', ')}`, `  Health     ${service.healthUrl}/health/ready`]),
    ...(service.processes ? [`  Processes  ${service.processes}`] : []),
    `  Data       ${service.place}`,
    ...(service.sandboxUrl ? [`  Chain      ${service.sandboxUrl} (Solana RPC of the sandbox)`] : []),
    ...(service.demo ? demoLines(service, service.demo) : nextLines()),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function demoLines(
  { url, setupUrl }: Greeted,
  { key, webhookSecret }: NonNullable<Greeted['demo']>,
): string[] {
  const auth = `-H 'Authorization: Bearer ${key.raw}'`;
  const json = `-H 'Content-Type: application/json'`;
  return [
    '',
    '  A demo merchant is ready. Its API key is shown only once:',
    `  API key         ${key.raw}`,
    `  Webhook secret  ${webhookSecret}`,
    '',
    '  Set up your dashboard sign-in. The link works once and expires in 24 hours:',
    `    ${setupUrl}`,
    '',
    '  Request 12.50 USDC. Each time you paste this, it is a new order:',
    `    INTENT=$(curl -sS ${url}/api/merchants/intents ${auth} ${json} \\`,
    `      -d '{"amountCents":1250,"orderId":"order-'$(date +%s%N)'"}' | grep -oE '[0-9a-f-]{36}' | head -1)`,
    '',
    '  Pay it with test money on the sandbox chain:',
    `    curl ${url}/api/v2/sandbox/payments ${auth} ${json} \\`,
    `      -d '{"paymentIntentId":"'$INTENT'"}'`,
    '',
    '  See it succeed within a few seconds:',
    `    curl ${url}/api/merchants/intents/$INTENT ${auth}`,
  ];
}

function nextLines(): string[] {
  return [
    '',
    `  A new API key:     ${COMMAND} keys create`,
    `  Another merchant:  ${COMMAND} merchants create --name "My shop" --payout-address <address>`,
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
