import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { folded } from './folded.ts';

const ROOT = join(import.meta.dirname, '../../..');

test('only A to Z are folded, whatever the locale would', async () => {
  const db = await testDatabase();
  const [row] = await db.query(
    `select ${folded(`'ANN@G\u0130THUB.\u212aelvin'`)} as ours, lower('İ' collate "pg_c_utf8") as locale`,
  );
  // The builtin locale of the C.UTF-8 databases takes one letter for the other.
  expect(row).toEqual({ ours: 'ann@g\u0130thub.\u212aelvin', locale: 'i' });
});

test('no statement and no index folds an address otherwise', async () => {
  const files = (await readdir(join(ROOT, 'src'), { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.'),
  );
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(ROOT, 'src', file), 'utf8');
    if (/lower\([^)]*e?mail/i.test(text.replace(/lower\(split_part[^\n]*/g, ''))) found.push(file);
  }
  const schema = await readFile(join(ROOT, 'migrations/schema.sql'), 'utf8');
  for (const line of schema.split('\n'))
    if (/lower\(.*email/.test(line) && !/lower\(\(?\w*email COLLATE "C"\)/.test(line)) found.push(line);
  expect(found).toEqual([]);
});
