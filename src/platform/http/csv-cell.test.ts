import { expect, test } from 'vitest';
import { csvCell } from './csv-cell.ts';

test('numbers, dates and flags of ours stay what they are', () => {
  const values = [-5, -5n, 9223372036854775807n, true, new Date(0), null, undefined, 'plain', 'a-b=c@d+e'];
  expect(values.map(csvCell)).toEqual([
    ...['-5', '-5', '9223372036854775807', 'true', '1970-01-01T00:00:00.000Z', '', '', 'plain', 'a-b=c@d+e'],
  ]);
});

test('commas, quotes and line ends are inside quotes, quotes doubled', () => {
  expect(['a,b', 'a"b', 'a\r\nb', 'a;b', 'a\tb'].map(csvCell)).toEqual([
    ...['"a,b"', '"a""b"', '"a\r\nb"', '"a;b"', '"a\tb"'],
  ]);
});

const TRIGGERS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/** Cells as spreadsheets find them that split at the comma, or at the semicolon, the tab or any of them. */
const SPLITS: [name: string, separators: string][] = [
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
  ['all', ',;\t'],
];

/** A generous reader: quotes count at the start of a cell, and what it would show is freed of blanks and quotes. */
function cellsOf(line: string, separators: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let isStart = true;
  for (const [at, character] of [...line].entries()) {
    if (isQuoted) {
      if (character === '"' && line[at + 1] !== '"') isQuoted = false;
      else cell += character;
    } else if (character === '"' && isStart) {
      isQuoted = true;
      isStart = false;
    } else if (separators.includes(character) || character === '\r' || character === '\n') {
      cells.push(cell);
      cell = '';
      isStart = true;
    } else {
      cell += character;
      isStart = false;
    }
  }
  return [...cells, cell];
}

const BEFORE = [
  '',
  ' ',
  '\u00a0',
  '\u3000',
  '\u200b',
  '"',
  '""',
  ' "',
  '\t',
  '\r',
  '\n',
  ';',
  'a;',
  'a; ',
  'a\t',
  'a\n',
];

test.each(TRIGGERS)('%s starts no cell, wherever it is and however the file is split', (trigger) => {
  for (const before of [...BEFORE, 'a;"', 'a;""', 'a\r\n"', 'a;\t', 'a\n;', ',', 'x,']) {
    for (const value of [`${before}${trigger}1+1`, `${before}${trigger}cmd|' /C calc'!A0`]) {
      const line = `019b76da,${csvCell(value)},7`;
      for (const [name, separators] of SPLITS)
        for (const cell of cellsOf(line, separators)) {
          const start = cell.replace(/^[\s"\u200b]+/, '')[0] ?? '';
          expect([name, value, line, TRIGGERS.includes(start)]).toEqual([name, value, line, false]);
        }
    }
  }
});

test('text inside an object is neutralised too, and the object can still be read', () => {
  const cell = csvCell({ note: 'a;=1+1', plain: '=1', n: -1 });
  expect(cell).toContain("a;'=1+1");
  expect(JSON.parse(cell.slice(1, -1).replaceAll('""', '"'))).toEqual({
    note: "a;'=1+1",
    plain: '=1',
    n: -1,
  });
});

test('100,000 separators are read once', () => {
  expect(csvCell(';'.repeat(100_000))).toBe(`"${';'.repeat(100_000)}"`);
  expect(csvCell(' '.repeat(100_000))).toBe(`"${' '.repeat(100_000)}"`);
});
