import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, quorumOf, readConfig } from './config.ts';
import { settings } from './settings.ts';

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

const mainnet = { FLORIN_NETWORK: 'mainnet', SOLANA_RPC_URLS: 'https://rpc.example' };

test.each([
  { PUBLIC_URL: 'http://localhost:4020', SOLANA_RPC_URLS: 'http://127.0.0.1:8899,http://[::1]:8899' },
  { PUBLIC_URL: 'http://pay.internal', SOLANA_WS_URL: 'ws://node.internal', FLORIN_ALLOW_HTTP: 'true' },
  { PUBLIC_URL: 'https://pay.example', SOLANA_WS_URL: 'wss://rpc.example' },
])('on mainnet %j is taken: encrypted, on this machine, or allowed by name', (env) => {
  expect(complaint({ ...mainnet, ...env })).toBe('');
});

test('the settings of traces are read as OpenTelemetry writes them', () => {
  const config = readConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'API-Key=a%20b, x-team = billing',
    OTEL_TRACES_SAMPLER_ARG: '.25',
  });
  expect(config).toMatchObject({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp',
    OTEL_EXPORTER_OTLP_HEADERS: { 'api-key': 'a b', 'x-team': 'billing' },
    OTEL_TRACES_SAMPLER_ARG: 0.25,
  });
});

test('two of several nodes must agree unless told otherwise; one decides alone', () => {
  const quorum = (env: Record<string, string>) => quorumOf(readConfig(env));
  expect(quorum({})).toBe(1);
  expect(quorum({ SOLANA_RPC_URLS: 'https://a' })).toBe(1);
  expect(quorum({ SOLANA_RPC_URLS: 'https://a,https://b,https://c' })).toBe(2);
  expect(quorum({ SOLANA_RPC_URLS: 'https://a,https://b', SOLANA_RPC_QUORUM: '1' })).toBe(1);
});

test.each([
  [{ PORT: '70000' }, 'PORT: must be a whole number from 0 to 65535'],
  [{ PORT: 'abc' }, 'PORT'],
  [{ FLORIN_NETWORK: 'testnet' }, 'FLORIN_NETWORK: must be one of sandbox, devnet, mainnet'],
  [{ FLORIN_NETWORK: 'mainnet' }, 'SOLANA_RPC_URLS: is required on mainnet'],
  [{ FLORIN_ROLES: 'api,cook' }, 'FLORIN_ROLES'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://x/y' }, 'FLORIN_SECRET_KEY: is required with DATABASE_URL'],
  [{ FLORIN_SECRET_KEYS_OLD: 'short' }, 'FLORIN_SECRET_KEYS_OLD: must be 32 bytes'],
  [
    { FLORIN_SECRET_KEYS_OLD: 'ab'.repeat(32) },
    'FLORIN_SECRET_KEYS_OLD: can only be used with FLORIN_SECRET_KEY; otherwise the keys are in secret.key',
  ],
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
  [{ SOLANA_RPC_QUORUM: '0', SOLANA_RPC_URLS: 'https://a' }, 'SOLANA_RPC_QUORUM: must be a whole number'],
  [{ SOLANA_RPC_QUORUM: '2' }, 'SOLANA_RPC_QUORUM: must be at most 1'],
  [
    { SOLANA_RPC_QUORUM: '3', SOLANA_RPC_URLS: 'https://a,https://b' },
    'SOLANA_RPC_QUORUM: must be at most 2',
  ],
  [{ SOLANA_RPC_URLS: 'https://a, https://A/' }, 'SOLANA_RPC_URLS: lists the same node twice'],
  [{ SOLANA_RPC_QUORUM_STRICT: 'maybe' }, 'SOLANA_RPC_QUORUM_STRICT'],
  [{ ...mainnet, SOLANA_RPC_URLS: 'https://a,http://b' }, 'SOLANA_RPC_URLS: must be https:// on mainnet'],
  [{ ...mainnet, SOLANA_WS_URL: 'ws://a' }, 'SOLANA_WS_URL: must be wss:// on mainnet'],
  [{ ...mainnet, PUBLIC_URL: 'http://pay.example' }, 'PUBLIC_URL: must be https:// on mainnet'],
  [{ ...mainnet, PUBLIC_URL: 'http://127.0.0.1.evil.example' }, 'PUBLIC_URL: must be https:// on mainnet'],
  [{ WEBHOOK_HEADER_NAME: 'X Y' }, 'WEBHOOK_HEADER_NAME: must be up to 64 letters, digits and hyphens'],
  [{ WEBHOOK_HEADER_NAME: 'a\r\nb' }, 'WEBHOOK_HEADER_NAME'],
  [{ BACKUP_RECIPIENTS: 'age1foo' }, 'BACKUP_RECIPIENTS: must be age public keys'],
  [{ BACKUP_RECIPIENTS: 'age1x,AGE-SECRET-KEY-1X' }, 'BACKUP_RECIPIENTS: must be age public keys'],
  [
    { BACKUP_FOLDER: '/b', DATABASE_POOL_SIZE: '2' },
    'DATABASE_POOL_SIZE: must be at least 3 with BACKUP_FOLDER',
  ],
  [{ API_PROCESSES: '0' }, 'API_PROCESSES: must be auto, or a whole number from 1 to 32'],
  [{ API_PROCESSES: 'all' }, 'API_PROCESSES: must be auto, or a whole number from 1 to 32'],
  [
    { API_PROCESSES: '2', DATABASE_POOL_SIZE: '3' },
    'DATABASE_POOL_SIZE: must be at least 4 with API_PROCESSES=2: one for each of 3 processes and for one more while they are replaced',
  ],
  [
    { API_PROCESSES: '4', DATABASE_POOL_SIZE: '7', BACKUP_FOLDER: '/b' },
    'DATABASE_POOL_SIZE: must be at least 8 with API_PROCESSES=4: one for each of 5 processes and for one more while they are replaced, and two for a backup',
  ],
  [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM: is required with SMTP_URL'],
  [{ SMTP_URL: 'http://mail.example' }, 'SMTP_URL: must be smtp://'],
  [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL: must be smtp://'],
  [{ SMTP_URL: 'smtp://' }, 'SMTP_URL: must be smtp://'],
  [{ SMTP_URL: 'smtp://mail.example/?tls=off' }, 'SMTP_URL: must be smtp://'],
  [{ SMTP_URL: 'smtp://u:%@mail.example' }, 'SMTP_URL: has a %'],
  [{ MAIL_FROM: 'Shop' }, 'MAIL_FROM: must be an e-mail address'],
  [{ MAIL_FROM: 'a@b, c@d' }, 'MAIL_FROM'],
  [{ MAIL_FROM: 'Shop\r\nBcc: x <a@b>' }, 'MAIL_FROM'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'must be a URL that starts with https:// or http://'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:p@collector' }, 'must not contain a password'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector/?x=1' }, 'must end with its path'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'api-key' }, 'OTEL_EXPORTER_OTLP_HEADERS: must be headers as name=value'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=%0d%0ab' }, 'OTEL_EXPORTER_OTLP_HEADERS: must be headers as name=value'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL: must be one of http/json'],
  [{ OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER: must be one of always_on'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1'],
  [{ WEBHOOK_KEEP_DAYS: '0' }, 'WEBHOOK_KEEP_DAYS: must be a whole number from 1 to 3650'],
])('refuses %j and says which and why', (env, message) => {
  expect(complaint(env as Record<string, string>)).toContain(message);
});

test('names every mistake at once, and never repeats a secret', () => {
  const message = complaint({
    PORT: 'x',
    HOST: ' ',
    FLORIN_SECRET_KEY: 'topsecret',
    SMTP_URL: 'smtp://u:topsecret@mail.example/x',
  });
  expect(message.split('\n')).toHaveLength(4);
  expect(message).not.toContain('topsecret');
});

test('a mail server and who e-mails are from', () => {
  const read = (SMTP_URL: string, MAIL_FROM: string) => readConfig({ SMTP_URL, MAIL_FROM });
  expect(read('smtp://u%40x:p%2Fw@mail.example', 'Ünï Shop <a@b.example>')).toMatchObject({
    SMTP_URL: { host: 'mail.example', port: 587, secure: false, user: 'u@x', password: 'p/w' },
    MAIL_FROM: { name: 'Ünï Shop', address: 'a@b.example' },
  });
  expect(read('smtps://[::1]', 'a@b.example')).toMatchObject({
    SMTP_URL: { host: '::1', port: 465, secure: true, user: undefined, password: undefined },
    MAIL_FROM: { name: '', address: 'a@b.example' },
  });
  expect(read('smtp://mail.example:2525', '"A, B" <a@b>').MAIL_FROM).toEqual({
    name: 'A, B',
    address: 'a@b',
  });
});

test('docs/configuration.md lists every setting with its default', () => {
  const text = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  for (const [name, { default: fallback, help }] of Object.entries(settings)) {
    const shown = fallback === '' ? '–' : `\`${fallback}\``;
    expect(text).toContain(`| \`${name}\` | ${shown} | ${help} |`);
  }
});
