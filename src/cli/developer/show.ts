import { formatValue, isAmount, labelOf } from './format-value.ts';
import { type Colour, type Io, type Paint, painter, say } from './io.ts';
import { cutText, padText, textWidth } from './text-width.ts';

type Row = Record<string, unknown>;

/** The default width, for pipes and files. */
const USUAL_WIDTH = 120;
const CELL_WIDTH = 40;
const GAP = 2;

/** An answer for people: a list as a table, one thing as lines of name and value. */
export function show(io: Io, body: unknown, cursorFlag = 'cursor'): void {
  const page = body as { data?: unknown; hasMore?: boolean; nextCursor?: string | null };
  const rows = Array.isArray(body) ? body : Array.isArray(page.data) ? page.data : undefined;
  if (rows) showTable(io, rows as Row[]);
  else showRecord(io, body as Row);
  if (page.hasMore) say(io, painter(io, io.stdout)('dim', `More: --${cursorFlag} ${page.nextCursor}`));
}

/** Columns are left out from the least telling on until the table fits; ids are never cut. */
export function showTable(io: Io, rows: readonly Row[]): void {
  if (rows.length === 0) {
    say(io, 'Nothing found.');
    return;
  }
  const paint = painter(io, io.stdout);
  const columns = fitting(rows, io.stdout.columns || Number(io.env.COLUMNS) || USUAL_WIDTH);
  const isRight = (name: string) => rows.some((row) => isAmount(name, row[name]));
  const heading = columns.map(({ name, width }) => padText(headingOf(name), width, isRight(name)));
  say(io, paint('dim', heading.join(' '.repeat(GAP)).trimEnd()));
  rows.forEach((_, index) => {
    const cells = columns.map(({ name, width, cells }) => {
      const padded = padText(cells[index]!, width, isRight(name));
      return name === 'status'
        ? padded.replace(cells[index]!, (status) => paintStatus(paint, status))
        : padded;
    });
    say(io, cells.join(' '.repeat(GAP)).trimEnd());
  });
}

interface Column {
  name: string;
  width: number;
  cells: string[];
}

const headingOf = (name: string) => labelOf(name).toUpperCase();

function fitting(rows: readonly Row[], width: number): Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    isInformative(name, rows),
  );
  const columns = names.map((name): Column => {
    const cells = rows.map((row) => cellOf(name, row[name]));
    return { name, cells, width: Math.max(...cells.map(textWidth), headingOf(name).length) };
  });
  const kept = new Set<Column>();
  let used = -GAP;
  for (const column of [...columns].sort((one, other) => rankOf(one.name) - rankOf(other.name))) {
    if (kept.size > 0 && used + GAP + column.width > width) continue;
    kept.add(column);
    used += GAP + column.width;
  }
  return columns.filter((column) => kept.has(column));
}

/** Something in it, and something that fits in a cell. */
function isInformative(name: string, rows: readonly Row[]): boolean {
  return rows.some((row) => {
    const value = row[name];
    return value !== null && value !== undefined && (typeof value !== 'object' || isScalars(value));
  });
}

const isScalars = (value: object) =>
  Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object');

function cellOf(name: string, value: unknown): string {
  const text = formatValue(name, value, true);
  return /^(id|.*Id)$/.test(name) ? text : cutText(text, CELL_WIDTH);
}

const FIRST = ['id', 'number', 'event', 'status', 'name', 'email', 'kind', 'metric', 'quantity', 'date'];

/** The most informative columns first: what it is, its status, how much, when; whose it is comes last. */
function rankOf(name: string): number {
  const place = FIRST.indexOf(name);
  if (place >= 0) return place;
  if (/Cents$/.test(name)) return 20;
  if (name === 'createdAt') return 21;
  if (/Url$|Token$|^url$/.test(name)) return 50;
  return name === 'projectId' ? 40 : name.endsWith('Id') ? 31 : 30;
}

/** One thing, name and value aligned; what is inside it follows, lists as tables of their own. */
export function showRecord(io: Io, record: Row, indent = ''): void {
  const paint = painter(io, io.stdout);
  const lists: [string, Row[]][] = [];
  const entries = flatten(record).filter(([name, value]) => {
    if (!Array.isArray(value) || isScalars(value)) return true;
    lists.push([name, value as Row[]]);
    return false;
  });
  const width = Math.max(0, ...entries.map(([name]) => labelOf(name).length));
  for (const [name, value] of entries) {
    const text = formatValue(name.split('.').at(-1)!, value, false);
    const painted = name === 'status' ? paintStatus(paint, text) : text;
    say(io, `${indent}${paint('dim', padText(labelOf(name), width))}  ${painted}`);
  }
  for (const [name, rows] of lists) {
    say(io, `\n${paint('bold', labelOf(name))}`);
    showTable(io, rows);
  }
}

function flatten(record: Row, prefix = ''): [string, unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
      ? flatten(value as Row, `${prefix}${name}.`)
      : [[prefix + name, value]],
  );
}

const STATUS_COLOURS: Record<string, Colour> = {
  ...colours('green', ['succeeded', 'paid', 'active', 'trialing', 'complete', 'ok']),
  ...colours('red', ['failed', 'uncollectible', 'past_due']),
  ...colours('yellow', ['pending', 'processing', 'open', 'retrying', 'underpaid', 'incomplete']),
  ...colours('dim', ['expired', 'canceled', 'void', 'inactive', 'incomplete_expired']),
};

function colours(colour: Colour, statuses: string[]): Record<string, Colour> {
  return Object.fromEntries(statuses.map((status) => [status, colour]));
}

export function paintStatus(paint: Paint, status: string): string {
  const colour = STATUS_COLOURS[status];
  return colour ? paint(colour, status) : status;
}
