import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The folders of src/ in the order ARCHITECTURE.md lists them: each may import itself and those before it. */
const order = [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^ {2}([a-z-]+)\/ /gm)].map(
  (match) => match[1]!,
);

const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(join(root, 'src'), join(entry.parentPath, entry.name)));

const sources = files.filter((file) => !file.endsWith('.test.ts'));

/** The client's own files; what is generated is read by nobody line by line. */
const clientFiles = readdirSync(join(root, 'sdk'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.ts$/.test(file) && !/(^|\/)(dist|generated|node_modules)\//.test(file),
);

/** The examples' files; what stands in brackets is a folder of Next's. */
const exampleFiles = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.ts$/.test(file) && !file.includes('node_modules'),
);

/** The dashboard's own files. */
const webFiles = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

const folderOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : '');

/** What `text` imports from other files of src/, as paths inside src/. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map((match) =>
    join(folderOf(file) === '' ? '.' : file.split('/').slice(0, -1).join('/'), match[1]!),
  );
}

/** Why `file` may not import `target`; undefined when it may. */
function objection(file: string, target: string, folders: readonly string[]): string | undefined {
  const from = folderOf(file);
  const to = folderOf(target);
  if (from === to) return undefined;
  if (from === '') return undefined;
  if (to === '') return `${file} imports the root file ${target}`;
  if (folders.indexOf(to) > folders.indexOf(from))
    return `${file} imports ${target}, a folder listed after its own`;
  if (/\/([a-z]+-)?(queries|routes|jobs)\.ts$/.test(target))
    return `${file} imports ${target}, which is private to ${to}/`;
  return undefined;
}

test('every folder of src/ is in the order of ARCHITECTURE.md, and no other', () => {
  const folders = [...new Set(files.map(folderOf))].filter(Boolean);
  expect(folders.filter((folder) => !order.includes(folder))).toEqual([]);
  expect(order.filter((folder) => !folders.includes(folder))).toEqual([]);
});

test('imports go down the order only, and never into private files', () => {
  const objections = sources.flatMap((file) =>
    importsOf(file, readFileSync(join(root, 'src', file), 'utf8'))
      .map((target) => objection(file, target, order))
      .filter(Boolean),
  );
  expect(objections).toEqual([]);
});

test('the commands of a developer need no database: they import lib/, what signs, the client’s names and commander', () => {
  const imported = sources
    .filter((file) => folderOf(file) === 'commands')
    .flatMap((file) => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      const packages = [...text.matchAll(/from '((?!\.|node:)[^']+)'/g)].map((match) => match[1]!);
      return [...importsOf(file, text), ...packages];
    });
  const strange = imported.filter(
    (target) =>
      !/^(commands|lib)\/|^webhooks\/sign\.ts$|^\.\.\/sdk\/generate\/names\.ts$|^commander$/.test(target),
  );
  expect(imported).toContain('webhooks/sign.ts');
  expect(strange).toEqual([]);
  // Nor by a detour: a log would bring a driver's worth of start-up with it.
  expect(imported).not.toContain('lib/log.ts');
});

test('the guard itself objects to what it should', () => {
  const folders = ['lib', 'db', 'intents'];
  expect(objection('lib/a.ts', 'db/b.ts', folders)).toContain('listed after');
  expect(objection('intents/a.ts', 'db/queries.ts', folders)).toContain('private');
  expect(objection('db/a.ts', 'config.ts', folders)).toContain('root file');
  expect(objection('intents/a.ts', 'lib/b.ts', folders)).toBeUndefined();
  expect(importsOf('intents/a.ts', "import { x } from '../lib/b.ts';\nawait import('./c.ts')")).toEqual([
    'lib/b.ts',
    'intents/c.ts',
  ]);
});

test('only the root files that start a process touch process.env, only lib/clock.ts reads a clock', () => {
  const offenders = sources.filter((file) => {
    const text = readFileSync(join(root, 'src', file), 'utf8');
    if (!['config.ts', 'main.ts', 'cli.ts', 'cli-context.ts'].includes(file) && text.includes('process.env'))
      return true;
    return file !== 'lib/clock.ts' && /\bDate\.now\(|new Date\(\)/.test(text);
  });
  expect(offenders).toEqual([]);
});

/** Why `text`, a file of the client, would not work everywhere by itself; undefined when it would. */
function clientObjection(file: string, text: string): string | undefined {
  const imported = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
  const outside = imported.find(
    (target) => !target.startsWith('.') || !join(file, '..', target).startsWith('src/'),
  );
  if (outside) return `${file} imports ${outside}`;
  return /\b(Buffer|process)\./.test(text) ? `${file} uses a global of Node` : undefined;
}

test('the client imports nothing but itself, and nothing of Node', () => {
  const own = clientFiles.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
  const objections = own
    .map((file) => clientObjection(file, readFileSync(join(root, 'sdk', file), 'utf8')))
    .filter(Boolean);
  expect([own.length > 5, objections]).toEqual([true, []]);
  expect(clientObjection('src/a.ts', "import 'node:fs';")).toContain('imports node:fs');
  expect(clientObjection('src/a.ts', "export * from '../../src/lib/json.ts';")).toContain('imports');
  expect(clientObjection('src/a.ts', 'Buffer.from(a)')).toContain('a global of Node');
  expect(clientObjection('src/generated/a.ts', "import { b } from '../b.ts';")).toBeUndefined();
});

test('an example imports its own files, the client in one file, Node and what it installs', () => {
  const importing = exampleFiles.flatMap((file) =>
    [...readFileSync(join(root, 'examples', file), 'utf8').matchAll(/^(?!\/\/).*\bfrom '(\.[^']+)'/gm)].map(
      (match) => [file, join(file, '..', match[1]!)] as const,
    ),
  );
  const outside = importing.filter(([file, target]) => folderOf(file) !== folderOf(target));
  expect(outside.filter(([, target]) => target !== '../sdk/src/florin.ts')).toEqual([]);
  expect([...new Set(outside.map(([file]) => file))].sort()).toEqual([
    'edge-handler/lib/florin.ts',
    'express-shop/florin.ts',
    'prepaid-api/florin.ts',
  ]);
});

test('source files stay readable: at most 300 lines, kebab-case, no vague names', () => {
  const paths = [
    ...files.map((file) => `src/${file}`),
    ...clientFiles.map((file) => `sdk/${file}`),
    ...exampleFiles.filter((file) => !file.endsWith('.d.ts')).map((file) => `examples/${file}`),
    ...webFiles.map((file) => `web/src/${file}`),
  ];
  const tooLong = paths.filter(
    (file) => !file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').split('\n').length > 301,
  );
  const badName = paths.filter(
    (file) => !/^([a-z0-9-]+\/|\[id\]\/)*[a-z0-9-]+(\.db)?(\.test)?\.tsx?$/.test(file),
  );
  const vague = paths.filter((file) => /(^|\/)(service|utils?|helpers?|manager|index)\.tsx?$/.test(file));
  expect({ tooLong, badName, vague }).toEqual({ tooLong: [], badName: [], vague: [] });
});

test('no test is skipped or runs alone', () => {
  const all = ['src', 'test', 'bench', 'sdk', 'web/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .map((file) => join(root, folder, file)),
  );
  const marked = /\b(it|test|describe)\.(skip|only|todo|skipIf|runIf)\b/;
  expect(
    all.filter((file) => !file.endsWith('tidy.test.ts') && marked.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});
