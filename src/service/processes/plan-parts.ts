import type { Config } from '../../config/config.ts';
import { shareCalls, sharePool } from '../../config/processes.ts';

/** One of the processes of a service. */
export interface PlannedPart {
  /** Its name in logs, metrics and the list of processes. */
  name: string;
  /** It listens on the port of the service, together with others. */
  isApi: boolean;
  /** Settings in which it differs from the service. */
  env: Record<string, string>;
}

/**
 * The processes of a service, the first to be started first. What is configured for the whole service is shared out among them:
 * connections to the database and calls to nodes.
 */
export function planParts(config: Config, port: number): PlannedPart[] {
  const [pool, calls] = [sharePool(config), shareCalls(config)];
  const others = config.FLORIN_ROLES.filter((role) => role !== 'api');
  const background: PlannedPart = {
    name: 'background',
    isApi: false,
    env: {
      API_PROCESSES: '1',
      FLORIN_ROLES: others.join(','),
      PORT: String(port),
      DATABASE_POOL_SIZE: String(pool.others),
      SOLANA_MAX_CALLS_PER_SECOND: String(calls.others),
      // Nobody sends it requests.
      STOP_GRACE_SECONDS: '0',
    },
  };
  const api = Array.from({ length: config.API_PROCESSES }, (_, i) => ({
    name: `api-${i + 1}`,
    isApi: true,
    env: {
      API_PROCESSES: '1',
      FLORIN_ROLES: 'api',
      PORT: String(port),
      DATABASE_POOL_SIZE: String(pool.api),
      SOLANA_MAX_CALLS_PER_SECOND: String(calls.api),
    },
  }));
  return others.length > 0 ? [background, ...api] : api;
}
