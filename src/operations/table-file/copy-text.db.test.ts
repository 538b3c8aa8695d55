import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { copyIn, copyOut } from './copy-rows.ts';
import { plainField, readField, splitFields, splitRows, writeField } from './copy-text.ts';

const db = await testDatabase();
await db.query('create table written (a text, b text)');

/** Every way to write a character, in every place where it could be taken for something else. */
const PARTS = [
  ...['\\N', '\\.', '\\\\', '\\\t', '\\\n', '\\n', '\\t', '\\r', '\\b', '\\f', '\\v', '\\0', '\\11', '\\134'],
  ...['\\x9', '\\x5c', '\\x5C', '\\xg', '\\x', '\\8', '\\q', 'N', '.', 'x', ' ', '"', 'ü', '7', ''],
].map((text) => Buffer.from(text).toString('latin1'));

/** Rows as PostgreSQL itself reads them from such a file; undefined where it refuses the file. */
async function readByPostgres(text: string): Promise<(string | null)[][] | undefined> {
  return db.withConnection(async (client) => {
    await client.query('begin');
    try {
      const table = { name: 'written', columns: ['a', 'b'] };
      await copyIn(client, table, Readable.from([Buffer.from(text, 'latin1')]));
      const { rows } = await client.query('select a, b from written');
      return rows.map(({ a, b }) => [a, b]);
    } catch {
      return undefined;
    } finally {
      await client.query('rollback');
    }
  });
}

const utf8 = (value: string | null) => value && Buffer.from(value, 'latin1').toString('utf8');

const readByUs = (text: string) => {
  const { rows, rest } = splitRows(text);
  expect(rest).toBe('');
  return rows.map((row) => splitFields(row).map((field) => utf8(readField(field))));
};

test('every field and row is read as PostgreSQL reads it, and written as COPY writes it', async () => {
  let compared = 0;
  for (const first of PARTS)
    for (const second of PARTS) {
      const text = `${first}${second}\t${second}${first}\nlast\t${first}\n`;
      const wanted = await readByPostgres(text);
      if (wanted === undefined || text.includes('\n\\.\n')) continue;
      compared++;
      expect([text, readByUs(text)]).toEqual([text, wanted]);
      const plain = splitRows(text)
        .rows.map((row) => `${splitFields(row).map(plainField).join('\t')}\n`)
        .join('');
      expect([text, await readByPostgres(plain)]).toEqual([text, wanted]);
      expect(readByUs(plain)).toEqual(wanted);
    }
  expect(compared).toBeGreaterThan(500);
});

test('a value is written as COPY writes it', async () => {
  const value = Array.from({ length: 127 }, (_, i) => String.fromCharCode(i + 1)).join('');
  await db.query('insert into written (b) values ($1), (null)', [value]);
  const copied = await db.withConnection((client) => buffer(Readable.from(copyOut(client, 'written (b)'))));
  expect(`${writeField(value)}\n${writeField(null)}\n`).toBe(copied.toString('latin1'));
});

test('what would end the data or a row in some readers is refused', () => {
  expect(() => splitFields('\\.')).toThrow('the data ends');
  expect(() => splitFields('a\r')).toThrow('carriage return');
});
