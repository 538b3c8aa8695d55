import { type Progress, Sums, type TableSums } from './format.ts';
import type { Table } from './list-tables.ts';
import type { TableFileReader } from './table-file-reader.ts';

export type Line = Record<string, unknown>;

export interface TableLoading<T> {
  /** Finds the table that a line begins. */
  open(line: Line): T;
  /** Takes its rows, and returns how many arrived where they went; undefined where they go nowhere. */
  load(table: T, rows: AsyncIterable<Buffer>): Promise<number | undefined>;
  onProgress(progress: Progress): void;
}

/** Reads every table of a file and compares its sums; returns these, with the line behind the last table. */
export async function readTables<T extends Pick<Table, 'name'>>(
  reader: TableFileReader,
  { open, load, onProgress }: TableLoading<T>,
): Promise<{ loaded: TableSums[]; end: Line }> {
  const loaded: TableSums[] = [];
  let line = await reader.line();
  for (; 'table' in line; line = await reader.line()) {
    const table = open(line);
    const sums = new Sums(table.name, onProgress);
    const rowCount = await load(table, sums.through(reader.chunks()));
    loaded.push(checkSums(await reader.line(), sums.total(), rowCount, reader.noun));
  }
  if (line.tables !== loaded.length) throw new Error(`the ${reader.noun} lacks tables`);
  return { loaded, end: line };
}

/** The line behind a table's rows against what was read, and against how many rows arrived where they went. */
function checkSums(line: Line, total: TableSums, rowCount = total.rows, noun: string): TableSums {
  const wanted = line as unknown as TableSums;
  if (wanted.table !== total.table || wanted.bytes !== total.bytes || wanted.sha256 !== total.sha256) {
    throw new Error(`the ${noun} is damaged: ${total.table} holds other bytes than were written`);
  }
  if (wanted.rows !== rowCount) {
    throw new Error(`the ${noun} has ${wanted.rows} rows of ${total.table}, but ${rowCount} arrived`);
  }
  return total;
}

/** Tables that a file has to have, each once. Names from the file are only ever used when they are names of ours. */
export class WantedTables<T extends Table> {
  readonly #missing: Map<string, T>;
  readonly #noun: string;

  constructor(tables: readonly T[], noun: string) {
    this.#missing = new Map(tables.map((table) => [table.name, table]));
    this.#noun = noun;
  }

  take(name: string): T {
    const table = this.#missing.get(name);
    if (!table) throw new Error(`the ${this.#noun} has a table that does not belong here: ${name}`);
    this.#missing.delete(name);
    return table;
  }

  requireAll(): void {
    if (this.#missing.size > 0) throw new Error(`the ${this.#noun} lacks tables`);
  }
}
