import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { florin, temporaryFolder } from './support/process.ts';

const PASSPHRASE = 'correct horse battery staple';

test('from the command line: keygen, backup for a key and for a passphrase, verify, restore', async () => {
  const folder = await temporaryFolder(cleanUp);
  const at = (name: string) => join(folder, name);
  const env = { FLORIN_DATA: at('data') };
  const outputs: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await florin(args, env);
    outputs.push(ran.stdout, ran.stderr);
    return ran;
  };
  const made = await run('backup', 'keygen', at('id.txt'), '--json');
  const { publicKey } = JSON.parse(made.stdout);
  expect(publicKey).toMatch(/^age1[a-z0-9]{58}$/);
  const identity = await readFile(at('id.txt'), 'utf8');
  expect(identity).toMatch(/^# created: .*\n# public key: age1\w+\nAGE-SECRET-KEY-1\w+\n$/);
  expect((await stat(at('id.txt'))).mode & 0o777).toBe(0o600);
  const again = await run('backup', 'keygen', at('id.txt'));
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('id.txt already exists')]);
  expect(await readFile(at('id.txt'), 'utf8')).toBe(identity);

  await writeFile(at('passphrase'), `${PASSPHRASE}\n`);
  expect((await run('merchants', 'create', '--name', 'Shop of secrets')).code).toBe(0);
  const both = ['--recipient', publicKey, '--passphrase-file', at('passphrase')];
  expect((await run('backup', at('x'), ...both)).stderr).toContain('not both');
  expect((await run('backup', at('x'), '--recipient', identity.trim())).stderr).toContain('age public key');
  const keyed = await run('backup', at('keyed'), '--recipient', publicKey, '--json');
  expect([keyed.code, JSON.parse(keyed.stdout).encrypted]).toEqual([0, true]);
  const phrased = await run('backup', at('phrased'), '--passphrase-file', at('passphrase'));
  expect([phrased.code, phrased.stderr]).toEqual([0, '']);

  const kept = await readFile(at('phrased'));
  const over = await run('backup', at('phrased'), '--passphrase-file', at('passphrase'));
  expect([over.code, over.stdout]).toEqual([1, '']);
  expect(over.stderr).toContain('phrased already exists; choose another name, or replace it with --force');
  expect(await readFile(at('phrased'))).toEqual(kept);
  const forced = await run('backup', at('phrased'), '--force', '--passphrase-file', at('passphrase'));
  expect([forced.code, forced.stderr]).toEqual([0, '']);
  expect(await readFile(at('phrased'))).not.toEqual(kept);

  const shut = await run('backup', 'verify', at('keyed'));
  expect([shut.code, shut.stdout]).toEqual([1, '']);
  expect(shut.stderr).toContain('this backup is encrypted: give --identity');
  const open = await run('backup', 'verify', at('keyed'), '--identity', at('id.txt'), '--json');
  expect([open.code, JSON.parse(open.stdout).rows]).toEqual([0, JSON.parse(keyed.stdout).rows]);
  const byPhrase = await run('backup', 'verify', at('phrased'), '--passphrase-file', at('passphrase'));
  expect([byPhrase.code, byPhrase.stderr]).toEqual([0, '']);

  const FLORIN_SECRET_KEY = (await readFile(at('data/secret.key'), 'utf8')).trim();
  const target = { FLORIN_DATA: at('restored'), FLORIN_SECRET_KEY };
  const restored = await florin(['restore', at('keyed'), '--identity', at('id.txt')], target);
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  expect((await florin(['merchants', 'list'], target)).stdout).toContain('Shop of secrets');
  const secret = identity.trim().split('\n').at(-1)!;
  for (const output of outputs) {
    expect(output.includes(PASSPHRASE) || output.includes(secret)).toBe(false);
  }
});
