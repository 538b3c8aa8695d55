import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { KINDS, listTests } from './kinds.ts';

let root: string;
afterEach(() => rmSync(root, { recursive: true }));

test('what a test reaches says its kind, also through other files, and types do not count', () => {
  root = mkdtempSync(join(tmpdir(), 'kinds-'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('src/money.ts', "import { spawn } from 'node:child_process';");
  write('src/money.test.ts', "import { a } from './money.ts';\nimport type { B } from 'playwright-core';");
  write('src/row.test.ts', "import { b } from './db/database.ts';");
  write('test/support/service.ts', "import { b } from '../../src/db/database.ts';");
  write('test/support/shop.ts', "export { c } from './service.ts';");
  write('test/shop.test.ts', "import { c } from './support/shop.ts';");
  write('test/walk.test.ts', "import fc from 'fast-check';\nimport './support/shop.ts';");
  write('test/support/kill.ts', "import { d } from 'node:child_process';");
  write(
    'test/kill.test.ts',
    "import { e } from './support/service.ts';\nimport { d } from './support/kill.ts';",
  );
  write('test/interop/client.test.ts', "import { f } from './kill.ts';");
  write('test/page.test.ts', "const { chromium } = await import('./support/open.ts');");
  write('test/support/open.ts', "import { chromium } from 'playwright-core';\nimport './kill.ts';");
  write('test/node_modules/other.test.ts', '');
  expect(listTests(root)).toEqual({
    unit: ['src/money.test.ts'],
    service: ['src/row.test.ts', 'test/shop.test.ts'],
    random: ['test/walk.test.ts'],
    process: ['test/kill.test.ts'],
    interop: ['test/interop/client.test.ts'],
    browser: ['test/page.test.ts'],
  });
  expect(Object.keys(listTests(root))).toEqual([...KINDS]);
});
