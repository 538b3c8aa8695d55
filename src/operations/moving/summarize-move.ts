import { type TableSums, totalOf } from '../table-file/format.ts';
import type { ExportHeader, MoveSummary } from './export-file.ts';

export function summarizeMove(header: ExportHeader, sums: readonly TableSums[]): MoveSummary {
  const { merchant, schema, network, createdAt } = header;
  return {
    ...{ merchantId: merchant.id, name: merchant.name, schema, network, createdAt },
    ...totalOf(sums),
  };
}
