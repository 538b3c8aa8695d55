import { type TableSums, totalOf } from '../table-file/format.ts';

export interface BackupHeader {
  format: 'florin-backup';
  version: 1;
  /** How many migrations the database had. */
  schema: number;
  /** Name of the first migration: a backup that begins with another is refused. */
  firstMigration: string;
  createdAt: string;
  network: string | null;
}

export interface BackupEnd {
  tables: number;
  /** The last value of each sequence that was used. */
  sequences: Record<string, string>;
}

/** Totals of a backup or a restore, for people. */
export interface BackupSummary {
  schema: number;
  createdAt: string;
  network: string | null;
  tables: number;
  rows: number;
  bytes: number;
}

export function summarize({ schema, createdAt, network }: BackupHeader, sums: TableSums[]): BackupSummary {
  return { schema, createdAt, network, ...totalOf(sums) };
}
