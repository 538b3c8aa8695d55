import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';

const complaint = (env: Record<string, string>) => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

test('nothing set gives the embedded sandbox, with limits off', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    PORT: 4020,
    HOST: '127.0.0.1',
    FLORIN_NETWORK: 'sandbox',
    DATABASE_URL: undefined,
    FLORIN_ROLES: ['api', 'worker', 'watcher'],
    RATE_LIMIT_KEY_PER_SECOND: 0,
    WEBHOOK_ALLOW_HTTP: true,
    environment: 'devnet',
  });
});

test('on mainnet the limits are on and http is off', () => {
  const config = readConfig({ FLORIN_NETWORK: 'mainnet', SOLANA_RPC_URLS: 'https://rpc.example' });
  expect(config).toMatchObject({
    RATE_LIMIT_KEY_PER_SECOND: 100,
    RATE_LIMIT_FAILED_AUTH_PER_MINUTE: 20,
    RATE_LIMIT_PUBLIC_PER_SECOND: 10,
    WEBHOOK_ALLOW_HTTP: false,
    environment: 'mainnet',
  });
});

test.each([
  [{ PORT: '70000' }, 'PORT: must be a whole number from 0 to 65535'],
  [{ PORT: 'abc' }, 'PORT'],
  [{ FLORIN_NETWORK: 'testnet' }, 'FLORIN_NETWORK: must be one of sandbox, devnet, mainnet'],
  [{ FLORIN_NETWORK: 'mainnet' }, 'SOLANA_RPC_URLS: is needed on mainnet'],
  [{ FLORIN_ROLES: 'api,cook' }, 'FLORIN_ROLES'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://x/y' }, 'FLORIN_SECRET_KEY: is needed with DATABASE_URL'],
  [{ FLORIN_SECRET_KEY: 'short' }, 'FLORIN_SECRET_KEY: must be 32 bytes'],
  [{ INTENT_LIFE_MINUTES: '4' }, 'INTENT_LIFE_MINUTES: must be a whole number from 5 to 1440'],
  [{ USDC_MINT: 'nonsense' }, 'USDC_MINT: must be a Solana address'],
  [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL'],
  [{ TRUST_PROXY: 'maybe!' }, 'TRUST_PROXY'],
  [
    { FLORIN_NETWORK: 'mainnet', SOLANA_RPC_URLS: 'https://r', WEBHOOK_ALLOW_HTTP: 'true' },
    'WEBHOOK_ALLOW_HTTP',
  ],
  [
    { FLORIN_NETWORK: 'mainnet', SOLANA_RPC_URLS: 'https://r', WEBHOOK_ALLOW_PRIVATE: 'true' },
    'WEBHOOK_ALLOW_PRIVATE: must not be true on mainnet',
  ],
  [{ WEBHOOK_HEADER_NAME: 'X Y' }, 'WEBHOOK_HEADER_NAME: must be letters, digits and hyphens'],
  [{ WEBHOOK_HEADER_NAME: 'a\r\nb' }, 'WEBHOOK_HEADER_NAME'],
  [{ WEBHOOK_KEEP_DAYS: '0' }, 'WEBHOOK_KEEP_DAYS: must be a whole number from 1 to 3650'],
])('refuses %j and says which and why', (env, message) => {
  expect(complaint(env as Record<string, string>)).toContain(message);
});

test('names every mistake at once, and never repeats a secret', () => {
  const message = complaint({ PORT: 'x', HOST: ' ', FLORIN_SECRET_KEY: 'topsecret' });
  expect(message.split('\n')).toHaveLength(3);
  expect(message).not.toContain('topsecret');
});

test('docs/configuration.md lists every setting with its default', () => {
  const text = readFileSync(new URL('../docs/configuration.md', import.meta.url), 'utf8');
  for (const [name, { default: fallback, help }] of Object.entries(settings)) {
    const shown = fallback === '' ? '–' : `\`${fallback}\``;
    expect(text).toContain(`| \`${name}\` | ${shown} | ${help} |`);
  }
});
