import pg from 'pg';
import type { Queryable } from '../../platform/db/database.ts';
import { sqlState } from '../../platform/db/database-errors.ts';
import { addDays } from '../../platform/lib/clock.ts';
import type { MovedTable } from './moved-tables.ts';
import { type Column, findForeignId, findLatest, findOdd, listColumns, type Odd } from './value-queries.ts';

export interface Contents {
  tables: readonly MovedTable[];
  merchantId: string;
  mint: string;
  now: Date;
}

/**
 * Refuses values that no service writes, by the types and names of columns: so it is of columns that are still to come,
 * too.
 */
export async function checkValues(tx: Queryable, { tables, merchantId, now }: Contents): Promise<void> {
  const latest = await findLatest(tx, now);
  const columns = Map.groupBy(await listColumns(tx, tables), ({ table }) => table);
  for (const table of tables) {
    const odds = columns.get(table.name)!.flatMap((column) => oddsOf(column, latest));
    const odd = await findOdd(tx, table, merchantId, odds).catch((error: unknown) => {
      if (sqlState(error) !== INVALID_TEXT) throw error;
      throw oddValue(table.name, 'one of its texts', 'no JSON');
    });
    if (odd) throw oddValue(table.name, odd.column, odd.what);
  }
}

const INVALID_TEXT = '22P02';

/** Refuses rows that others here would be taken for. */
export async function checkIds(tx: Queryable, { tables, merchantId }: Contents): Promise<void> {
  const table = await findForeignId(tx, tables, merchantId);
  if (table)
    throw new Error(
      `another merchant of this installation has an id that is in ${table}: nothing was imported`,
    );
}

export function oddValue(table: string, column: string, what: string): Error {
  return new Error(`the export has a value in ${table} (${column}) that is ${what}: nothing was imported`);
}

function oddsOf(column: Column, latest: Date): Odd[] {
  const conditions = [
    ...oddNumbers(column, latest),
    ...oddDates(column, latest),
    ...oddTexts(column),
    ...oddJson(column),
  ];
  return column.isArray ? [...oddArray(column), ...conditions.map(ofElements)] : conditions;
}

const PLACEHOLDER = 'element';
const sqlOf = ({ name, isArray }: Column) => (isArray ? PLACEHOLDER : pg.escapeIdentifier(name));

/** True of any element. */
function ofElements({ column, condition, what }: Odd): Odd {
  const elements = `unnest(${pg.escapeIdentifier(column)}) as elements(${PLACEHOLDER})`;
  return { column, what, condition: `exists (select from ${elements} where ${condition})` };
}

function oddArray({ name }: Column): Odd[] {
  const value = pg.escapeIdentifier(name);
  const condition = `array_length(${value}, 2) is not null or array_lower(${value}, 1) <> 1 or array_position(${value}, null) is not null`;
  return [{ column: name, condition, what: 'no list, or one with a gap' }];
}

/** Numbers that people set, or that follow from those: anything that an API takes. */
const AMOUNT = /(^|_)(cents|credits|credit_amount|quantity|limit)$/;
/** Sums of many payments, each of which fits into 64 bits. */
const MAX_SUMMED = 10n ** 30n;
/** As far as every part of a service can count. */
const MAX = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_SMALL = 1_000_000_000n;
/** Counters of 32 bits, which only go up from zero or one. */
const COUNTED = /(^|_)(sequence|count|attempts|generation|failures|index|sent|reminded|number)$/;
/** Numbers that never are below zero. */
const PLACE = /(^|_)(slot|position|number|sequence|ordinal|settled_through)$/;
const SLOT = /(^|_)slot$/;
const FIRST_SLOT_MS = Date.UTC(2020, 0, 1);
/** Four times as fast as the chain is. */
const SHORTEST_SLOT_MS = 100;

function oddNumbers(column: Column, latest: Date): Odd[] {
  const range = rangeOf(column, latest);
  if (!range) return [];
  const condition = `${sqlOf(column)} not between ${range[0]} and ${range[1]}`;
  return [{ column: column.name, condition, what: 'no number that it can be' }];
}

/** The least and the most. NaN is more than every other number. */
function rangeOf({ name, type }: Column, latest: Date): [bigint, bigint] | undefined {
  const least = (most: bigint) => (PLACE.test(name) ? 0n : -most);
  if (SLOT.test(name)) return [0n, BigInt(Math.ceil((latest.getTime() - FIRST_SLOT_MS) / SHORTEST_SLOT_MS))];
  if (type === 'numeric') return [-MAX_SUMMED, MAX_SUMMED];
  if (type === 'int8' && !AMOUNT.test(name)) return [least(MAX), MAX];
  if (type === 'int4' && COUNTED.test(name)) return [least(MAX_SMALL), MAX_SMALL];
  return undefined;
}

/** Columns for what is still to come. All others say when something was. */
const FUTURE =
  /(^|_)(until|due_at|start|end|starts_at|ends_at|expires_at|anchor_at|check_at|claim_at|retry_at|summary_at|takes_effect_at|paid_through|next_[a-z]+_at)$/;
const EARLIEST = '2000-01-01T00:00:00Z';
const LAST = '2100-01-01T00:00:00Z';

/** Jobs count from dates to now, and from now to dates. */
function oddDates(column: Column, latest: Date): Odd[] {
  if (column.type !== 'timestamptz' && column.type !== 'date') return [];
  const { name } = column;
  const value = sqlOf(column);
  const isOdd = (last: string) => `${value} not between '${EARLIEST}' and '${last}'`;
  const odds = [{ column: name, condition: isOdd(LAST), what: 'a date before 2000 or after 2100' }];
  if (FUTURE.test(name)) return odds;
  const last = addDays(latest, 1).toISOString();
  return [
    ...odds,
    { column: name, condition: isOdd(last), what: 'in the future, and says when something was' },
  ];
}

/** That a text has exactly 32 or 64 bytes is asked where it is sent to a node with others. */
const ADDRESS =
  /^(destination|destination_address|reference_address|payer_address|payout_address|from_address)$/;
const ADDRESS_TABLES = ['payout_addresses', 'payout_challenges', 'payout_changes', 'refunds'];
const SIGNATURE = /(^|_)signature$/;
const ADDRESS_FORM = '^[1-9A-HJ-NP-Za-km-z]{32,44}$';
const SIGNATURE_FORM = '^[1-9A-HJ-NP-Za-km-z]{64,88}$';

function oddTexts(column: Column): Odd[] {
  const { table, name } = column;
  const unlike = (form: string, what: string) => [
    { column: name, condition: `${sqlOf(column)}::text !~ '${form}'`, what },
  ];
  if (ADDRESS.test(name) || (name === 'address' && ADDRESS_TABLES.includes(table)))
    return unlike(ADDRESS_FORM, 'no address');
  if (SIGNATURE.test(name)) return unlike(SIGNATURE_FORM, 'no signature');
  if (URL_NAME.test(name)) return unlike('^https?://[^[:cntrl:]]+$', 'no URL of a page');
  return EMAIL_NAME.test(name) ? unlike('^[^[:cntrl:]]+$', 'no e-mail address') : [];
}

const URL_NAME = /(^|_)url$/;
const EMAIL_NAME = /(^|_)email$/;

const LISTS = /^(tax_ids|lines|shares|waived_shares|attempts)$/;
/** Parts of an address, and tax ids, are printed as they are. */
const NOT_TEXTS = `'$.* ? (@.type() != "string" && @.type() != "null")'`;
const NO_TAX_ID = `'$[*] ? (!(@."type".type() == "string") || !(@."value".type() == "string"))'`;

function oddJson({ table, name, type }: Column): Odd[] {
  const value = pg.escapeIdentifier(name);
  const odd = (condition: string) => [{ column: name, condition, what: 'not what is stored there' }];
  if (table === 'events' && name === 'body')
    return odd(`json_typeof(${value}::json) is distinct from 'object'`);
  if (type !== 'jsonb') return [];
  const isOther = LISTS.test(name)
    ? `jsonb_typeof(${value}) <> 'array'`
    : `jsonb_typeof(${value}) not in ('object', 'null')`;
  if (name === 'address') return odd(`${isOther} or jsonb_path_exists(${value}, ${NOT_TEXTS})`);
  return odd(name === 'tax_ids' ? `${isOther} or jsonb_path_exists(${value}, ${NO_TAX_ID})` : isOther);
}
