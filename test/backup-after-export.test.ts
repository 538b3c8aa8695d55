import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { florin, temporaryFolder } from './support/process.ts';

test('from the command line: a backup made after a merchant was exported brings back everybody', async () => {
  const folder = await temporaryFolder(cleanUp);
  const at = (name: string) => join(folder, name);
  const FLORIN_SECRET_KEY = '5'.repeat(64);
  const here = (...args: string[]) => florin(args, { FLORIN_DATA: at('here'), FLORIN_SECRET_KEY });
  const there = (...args: string[]) => florin(args, { FLORIN_DATA: at('there'), FLORIN_SECRET_KEY });
  const { publicKey } = JSON.parse((await here('backup', 'keygen', at('id.txt'), '--json')).stdout);
  const { id } = JSON.parse((await here('merchants', 'create', '--name', 'Leaving', '--json')).stdout);
  const staying = await here('merchants', 'create', '--name', 'Staying', '--json');
  expect(staying.code).toBe(0);
  const exported = await here('merchants', 'export', id, '--recipient', publicKey, '--out', at('shop'));
  expect([exported.code, exported.stderr]).toEqual([0, expect.anything()]);

  expect((await here('backup', at('backup'))).code).toBe(0);
  const proven = await there('backup', 'verify', at('backup'), '--restore', '--json');
  expect([proven.code, JSON.parse(proven.stdout)]).toMatchObject([0, { restored: true }]);
  const restored = await there('restore', at('backup'));
  expect([restored.code, restored.stdout]).toEqual([0, expect.stringContaining('Restored')]);
  const listed = JSON.parse((await there('merchants', 'list', '--json')).stdout);
  expect(listed.merchants.map(({ name, state }: Record<string, string>) => [name, state])).toEqual([
    ['Leaving', 'moving'],
    ['Staying', 'open'],
  ]);
});
