import type { BaseUnits, Cents } from '../lib/money.ts';

/** What an insert may leave out: nothing, what the database fills in, or what only the database writes. */
export type Filling = 'given' | 'default' | 'generated';

/** Column of a table: its type in PostgreSQL and, as `Value`, what a row has there. */
export interface Column<Value = unknown, Filled extends Filling = Filling> {
  readonly type: string;
  readonly isNullable: boolean;
  readonly filling: Filled;
  /** What a `check` constraint of the column allows, if it lists its values. */
  readonly values?: readonly Value[];
  /** Cast for reading, where the driver's own form would lose something. */
  readonly readAs?: 'text' | 'hex';
  /** For the compiler only. */
  readonly value?: Value;
}

const column = <Value>(type: string, more: Partial<Column<Value>> = {}): Column<Value, 'given'> => ({
  type,
  isNullable: false,
  ...more,
  filling: 'given',
});

export const uuid = column<string>('uuid');
export const text = column<string>('text');
export const boolean = column<boolean>('boolean');
export const smallint = column<number>('smallint');
export const integer = column<number>('integer');
export const bigint = column<bigint>('bigint');
export const numeric = column<bigint>('numeric');
export const timestamp = column<Date>('timestamp with time zone');
/** Day of a calendar, such as `2027-09-05`. */
export const date = column<string>('date', { readAs: 'text' });
export const bytes = column<Buffer>('bytea');
/** Hash of a secret, in hex. */
export const hexHash = column<string>('bytea', { readAs: 'hex' });
/** Money in cents; another currency would stand beside it. */
export const cents = column<Cents>('bigint');
/** Money in the token's smallest unit. */
export const baseUnits = column<BaseUnits>('bigint');

/** JSON that the driver reads, so without integers past 2^53. */
export const json = <Value>() => column<Value>('jsonb');
/** JSON as text, for what is read without losing digits. */
export const jsonText = column<string>('jsonb', { readAs: 'text' });

/** One of these texts; the column has a `check` constraint with the same. */
export const oneOf = <Value extends string>(values: readonly Value[]) => column<Value>('text', { values });
/** Text or number of a narrower type that the schema does not list. */
export const as = <Value>({ type }: Column) => column<Value>(type);

export const arrayOf = <Value>({ type }: Column<Value>) => column<Value[]>(`${type}[]`);

export const nullable = <Value>(of: Column<Value>): Column<Value | null, 'default'> => ({
  ...(of as Column<Value | null>),
  isNullable: true,
  filling: 'default',
});
export const withDefault = <Value>(of: Column<Value>): Column<Value, 'default'> => ({
  ...of,
  filling: 'default',
});
export const generated = <Value>(of: Column<Value>): Column<Value, 'generated'> => ({
  ...of,
  filling: 'generated',
});
