import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from './support/clean-up.ts';
import { florin, startFlorin, temporaryFolder } from './support/process.ts';

test('a proof that is interrupted leaves no copy of the database; what a killed one leaves is named, and goes', async () => {
  const folder = await temporaryFolder(cleanUp);
  const [file, tmp] = [join(folder, 'backup'), join(folder, 'tmp')];
  await mkdir(tmp);
  const env = { FLORIN_DATA: join(folder, 'data'), TMPDIR: tmp };
  const left = async () => (await readdir(tmp)).filter((name) => name.startsWith('florin-proof-'));
  const leftProofs = async () => {
    const { findings } = JSON.parse((await florin(['doctor', '--json'], env)).stdout);
    return findings.find(({ check }: { check: string }) => check === 'left proofs');
  };
  expect((await florin(['merchants', 'create', '--name', 'Shop'], env)).code).toBe(0);
  expect((await florin(['backup', file], env)).code).toBe(0);
  const proof = ['backup', 'verify', file, '--restore'];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const proving = startFlorin(proof, env);
    await expect.poll(left, { timeout: 60_000 }).toHaveLength(1);
    proving.child.kill(signal);
    const { code, stderr } = await proving.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('interrupted')]);
    expect(await left()).toEqual([]);
  }
  const killed = startFlorin(proof, env);
  await expect.poll(left, { timeout: 60_000 }).toHaveLength(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const [name] = await left();
  expect(await leftProofs()).toMatchObject({ ok: false, detail: expect.stringContaining(name!) });
  expect((await florin(proof, env)).code).toBe(0);
  expect([await left(), (await leftProofs()).ok]).toEqual([[], true]);
});
