import { backupConnectionsOf, processesOf } from './processes.ts';
import { isLoopback } from './setting-values.ts';
import type { Values } from './settings.ts';

/** Yields errors in settings that are each valid but contradict one another. */
export function* contradictions(values: Values): Generator<string> {
  if (values.FLORIN_NETWORK !== 'sandbox' && values.SOLANA_RPC_URLS.length === 0) {
    yield `SOLANA_RPC_URLS: is required on ${values.FLORIN_NETWORK}`;
  }
  yield* nodeProblems(values);
  if (values.FLORIN_NETWORK === 'mainnet' && !values.FLORIN_ALLOW_HTTP) yield* plainTextUrls(values);
  if (values.DATABASE_URL && !values.FLORIN_SECRET_KEY) {
    yield 'FLORIN_SECRET_KEY: is required with DATABASE_URL; create one with: openssl rand -hex 32';
  }
  if (values.FLORIN_SECRET_KEYS_OLD.length > 0 && !values.FLORIN_SECRET_KEY) {
    yield 'FLORIN_SECRET_KEYS_OLD: can only be used with FLORIN_SECRET_KEY; otherwise the keys are in secret.key';
  }
  if (values.EVENT_RETENTION_DAYS !== undefined && values.EVENT_RETENTION_DAYS < values.WEBHOOK_KEEP_DAYS) {
    yield 'EVENT_RETENTION_DAYS: must be at least WEBHOOK_KEEP_DAYS: a delivery is sent again from its event';
  }
  yield* poolProblems(values);
  if (values.SMTP_URL && !values.MAIL_FROM) yield 'MAIL_FROM: is required with SMTP_URL';
  if (values.FLORIN_NETWORK === 'mainnet' && values.WEBHOOK_ALLOW_HTTP) {
    yield 'WEBHOOK_ALLOW_HTTP: must not be true on mainnet';
  }
  if (values.FLORIN_NETWORK === 'mainnet' && values.WEBHOOK_ALLOW_PRIVATE) {
    yield 'WEBHOOK_ALLOW_PRIVATE: must not be true on mainnet';
  }
}

function* poolProblems(values: Values): Generator<string> {
  const { DATABASE_POOL_SIZE: size, API_PROCESSES: api } = values;
  const [processes, forBackups] = [processesOf(values), backupConnectionsOf(values)];
  // A reload has one more for a moment.
  const least = (processes > 1 ? processes + 1 : 1) + forBackups;
  if (size === undefined || size >= least) return;
  yield processes === 1
    ? 'DATABASE_POOL_SIZE: must be at least 3 with BACKUP_FOLDER: a backup has two connections while it is made'
    : `DATABASE_POOL_SIZE: must be at least ${least} with API_PROCESSES=${api}: one for each of ${processes} processes and for one more while they are replaced${forBackups ? ', and two for a backup' : ''}`;
}

function* nodeProblems({ SOLANA_RPC_URLS: urls, SOLANA_RPC_QUORUM: quorum }: Values): Generator<string> {
  const nodes = Math.max(urls.length, 1);
  if (quorum !== undefined && quorum > nodes)
    yield `SOLANA_RPC_QUORUM: must be at most ${nodes}, the number of SOLANA_RPC_URLS`;
  // A node would agree with itself.
  if (new Set(urls.map((text) => new URL(text).href)).size < urls.length)
    yield 'SOLANA_RPC_URLS: lists the same node twice';
}

/** An attacker on the network path could change what a node says, or what a customer sees. */
function* plainTextUrls(values: Values): Generator<string> {
  const named = [
    ...values.SOLANA_RPC_URLS.map((text) => ['SOLANA_RPC_URLS', text, 'https'] as const),
    ['SOLANA_WS_URL', values.SOLANA_WS_URL, 'wss'] as const,
    ['PUBLIC_URL', values.PUBLIC_URL, 'https'] as const,
  ];
  for (const [name, text, wanted] of named) {
    if (text === undefined) continue;
    const { protocol, hostname } = new URL(text);
    if (protocol !== `${wanted}:` && !isLoopback(hostname))
      yield `${name}: must be ${wanted}:// on mainnet unless it is on this machine; FLORIN_ALLOW_HTTP=true allows it`;
  }
}
