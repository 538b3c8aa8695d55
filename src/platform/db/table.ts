import assert from 'node:assert/strict';
import { type Json, parseJson, stringifyJson } from '../lib/json.ts';
import { columnNameOf } from './column-names.ts';
import type { Column } from './columns.ts';
import type { Queryable } from './database.ts';

type Columns = Readonly<Record<string, Column>>;

type ValueOf<C> = C extends Column<infer Value> ? Value : never;
type Filled<C extends Columns, How> = {
  [Field in keyof C]: C[Field]['filling'] extends How ? Field : never;
}[keyof C];

type Row<C extends Columns> = { [Field in keyof C]: ValueOf<C[Field]> };
type NewRow<C extends Columns> = { [Field in Filled<C, 'given'>]: ValueOf<C[Field]> } & {
  [Field in Filled<C, 'default'>]?: ValueOf<C[Field]> | undefined;
};
/** Fields that name one row. */
type KeyOf<C extends Columns, Key extends keyof C> = { [Field in Key]: ValueOf<C[Field]> };
/** Values to look for; a missing value is written by hand, as `is null`. */
type Where<C extends Columns> = { [Field in keyof C]?: NonNullable<ValueOf<C[Field]>> };

/** Row as it is read. */
export type RowOf<T> = T extends Table<infer C, string> ? Row<C> : never;
/** Row as it is inserted: what the database fills in may be left out. */
export type NewRowOf<T> = T extends Table<infer C, string> ? NewRow<C> : never;

/** All declared tables, for the test that compares them with the database. */
export const declaredTables = new Map<string, Table<Columns, string>>();

/**
 * Declares a table once: row types, column lists and plain statements follow. `key` names one row. A column that no code
 * reads or writes may be left out.
 */
export function table<C extends Columns, Key extends keyof C & string>(
  name: string,
  columns: C,
  key: readonly Key[],
): Table<C, Key> {
  const declared = new Table(name, columns, key);
  declaredTables.set(name, declared as never);
  return declared;
}

export class Table<C extends Columns, Key extends keyof C & string> {
  readonly name: string;
  readonly declared: C;
  readonly key: readonly Key[];
  readonly #names: ReadonlyMap<string, string>;
  /** Statements made so far, one for each set of fields. */
  readonly #texts = new Map<string, string>();

  constructor(name: string, declared: C, key: readonly Key[]) {
    this.name = name;
    this.declared = declared;
    this.key = key;
    this.#names = new Map(Object.keys(declared).map((field) => [field, columnNameOf(field)]));
  }

  /** List of columns to select, all of them unless fields are named. */
  columns(alias = '', fields: readonly (keyof C & string)[] = Object.keys(this.declared)): string {
    const prefix = alias && `${alias}.`;
    return fields
      .map((field) => {
        const name = this.#names.get(field)!;
        const { readAs } = this.declared[field]!;
        if (readAs === 'hex') return `encode(${prefix}${name}, 'hex') as ${name}`;
        return readAs ? `${prefix}${name}::${readAs} as ${name}` : `${prefix}${name}`;
      })
      .join(', ');
  }

  /** Finds one row by these fields; `tail` may lock it. */
  async find(db: Queryable, where: Where<C>, tail = ''): Promise<Row<C> | undefined> {
    return (await this.list(db, where, tail))[0];
  }

  /** Lists the rows that have these values. */
  list(db: Queryable, where: Where<C>, tail = ''): Promise<Row<C>[]> {
    const fields = this.#fieldsOf(where);
    const text = this.#text(`list ${fields} ${tail}`, () => {
      const conditions = this.#equal(fields, 1, ' and ');
      return `select ${this.columns()} from ${this.name} where ${conditions} ${tail}`;
    });
    return db.query<Row<C>>(text, this.#values(fields, where));
  }

  /** Locks one row against other changes. */
  lock(tx: Queryable, where: Where<C>): Promise<Row<C> | undefined> {
    return this.find(tx, where, 'for no key update');
  }

  /** Inserts one row or many in one statement; `tail` may say what happens on a conflict, or what is returned. */
  async insert<Returned = unknown>(
    tx: Queryable,
    rows: NewRow<C> | readonly NewRow<C>[],
    tail = '',
  ): Promise<Returned[]> {
    if (!Array.isArray(rows)) return this.#insertOne(tx, rows as NewRow<C>, tail);
    if (rows.length === 0) return [];
    if (rows.length === 1) return this.#insertOne(tx, rows[0], tail);
    const fields = this.#fieldsOf(rows[0]);
    const text = this.#text(`insert many ${fields} ${tail}`, () => {
      const names = this.#listOf(fields);
      return `insert into ${this.name} (${names})
              select ${names} from json_populate_recordset(null::${this.name}, $1::json) ${tail}`;
    });
    const isAlike = (row: NewRow<C>) => this.#fieldsOf(row).length === fields.length;
    assert(rows.every(isAlike), 'rows of one insert have the same fields');
    const objects = rows.map((row) =>
      Object.fromEntries(
        fields.map((field) => [this.#names.get(field)!, toJson(row[field], this.declared[field]!)]),
      ),
    );
    return tx.query<Returned>(text, [stringifyJson(objects)]);
  }

  /** Changes the named fields of one row. */
  async update(tx: Queryable, ref: KeyOf<C, Key>, changes: Partial<Row<C>>): Promise<void> {
    const fields = this.#fieldsOf(changes).filter((field) => !this.key.includes(field as Key));
    if (fields.length === 0) return;
    const text = this.#text(`update ${fields}`, () => {
      const assignments = this.#equal(fields, this.key.length + 1, ', ');
      return `update ${this.name} set ${assignments} where ${this.#equal(this.key, 1, ' and ')}`;
    });
    await tx.query(text, [...this.#values(this.key, ref), ...this.#values(fields, changes)]);
  }

  /** Stores these fields of a row that was read, as it has them now. */
  store<Field extends keyof C & string>(
    tx: Queryable,
    row: KeyOf<C, Key> & Pick<Row<C>, Field>,
    fields: readonly Field[],
  ): Promise<void> {
    const changes = Object.fromEntries(fields.map((field) => [field, row[field]]));
    return this.update(tx, row, changes as unknown as Partial<Row<C>>);
  }

  async #insertOne<Returned>(tx: Queryable, row: NewRow<C>, tail: string): Promise<Returned[]> {
    const fields = this.#fieldsOf(row);
    const text = this.#text(`insert ${fields} ${tail}`, () => {
      const places = fields.map((_, at) => `$${at + 1}`).join(', ');
      return `insert into ${this.name} (${this.#listOf(fields)}) values (${places}) ${tail}`;
    });
    return tx.query<Returned>(text, this.#values(fields, row));
  }

  /** Fields that are columns here and have a value, in the order of the declaration. */
  #fieldsOf(row: object): string[] {
    return Object.keys(this.declared).filter(
      (field) => (row as Record<string, unknown>)[field] !== undefined,
    );
  }

  #listOf(fields: readonly string[]): string {
    return fields.map((field) => this.#names.get(field)!).join(', ');
  }

  #equal(fields: readonly string[], first: number, separator: string): string {
    return fields.map((field, at) => `${this.#names.get(field)!} = $${first + at}`).join(separator);
  }

  #values(fields: readonly string[], row: object): unknown[] {
    return fields.map((field) => toValue((row as Record<string, unknown>)[field], this.declared[field]!));
  }

  #text(id: string, write: () => string): string {
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const text = write();
    this.#texts.set(id, text);
    return text;
  }
}

/** Value of a statement. The driver would write an array as PostgreSQL's, so JSON is written here. */
function toValue(value: unknown, { type, readAs }: Column): unknown {
  if (readAs === 'hex' && typeof value === 'string') return `\\x${value}`;
  return type === 'jsonb' && readAs === undefined && value !== null ? stringifyJson(value as Json) : value;
}

/** Value as PostgreSQL reads it from JSON. */
function toJson(value: unknown, { type, readAs }: Column): Json {
  if (value === undefined || value === null) return null;
  if (readAs === 'hex') return `\\x${value}`;
  if (type === 'jsonb') return readAs === 'text' ? parseJson(value as string) : (value as Json);
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return value as Json;
}
