import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryLog, openLedgerLog } from './ledger-log.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-log-'));
  file = join(folder, 'ledger.log');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open() {
  const texts: string[] = [];
  return { log: openLedgerLog(folder, ({ text }) => void texts.push(text)), texts };
}

async function write(...records: string[]) {
  const { log } = open();
  for (const record of records) log.append(record);
  await log.close();
}

test('what was written is read back, in order, and found by its place', async () => {
  const records = ['{"a":1}', '{"text":"grüße ✓"}', `{"long":"${'x'.repeat(100_000)}"}`];
  const { log } = open();
  const places = records.map((record) => log.append(record));
  expect(places.map((place) => log.read(place))).toEqual(records);
  await log.synced();
  await log.close();
  const found: string[] = [];
  const again = openLedgerLog(folder, ({ text, place }) => found.push(text, `${place.offset}`));
  expect(found.filter((_, i) => i % 2 === 0)).toEqual(records);
  expect(places.map(({ offset }) => `${offset}`)).toEqual(found.filter((_, i) => i % 2 === 1));
  expect(places.map((place) => again.read(place))).toEqual(records);
  await again.close();
});

test('cut off at any byte, the complete records before it are kept and writing continues', async () => {
  await write('{"a":1}', '{"b":2}', '{"c":3}');
  const whole = readFileSync(file);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1);
  for (let length = 0; length <= whole.length; length++) {
    writeFileSync(file, whole.subarray(0, length));
    const { log, texts } = open();
    expect(texts).toHaveLength(ends.filter((end) => end <= length).length);
    log.append('{"d":4}');
    await log.close();
    const after = open();
    expect(after.texts).toEqual([...texts, '{"d":4}']);
    await after.log.close();
  }
});

test('a garbled tail is dropped, a garbled middle is not passed over', async () => {
  await write('{"a":1}', '{"b":2}');
  const whole = readFileSync(file, 'utf8');
  appendFileSync(file, 'garbage\nand more\n');
  const { log, texts } = open();
  expect(texts).toEqual(['{"a":1}', '{"b":2}']);
  await log.close();
  expect(readFileSync(file, 'utf8')).toBe(whole);
  writeFileSync(file, whole.replace('"a"', '"z"'));
  expect(() => open()).toThrow(/damaged/);
});

test('a second writer is noticed before anything is written', async () => {
  const { log } = open();
  log.append('{"a":1}');
  const { log: rival } = open();
  rival.append('{"b":2}');
  expect(() => log.append('{"c":3}')).toThrow(/another process/);
  truncateSync(file);
  expect(() => rival.append('{"c":3}')).toThrow(/another process/);
  await Promise.all([log.close(), rival.close()]);
});

test('the log in memory does the same without a disk', () => {
  const log = memoryLog();
  const places = ['{"a":1}', '{"b":2}'].map((record) => log.append(record));
  expect(places.map((place) => log.read(place))).toEqual(['{"a":1}', '{"b":2}']);
});
