import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isDashboardUpToDate } from '../../src/pages/dashboard/build-dashboard.ts';
import { compile } from './compile.ts';
import { type Packed, packWorkspace } from './pack-workspace.ts';
import { serverManifest } from './server-manifest.ts';
import { compressedTarball } from './tarball.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file));
const readJson = (file: string) => JSON.parse(read(file).toString());
const CHAIN = 'sandbox-chain';
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * The server for `npm install -g`: compiled, because Node runs no TypeScript below node_modules, with the dashboard built and the client
 * packed, so that nothing is built where it runs. Files keep their places, because the code finds them from its own.
 */
export async function packServer(): Promise<Packed> {
  const { manifest, shrinkwrap } = serverManifest(
    readJson('package.json'),
    readJson(`${CHAIN}/package.json`),
    readJson('package-lock.json'),
  );
  const client = await packWorkspace('sdk');
  if (!(await isDashboardUpToDate())) execFileSync(process.execPath, [join(root, 'web/build.ts')]);
  const files = new Map<string, string | Buffer>([
    ...SINGLE_FILES.map((file) => [file, read(file)] as const),
    ...FOLDERS.flatMap(({ folder, takes }) => filesUnder(folder, takes)),
    ...(await compiledServer()),
    [`sdk/${client.fileName}`, client.bytes],
    ['package.json', json(manifest)],
    ['npm-shrinkwrap.json', json(shrinkwrap)],
  ]);
  return { fileName: `florin-${manifest.version}.tgz`, bytes: compressedTarball(files) };
}

/** The sandbox's chain is a package of its own only in the checkout: here it is imported from where it lies. */
async function compiledServer(): Promise<[string, string][]> {
  const server = await compile(join(import.meta.dirname, 'server.tsconfig.json'));
  const chain = await compile(join(root, CHAIN));
  const entry = `${CHAIN}/dist/sandbox-chain.js`;
  return [
    ...[...server].map(([name, text]): [string, string] => [
      name,
      text.replaceAll(`'@florin/${CHAIN}'`, `'${relative(dirname(name), entry)}'`),
    ]),
    ...[...chain].flatMap(([name, text]): [string, string][] =>
      name.endsWith('.js') ? [[`${CHAIN}/dist/${name}`, text]] : [],
    ),
  ];
}

const SINGLE_FILES = [
  'bin/florin.js',
  'openapi.json',
  'src/routes.txt',
  'sdk/package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** Folders with files that the code reads beside itself. */
const FOLDERS: readonly { folder: string; takes: RegExp }[] = [
  { folder: 'src', takes: /(?<!tsconfig)\.(css|js|json|png|svg)$/ },
  { folder: 'site', takes: /(?<!tsconfig)\.(css|js|json|png|svg)$/ },
  { folder: 'migrations', takes: /^migrations\/\d{4}_\w+\.sql$/ },
  { folder: 'docs', takes: /^docs\/(images\/)?[^/]+\.(md|png|webp)$/ },
  { folder: 'web/dist', takes: /^web\/dist\/[^.]/ },
  { folder: 'deploy', takes: /^(?!.*\.test\.)/ },
];

function filesUnder(folder: string, takes: RegExp): [string, Buffer][] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((name) => takes.test(name))
    .map((name) => [name, read(name)]);
}
