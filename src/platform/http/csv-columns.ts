import { plainUsd } from '../lib/format.ts';
import { dateAt } from '../lib/local-days.ts';
import { csvCell } from './csv-cell.ts';

type Item = Record<string, unknown>;

/** The parts of a schema that decide how its value is written. */
interface Kind {
  type?: string | readonly string[];
  format?: string;
  properties?: Record<string, Kind>;
  items?: Kind;
  anyOf?: readonly Kind[];
}

export interface Column {
  title: string;
  cell(item: Item): string;
}

/** In the order in which a bookkeeper reads a file: when, which document, who, what, and what only programs need last. */
const PLACES = ['created', 'number', 'customer', 'plain', 'flat', 'json', 'id'] as const;
type Place = (typeof PLACES)[number];

/**
 * The columns of a list as CSV. Each field of its JSON keeps its title. Beside it come the date of each time in a time zone, dollars for
 * each amount in cents, and one column for each field of an object inside it.
 */
export function csvColumns(
  view: { properties: object },
  { hasCustomer = false, timeZone = 'UTC' } = {},
): Column[] {
  const fields = Object.entries(view.properties as Record<string, Kind>);
  const placed = fields.flatMap(([name, kind]) => placedColumns(name, kind, timeZone));
  if (hasCustomer)
    for (const name of ['name', 'email']) placed.push(['customer', column(['customer', name])]);
  const hasMoney = fields.some(([name, kind]) => isMoney(name, kind));
  if (hasMoney && !('currency' in view.properties))
    placed.push(['plain', { title: 'currency', cell: (item) => csvCell(currencyOf(item)) }]);
  return PLACES.flatMap((place) => placed.filter(([at]) => at === place).map(([, column]) => column));
}

export function csvHead(columns: readonly Column[]): string {
  return `${columns.map(({ title }) => title).join(',')}\r\n`;
}

export function csvLine(item: object, columns: readonly Column[]): string {
  return `${columns.map(({ cell }) => cell(item as Item)).join(',')}\r\n`;
}

function placedColumns(name: string, kind: Kind, timeZone: string): [Place, Column][] {
  const own = column([name]);
  const { properties } = withoutNull(kind);
  if (properties) {
    const inside = flatColumns([name], properties, timeZone);
    return [
      ...inside.map(({ isId, ...flat }): [Place, Column] => [isId ? 'id' : 'flat', flat]),
      ['json', own],
    ];
  }
  if (kind.format === 'uuid') return [['id', own]];
  if (name === 'createdAt' || name === 'number') {
    const place = name === 'number' ? name : 'created';
    return valueColumns([name], kind, timeZone).map((each) => [place, each]);
  }
  if (isType(kind, 'array') || isType(kind, 'object')) return [['json', own]];
  return valueColumns([name], kind, timeZone).map((each) => ['plain', each]);
}

/** One column for each value inside an object, however deep. */
function flatColumns(
  path: readonly string[],
  fields: Record<string, Kind>,
  timeZone: string,
): (Column & { isId: boolean })[] {
  return Object.entries(fields).flatMap(([name, kind]) => {
    const inner = [...path, name];
    const { properties, items } = withoutNull(kind);
    if (properties) return flatColumns(inner, properties, timeZone);
    const isId = kind.format === 'uuid';
    const columns = items ? [listColumn(inner)] : valueColumns(inner, kind, timeZone);
    return columns.map((each) => ({ ...each, isId }));
  });
}

function valueColumns(path: readonly string[], kind: Kind, timeZone: string): Column[] {
  const title = path.join('.');
  if (kind.format === 'date-time')
    return [
      column(path),
      {
        title: `${title.replace(/At$/, '')}Date`,
        cell: (item) => csvCell(dayOf(valueAt(item, path), timeZone)),
      },
    ];
  if (isMoney(title, kind))
    return [
      { title: title.replace(/Cents$/, 'Usd'), cell: (item) => usdCell(item, valueAt(item, path)) },
      column(path),
    ];
  return [column(path)];
}

function column(path: readonly string[]): Column {
  return { title: path.join('.'), cell: (item) => csvCell(valueAt(item, path)) };
}

/** Plain values with commas between them; of objects with a value, such as tax ids, that value. */
function listColumn(path: readonly string[]): Column {
  const shown = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  const cell = (item: Item) => {
    const values = valueAt(item, path);
    if (!Array.isArray(values)) return '';
    const all = values.map(shown);
    return csvCell(all.some((each) => typeof each === 'object') ? values : all.join(', '));
  };
  return { title: path.join('.'), cell };
}

function valueAt(item: Item, path: readonly string[]): unknown {
  let value: unknown = item;
  for (const name of path) value = (value as Item | null | undefined)?.[name];
  return value;
}

function dayOf(value: unknown, timeZone: string): string | null {
  if (value instanceof Date) return dateAt(value, timeZone);
  return typeof value === 'string' ? dateAt(new Date(value), timeZone) : null;
}

/** Digits of ours, so a minus sign is no formula. Cents of another token are no dollars. */
function usdCell(item: Item, cents: unknown): string {
  if (cents === null || cents === undefined || currencyOf(item) === null) return '';
  return plainUsd(BigInt(cents as bigint | number | string));
}

function currencyOf({ currency = 'USD' }: Item): unknown {
  return currency;
}

function isMoney(title: string, kind: Kind): boolean {
  return title.endsWith('Cents') && isType(kind, 'integer');
}

function isType({ type }: Kind, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name));
}

function withoutNull(kind: Kind): Kind {
  return kind.anyOf?.find((each) => !isType(each, 'null')) ?? kind;
}
