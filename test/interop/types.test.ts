import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { requirePackages } from '../support/own-packages.ts';

const root = join(import.meta.dirname, '../..');

test('the types agree with those of the packages: `npm run check` leaves out what needs them', async () => {
  requirePackages(join(root, 'examples/paid-api'));
  const tsc = promisify(execFile)('node_modules/.bin/tsc', ['--noEmit', '-p', import.meta.dirname], {
    cwd: root,
  });
  const complaints = await tsc.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(complaints).toBe('');
});
