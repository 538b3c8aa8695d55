import { join } from 'node:path';
import { USDC_MINTS } from '../chain/solana/network.ts';
import type { Collector } from '../platform/traces/post-spans.ts';
import { listMisnamed } from './misnamed-settings.ts';
import { contradictions } from './setting-contradictions.ts';
import { settings, type Values } from './settings.ts';

export interface Config extends Values {
  environment: 'mainnet' | 'devnet';
  /** A sentence on each variable that looks like a setting and is none. */
  misnamed: readonly string[];
}

/** The token that counts as money here. */
export function mintOf(config: Config): string {
  return config.USDC_MINT ?? USDC_MINTS[config.FLORIN_NETWORK];
}

/** File in which a process remembers how far the database was. */
export function markFileOf({ DATABASE_MARK_FILE, FLORIN_DATA }: Config): string {
  return DATABASE_MARK_FILE ?? join(FLORIN_DATA, 'database-mark.json');
}

/** Returns the number of nodes that must agree before a payment counts as final. */
export function quorumOf({ SOLANA_RPC_QUORUM, SOLANA_RPC_URLS }: Config): number {
  return SOLANA_RPC_QUORUM ?? (SOLANA_RPC_URLS.length > 1 ? 2 : 1);
}

/** Returns how many connections to the database this process may have. */
export const poolSizeOf = ({ DATABASE_POOL_SIZE }: Config): number => DATABASE_POOL_SIZE ?? POOL_SIZE;

const POOL_SIZE = 8;

/** Collector of traces; absent where none is set. */
export function collectorOf(config: Config): Collector | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  return base === undefined ? undefined : { url: `${base}/v1/traces`, headers };
}

/** True if this process answers requests. */
export const hasApi = ({ FLORIN_ROLES: roles }: Config) => roles.includes('api');

export class ConfigError extends Error {}

/** Reads and checks everything, so that a failed start lists every mistake. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const network = env.FLORIN_NETWORK || settings.FLORIN_NETWORK.default;
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, { default: fallback, parse }]) => {
      try {
        return [name, parse(env[name] || defaultFor(fallback, network))];
      } catch (error) {
        problems.push(`${name}: ${(error as Error).message}`);
        return [name, undefined];
      }
    }),
  ) as Values;
  if (problems.length === 0) problems.push(...contradictions(values));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const environment = values.FLORIN_NETWORK === 'mainnet' ? 'mainnet' : 'devnet';
  return { ...values, environment, misnamed: listMisnamed(env) };
}

/** `100 (sandbox: 0)` is 100, and 0 in the sandbox. */
function defaultFor(fallback: string, network: string): string {
  const match = /^(\S+) \(sandbox: (\S+)\)$/.exec(fallback);
  if (!match) return fallback;
  return network === 'sandbox' ? match[2]! : match[1]!;
}
