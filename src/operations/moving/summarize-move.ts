import type { TableSums } from '../backup/format.ts';
import type { ExportHeader, MoveSummary } from './export-file.ts';

export function summarizeMove(header: ExportHeader, sums: readonly TableSums[]): MoveSummary {
  const { merchant, schema, network, createdAt } = header;
  const rows = sums.reduce((total, table) => total + table.rows, 0);
  const bytes = sums.reduce((total, table) => total + table.bytes, 0);
  return {
    ...{ merchantId: merchant.id, name: merchant.name, schema, network, createdAt },
    ...{ tables: sums.length, rows, bytes },
  };
}
