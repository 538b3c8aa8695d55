import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { temporaryFolder } from './process.ts';

let folder: string;

/** States what the folder needs: a package beside it, which takes no network. */
function need(name: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'package.json'), `{"name":"${name}","version":"1.0.0"}`);
  const dependencies = { [name]: `file:${name}` };
  const packages = {
    '': { dependencies },
    [name]: { version: '1.0.0' },
    [`node_modules/${name}`]: { resolved: name, link: true },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  );
}

const isThere = (name: string) =>
  lstatSync(join(folder, 'node_modules', name), { throwIfNoEntry: false }) !== undefined;

/** Asks for the packages in a process of its own, and returns what that printed. */
async function ask(): Promise<string> {
  const program = `import { requirePackages } from '${join(import.meta.dirname, 'own-packages.ts')}';
    requirePackages(${JSON.stringify(folder)});`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  return stdout;
}

beforeEach(async () => {
  folder = await temporaryFolder(cleanUp);
  need('one');
});

test('packages are installed once, by the one that asks first, and the others wait', async () => {
  const printed = await Promise.all([ask(), ask(), ask()]);
  expect(isThere('one')).toBe(true);
  expect(
    printed.filter((text) => /Installing the packages of [\s\S]*Installed the packages of /.test(text)),
  ).toHaveLength(1);
  expect(printed.filter((text) => text === '')).toHaveLength(2);
  expect(await ask()).toBe('');
});

test('packages are installed again once the list has changed, and what it no longer names is gone', async () => {
  await ask();
  need('another');
  expect(await ask()).toContain('Installed');
  expect([isThere('one'), isThere('another')]).toEqual([false, true]);
});

test('packages of an installation that failed do not count as installed', async () => {
  const list = join(folder, 'package-lock.json');
  const wanted = readFileSync(list);
  need('another');
  writeFileSync(list, wanted);
  await expect(ask()).rejects.toThrow('in sync');
  need('another');
  expect(await ask()).toContain('Installed');
  rmSync(join(folder, 'node_modules'), { recursive: true });
  expect(await ask()).toContain('Installed');
});
