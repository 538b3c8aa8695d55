import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../../test/support/clean-up.ts';
import { temporaryFolder } from '../../test/support/process.ts';
import { testService } from '../../test/support/service.ts';
import { packClient, root, run } from './pack.ts';

/** The client as a running service offers it: no registry, no checkout of Florin, one address. */
let url: string;
let bytes: Buffer;

beforeAll(async () => {
  ({ url } = await testService());
  bytes = Buffer.from(await (await fetch(`${url}/sdk.tgz`)).arrayBuffer());
});

const integrityOf = (data: Buffer) => `sha512-${createHash('sha512').update(data).digest('base64')}`;

/** npm as anybody has it, with a registry that nobody answers for. */
const onlyFrom = ['--registry', 'http://127.0.0.1:9/', '--offline=false', '--no-audit', '--no-fund'];

async function emptyProject(): Promise<string> {
  const folder = await temporaryFolder(cleanUp);
  await writeFile(join(folder, 'package.json'), '{"name":"shop","private":true,"type":"module"}');
  return folder;
}

const npm = (folder: string, ...args: string[]) =>
  run('npm', [...args, ...onlyFrom, '--cache', join(folder, '.npm')], folder);

test('npm install takes it from the service, locks it by its hash, and it runs', async () => {
  const folder = await emptyProject();
  const guide = await readFile(join(root, 'docs/sdk.md'), 'utf8');
  const [, typed] = /```sh\nnpm install (\S+)\n```/.exec(guide)!;
  expect(guide.indexOf(typed!)).toBeLessThan(250);
  await npm(folder, 'install', typed!.replace('http://localhost:4020', url));
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const { version } = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8'));
  expect(lock.packages['node_modules/@florin/sdk']).toMatchObject({
    version,
    resolved: `${url}/sdk.tgz`,
    integrity: integrityOf(bytes),
  });
  const program = `import { Florin } from '@florin/sdk';
    const florin = new Florin({ baseUrl: '${url}' });
    console.log((await florin.health.live()).status);`;
  await writeFile(join(folder, 'run.mjs'), program);
  expect(await run(process.execPath, ['run.mjs'], folder)).toBe('ok\n');
  await npm(folder, 'ci');
  expect(await run(process.execPath, ['run.mjs'], folder)).toBe('ok\n');
});

describe('what is served', () => {
  test('names its version and its hash, and caches keep it', async () => {
    const answer = await fetch(`${url}/sdk.tgz`);
    const description = (await (await fetch(`${url}/sdk.json`)).json()) as Record<string, string>;
    const { version } = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8'));
    const integrity = integrityOf(bytes);
    const tarball = expect.stringMatching(/^http:.*\/sdk\.tgz$/);
    expect(description).toEqual({ name: '@florin/sdk', version, tarball, integrity });
    const guide = await readFile(join(root, 'docs/sdk.md'), 'utf8');
    const shown = JSON.parse(/```json\n(.*)\n```/.exec(guide)![1]!);
    expect(Object.keys(shown)).toEqual(Object.keys(description));
    expect([shown.name, shown.version]).toEqual([description.name, description.version]);
    expect(answer.headers.get('content-type')).toBe('application/gzip');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="florin-sdk-${version}.tgz"`,
    );
    expect(answer.headers.get('repr-digest')).toBe(`sha-512=:${integrity.slice('sha512-'.length)}:`);
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('no-cache');

    const head = await fetch(`${url}/sdk.tgz`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), (await head.arrayBuffer()).byteLength]).toEqual([
      200,
      String(bytes.length),
      0,
    ]);
    const etag = answer.headers.get('etag')!;
    expect(head.headers.get('etag')).toBe(etag);
    const known = await fetch(`${url}/sdk.tgz`, { headers: { 'if-none-match': etag } });
    expect([known.status, (await known.arrayBuffer()).byteLength]).toEqual([304, 0]);
  });

  test('is the same in every process, and the same as npm run pack:sdk writes', async () => {
    const other = await testService();
    const again = Buffer.from(await (await fetch(`${other.url}/sdk.tgz`)).arrayBuffer());
    expect(again.equals(bytes)).toBe(true);
    const { tarball, printed } = await packClient();
    expect((await readFile(tarball)).equals(bytes)).toBe(true);
    expect(printed).toContain(integrityOf(bytes));
  });
});

test('plain npm pack would pack what is not built: it fails and names the command that does', async () => {
  const refused = await run('npm', ['pack', '-w', 'sdk'], root).catch((error) => String(error));
  expect(refused).toContain('run-npm-run-pack:sdk-or-pack:sandbox-chain-instead');
});
