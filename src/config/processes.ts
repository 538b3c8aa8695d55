import type { Values } from './settings.ts';

/** Connections that each of several processes has where none are configured: with eight of them, as many as a PostgreSQL of its size likes. */
const EACH = 4;

type Sized = Pick<Values, 'API_PROCESSES' | 'FLORIN_ROLES' | 'DATABASE_POOL_SIZE' | 'BACKUP_FOLDER'>;

/** True if this service is several processes, and the first one supervises them. */
export const isSupervised = ({ API_PROCESSES, FLORIN_ROLES }: Sized): boolean =>
  API_PROCESSES > 1 && FLORIN_ROLES.includes('api');

/** Returns how many processes do the work: those for requests, and one for the other roles. */
export function processesOf(values: Sized): number {
  if (!isSupervised(values)) return 1;
  return values.API_PROCESSES + (values.FLORIN_ROLES.some((role) => role !== 'api') ? 1 : 0);
}

/** Returns how many connections a scheduled backup has while it is made. */
export const backupConnectionsOf = ({ BACKUP_FOLDER, FLORIN_ROLES }: Sized): number =>
  BACKUP_FOLDER && FLORIN_ROLES.includes('worker') ? 2 : 0;

/**
 * Shares out the connections to the database. What is configured is never exceeded, not even while a reload has one process more than
 * usual.
 */
export function sharePool(values: Sized): { api: number; others: number } {
  const { DATABASE_POOL_SIZE: size } = values;
  const forBackups = backupConnectionsOf(values);
  if (size === undefined) return { api: EACH, others: EACH };
  const each = Math.floor((size - forBackups) / (processesOf(values) + 1));
  return { api: each, others: each + forBackups };
}

/** Shares out calls to Solana nodes: half are for following the chain, which is most of them. */
export function shareCalls({
  SOLANA_MAX_CALLS_PER_SECOND: all,
  ...values
}: Sized & Pick<Values, 'SOLANA_MAX_CALLS_PER_SECOND'>): { api: number; others: number } {
  const others = processesOf(values) > values.API_PROCESSES ? Math.ceil(all / 2) : 0;
  return { api: Math.max(1, Math.floor((all - others) / values.API_PROCESSES)), others };
}
