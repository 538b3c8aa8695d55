import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestMember } from './members.ts';

type Row = Record<string, unknown>;

/** Presses the button and reads the file it saves. */
export async function downloadCsv(page: Page, label = 'CSV'): Promise<{ name: string; text: string }> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: label, exact: true }).click();
  const saved = await saving;
  const chunks = await (await saved.createReadStream()).setEncoding('utf8').toArray();
  return { name: saved.suggestedFilename(), text: chunks.join('') };
}

/** Every row that the API has of a list, page after page; a report comes whole. */
export async function readAllRows(member: TestMember, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  if (path.startsWith('/api/v2/tax-report')) return (await member.call('GET', path)).body.rows;
  const all = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
  for (let cursor = ''; ; ) {
    const { status, body } = await member.call('GET', all + cursor);
    expect([path, status]).toEqual([path, 200]);
    rows.push(...body.data);
    if (!body.hasMore) return rows;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

/** The file says what the API says: each row in its order, each field in its column. Times and amounts also have a readable one. */
export function expectSameRows(text: string, rows: readonly Row[]): void {
  const lines = csvRows(text);
  const titles = Object.keys(rows[0]!);
  expect(lines).toHaveLength(rows.length);
  const asRead = lines.map((line, at) =>
    Object.fromEntries(titles.map((title) => [title, valueIn(line[title]!, rows[at]![title])])),
  );
  expect(asRead).toEqual(rows);
  for (const [at, line] of lines.entries())
    for (const [title, value] of Object.entries(rows[at]!)) {
      if (title.endsWith('At'))
        expect(line[title.replace(/At$/, 'Date')]).toBe(((value as string | null) ?? '').slice(0, 10));
      if (title.endsWith('Cents') && line.currency === 'USD')
        expect(line[title.replace(/Cents$/, 'Usd')]).toBe(
          value === null ? '' : (Number(value) / 100).toFixed(2),
        );
    }
}

/** Each line of a CSV file, by the titles of its columns. */
export function csvRows(text: string): Record<string, string>[] {
  const [titles, ...lines] = readCsv(text);
  expect(new Set(titles).size).toBe(titles!.length);
  return lines.map((cells) => {
    expect(cells).toHaveLength(titles!.length);
    return Object.fromEntries(titles!.map((title, at) => [title, cells[at]!]));
  });
}

/** A cell as the kind of value that its column has in JSON. */
function valueIn(cell: string, like: unknown): unknown {
  if (cell === '') return null;
  if (typeof like === 'number') return Number(cell);
  if (typeof like === 'boolean') return cell === 'true';
  if (typeof like === 'object') return JSON.parse(cell);
  return cell.replace(/^'(?=[=+\-@＝＋－＠\s"'])/, '');
}

/** Lines of cells; a quoted cell may hold commas, line ends and, doubled, quotes. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  for (const [, quoted, plain, end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (end === '' && cells.length === 0 && !quoted && !plain) break;
    cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(cells);
    cells = [];
  }
  return lines;
}
