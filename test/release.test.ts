import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dateUnreleased, unreleasedOf } from '../scripts/release/changelog.ts';
import { isLater } from '../scripts/release/versions.ts';
import { cleanUp } from './support/clean-up.ts';
import { type CopiedCheckout, copiedCheckout } from './support/copied-checkout.ts';
import { newDataFolder } from './support/data-folder.ts';
import { startProcess, temporaryFolder } from './support/process.ts';

const root = join(import.meta.dirname, '..');

const VERSION = '99.1.0';

/** Runs the release and answers how it ended, with everything it printed. */
function release({ folder }: CopiedCheckout, ...args: string[]): Promise<{ code: number; output: string }> {
  const command = [join(folder, 'scripts/release/release.ts'), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { maxBuffer: 100_000_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
}

test('npm run release: refuses what is not ready, shows it in a dry run, then commits, tags and packs', async () => {
  const checkout = await copiedCheckout();
  const { folder, git } = checkout;
  const path = (file: string) => join(folder, file);
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(path(file), change(readFileSync(path(file), 'utf8')));
  // Types and lint of this very checkout are what CI looks at first; here it only matters that they are asked.
  const setCheck = (script: string) => {
    edit('package.json', (text) => text.replace(/"check": ".*"/, `"check": "${script}"`));
    git('commit', '--all', '--quiet', '--message', 'another check');
  };
  const refusals: [args: string[], reason: string][] = [
    [[], 'usage: npm run release -- <version>'],
    [['1.0'], '"1.0" is not a version'],
    [['0.0.1'], 'does not come after'],
  ];
  for (const [args, reason] of refusals) expect((await release(checkout, ...args)).output).toContain(reason);

  setCheck('echo types are wrong; exit 1');
  expect(await release(checkout, VERSION)).toMatchObject({
    code: 1,
    output: expect.stringContaining('npm run check fails'),
  });
  setCheck('echo all is checked');
  writeFileSync(path('left-over.txt'), '');
  expect((await release(checkout, VERSION)).output).toContain('?? left-over.txt');
  git('clean', '--quiet', '--force');

  const changelog = readFileSync(path('CHANGELOG.md'), 'utf8');
  edit('CHANGELOG.md', (text) =>
    text.replace(/^## Unreleased\n/m, '## Unreleased\n\n## 98.0.0 (2026-01-01)\n'),
  );
  git('commit', '--all', '--quiet', '--message', 'all was released');
  expect((await release(checkout, VERSION)).output).toContain('no entry under "## Unreleased"');
  edit('CHANGELOG.md', () => changelog);
  git('commit', '--all', '--quiet', '--message', 'there is something new');

  const before = git('rev-parse', 'HEAD');
  const dry = await release(checkout, VERSION, '--dry-run');
  expect(dry).toMatchObject({ code: 0, output: expect.stringContaining(`+  "version": "${VERSION}"`) });
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', '']);

  expect(await release(checkout, VERSION)).toMatchObject({
    code: 0,
    output: expect.stringContaining('all is checked'),
  });
  expect(git('log', '-1', '--format=%s %D')).toBe(`release: ${VERSION} HEAD -> main, tag: v${VERSION}`);
  expect([git('status', '--porcelain'), git('remote')]).toEqual(['', '']);
  expectStatedEverywhere(folder, git('diff', '--name-only', before, 'HEAD').split('\n'));
  expectPacked(join(folder, 'release'));
  await expectInstallable(join(folder, 'release'));
  expect(await release(checkout, VERSION)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`the tag v${VERSION} exists already`),
  });
});

function expectStatedEverywhere(folder: string, changed: readonly string[]): void {
  const workspaces = ['sdk', 'sandbox-chain', 'web'].map((folder) => `${folder}/package.json`);
  const manifests = ['package-lock.json', 'package.json', ...workspaces];
  expect(changed).toEqual(
    expect.arrayContaining(['CHANGELOG.md', 'README.md', 'docs/sdk.md', 'openapi.json', ...manifests]),
  );
  for (const file of manifests)
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8')).version).toBe(VERSION);
  const { info } = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
  expect(info['x-service-version']).toBe(VERSION);
  const day = new Date().toISOString().slice(0, 10);
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^# Changelog\n\n## Unreleased\n\n## ${VERSION} \\(${day}\\)\n`),
  );
}

function expectPacked(folder: string): void {
  const names = [
    `florin-${VERSION}.tar.gz`,
    `florin-${VERSION}.tgz`,
    `florin-sdk-${VERSION}.tgz`,
    `florin-sandbox-chain-${VERSION}.tgz`,
    `florin-${VERSION}.sbom.cdx.json`,
  ];
  expect(readdirSync(folder).sort()).toEqual([...names, 'SHA256SUMS'].sort());
  const sums = names.map((name) => {
    return `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}`;
  });
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n').sort()).toEqual(sums.sort());
  const listed = (name: string) =>
    execFileSync('tar', ['-tzf', join(folder, name)], { encoding: 'utf8' }).split('\n');
  expect(listed(names[0]!)).toContain(`florin-${VERSION}/src/main.ts`);
  expect(listed(names[2]!)).toContain('package/dist/florin.js');
  expect(listed(names[3]!)).toContain('package/dist/sandbox-chain.js');
  expect(JSON.parse(readFileSync(join(folder, names[4]!), 'utf8')).metadata.component.version).toBe(VERSION);
}

/** docs/installing.md states the size, rounded up. */
const MAX_SERVER_BYTES = 3_000_000;

/**
 * The server as npm installs it: below node_modules, where Node runs no TypeScript, beside its declared dependencies alone, in a folder that
 * nobody writes to. Where we are root, modes stop nothing, so what is there afterwards is compared.
 */
async function expectInstallable(release: string): Promise<void> {
  const tarball = join(release, `florin-${VERSION}.tgz`);
  expect(statSync(tarball).size).toBeLessThan(MAX_SERVER_BYTES);
  const modules = join(await temporaryFolder(cleanUp), 'node_modules');
  const folder = join(modules, 'florin');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(
    names.filter((name) => /\.test\.|\.ts$|tsconfig|^(test|bench|scripts|node_modules)\b/.test(name)),
  ).toEqual([]);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  expect(Object.values(dependencies!).filter((range) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))).toEqual(
    [],
  );
  const link = (name: string) => {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  };
  Object.keys(dependencies!).forEach(link);
  expect(await startedByOldNode(folder)).toMatch(
    /needs Node 24 or newer, and this is v\S+\. It brings its own/,
  );
  Object.keys(optionalDependencies!)
    .filter((name) => existsSync(join(root, 'node_modules', name)))
    .forEach(link);
  execFileSync('chmod', ['-R', 'a-w', folder]);
  cleanUp(async () => execFileSync('chmod', ['-R', 'u+w', folder]));
  const written = () => execFileSync('find', [folder, '-printf', '%p %T@\n'], { encoding: 'utf8' });
  const before = written();

  const FLORIN_DATA = await newDataFolder();
  const running = await startProcess({ FLORIN_DATA, HOME: FLORIN_DATA }, [
    join(folder, 'bin/florin.js'),
    'start',
  ]);
  expect(running.output()).toContain(`Florin ${VERSION} ·`);
  expect(running.output()).not.toContain('Building');
  const get = async (path: string) => {
    const answer = await fetch(running.url + path);
    return [answer.status, Buffer.from(await answer.arrayBuffer())] as const;
  };
  const [, page] = await get('/dashboard');
  const [script] = /\/dashboard\/assets\/[\w-]+\.js/.exec(String(page))!;
  for (const path of [script, '/docs/installing', '/docs/reference', '/openapi.json', '/embed.js'])
    expect([path, (await get(path))[0]]).toEqual([path, 200]);
  const client = readFileSync(join(release, `florin-sdk-${VERSION}.tgz`));
  expect((await get('/sdk.tgz'))[1].equals(client)).toBe(true);
  expect(await running.end('SIGTERM')).toBe(0);
  expect(written()).toBe(before);
}

/** Returns what the command prints on a machine whose Node is too old, and no other. */
async function startedByOldNode(folder: string): Promise<string> {
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.0.0'}})`;
  const command = ['--import', older, join(folder, 'bin/florin.js'), 'start'];
  return new Promise((resolve) =>
    execFile(process.execPath, command, (_error, _out, stderr) => resolve(stderr)),
  );
}

test('versions are compared as numbers, and a pre-release comes before its release', () => {
  const pairs = [
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.0'],
    ['1.0.1', '1.0.0'],
    ['1.0.0', '1.0.0-rc.1'],
    ['1.0.0-rc.10', '1.0.0-rc.9'],
  ] as const;
  for (const [later, earlier] of pairs)
    expect([isLater(later, earlier), isLater(earlier, later), isLater(later, later)]).toEqual([
      true,
      false,
      false,
    ]);
});

test('the unreleased section is read up to the next version, and dated', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n';
  expect(unreleasedOf(changelog)).toBe('- New.');
  const dated = dateUnreleased(changelog, '1.1.0', '2026-02-03');
  expect(dated).toContain('## Unreleased\n\n## 1.1.0 (2026-02-03)\n\n- New.\n\n## 1.0.0');
  expect([unreleasedOf(dated), unreleasedOf('# Changelog\n')]).toEqual([undefined, undefined]);
});
