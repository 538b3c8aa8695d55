import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestMember } from './members.ts';

type Row = Record<string, unknown>;

/** Presses the button and reads the file it saves. */
export async function downloadCsv(page: Page, index = 0): Promise<{ name: string; text: string }> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).nth(index).click();
  const saved = await saving;
  const chunks = await (await saved.createReadStream()).setEncoding('utf8').toArray();
  return { name: saved.suggestedFilename(), text: chunks.join('') };
}

/** Every row that the API has of a list, page after page. */
export async function readAllRows(member: TestMember, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  const all = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
  for (let cursor = ''; ; ) {
    const { status, body } = await member.call('GET', all + cursor);
    expect([path, status]).toEqual([path, 200]);
    rows.push(...body.data);
    if (!body.hasMore) return rows;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

/** The file says what the API says: each row in its order, each field in its column. */
export function expectSameRows(text: string, rows: readonly Row[]): void {
  const [titles, ...lines] = readCsv(text);
  expect(titles).toEqual(Object.keys(rows[0]!));
  expect(lines).toHaveLength(rows.length);
  const asRead = lines.map((cells, at) =>
    Object.fromEntries(titles!.map((title, column) => [title, valueIn(cells[column]!, rows[at]![title])])),
  );
  expect(asRead).toEqual(rows);
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
    if (end === '' && cells.length === 0) break;
    cells.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    lines.push(cells);
    cells = [];
  }
  return lines;
}
