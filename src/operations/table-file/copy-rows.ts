import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { Table } from './list-tables.ts';

/**
 * Rows in COPY text format, of a table or of a query in brackets. A connection that is lost after the last row, and
 * before the server is done, fails the next statement: nobody reads this stream by then. One that was lost before the
 * first row ends it, or its reader would wait forever.
 */
export function copyOut(client: pg.PoolClient, source: string): AsyncIterable<Buffer> {
  const rows = client.query(copyTo(`copy ${source} to stdout`));
  return rows.on('error', (error) => rows.destroy(error));
}

/** A table with these columns, as COPY names them. */
export function sourceOf({ name, columns }: Table): string {
  return `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
}

/** Returns how many rows the server took. */
export async function copyIn(
  client: pg.PoolClient,
  table: Table,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  const target = client.query(copyFrom(`copy ${sourceOf(table)} from stdin`));
  await pipeline(chunks, target);
  return target.rowCount;
}
