import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Rooms of src/, and site/, as ARCHITECTURE.md lists them. */
interface Plan {
  /** Rooms, and folders of rooms: `intents`, `billing/ledger`. */
  folders: string[];
  /** Rooms that each room names behind its arrow. */
  below: Map<string, string[]>;
}

const plan = readPlan(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));

function readPlan(text: string): Plan {
  const list = /^src\/\n(?:.*\n)*?(?=```)/m.exec(text)![0];
  const folders: string[] = [];
  const below = new Map<string, string[]>();
  let [top, room] = ['', ''];
  for (const [, indent, name, says] of list.matchAll(/^( {0}| {2}| {4})([a-z0-9-]+)\/(.*)$/gm)) {
    if (indent === '') top = name!;
    const isRoom = indent!.length === (top === 'src' ? 2 : 0);
    if (isRoom) room = name!;
    if (isRoom) below.set(room, room === 'platform' ? [] : ['platform', ...namesBehindArrow(says!)]);
    if (room !== '') folders.push(isRoom ? room : `${room}/${name}`);
  }
  return { folders, below };
}

function namesBehindArrow(says: string): string[] {
  return / ← (.*)$/.exec(says)?.[1]?.split(' ') ?? [];
}

/** Files of src/ by their path in it; those of site/ as `../site/…`. */
const files = ['src', 'site'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(join(root, 'src'), join(entry.parentPath, entry.name))),
);

const sources = files.filter((file) => !file.endsWith('.test.ts'));

/** The client's own files; what is generated is read by nobody line by line. */
const clientFiles = readdirSync(join(root, 'sdk'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.ts$/.test(file) && !/(^|\/)(dist|generated|node_modules)\//.test(file),
);

/** The sandbox chain's own files. */
const chainFiles = readdirSync(join(root, 'sandbox-chain'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /^(src|test)\/.*\.ts$/.test(file),
);

const chainSources = chainFiles.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));

/** The examples' files; the one in brackets is a folder of Next's. */
const exampleFiles = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.ts$/.test(file) && !file.includes('node_modules'),
);

/** Every source file of the service and of the sandbox chain, from the root. */
const ownSources = [
  ...sources.map((file) => join('src', file)),
  ...chainSources.map((file) => `sandbox-chain/${file}`),
];

/** The dashboard's own files. */
const webFiles = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
);

/** Returns `billing/ledger` of `billing/ledger/post.ts`, `intents` of `intents/intent.ts`, and nothing for a file at the root. */
function folderOf(file: string, folders: readonly string[] = plan.folders): string {
  const [room = '', part] = file
    .replace(/^\.\.\//, '')
    .split('/')
    .slice(0, -1);
  return folders.includes(`${room}/${part}`) ? `${room}/${part}` : room;
}

const roomOf = (folder: string) => folder.split('/')[0]!;

interface Import {
  target: string;
  names: string[];
}

/** Returns what `text` imports from other files of src/, as paths inside src/. */
function importsOf(file: string, text: string): Import[] {
  return [
    ...text.matchAll(
      /(?:(?:import|export)\s+(?:type\s+)?(\{[^}]*\}|\*[^;']*?|\w+)\s+from|import\s*\(?)\s*'(\.[^']+\.ts)'/g,
    ),
  ].map(([, names, path]) => ({
    target: join(file.includes('/') ? file.split('/').slice(0, -1).join('/') : '.', path!).replace(
      /^\.\.\/src\//,
      '',
    ),
    names: [...(names ?? '').matchAll(/[A-Za-z_]\w*/g)]
      .map(([name]) => name)
      .filter((name) => name !== 'type'),
  }));
}

/** Queries that only read, and the types of what they read. */
const READS = /^(find|list|lock|has|is|count|sum|read)[A-Z]|^[A-Z]/;

/** Rooms that wire the others together: nothing of theirs is private to these. */
const WIRING = ['service', 'cli'];

/** Returns the reason why `file` may not import `target`; undefined if it may. */
function objection(file: string, { target, names }: Import, { folders, below }: Plan): string | undefined {
  const from = folderOf(file, folders);
  const to = folderOf(target, folders);
  if (from === to || from === '') return undefined;
  if (to === '') return `${file} imports the root file ${target}`;
  // The names of the client's methods are no part of src/.
  if (target.startsWith('../') && !folders.includes(to)) return undefined;
  if (roomOf(from) !== roomOf(to) && !reachedFrom(roomOf(from), below).has(roomOf(to)))
    return `${file} imports ${target}, and ${roomOf(from)}/ may not import ${roomOf(to)}/`;
  if (WIRING.includes(roomOf(from))) return undefined;
  if (/\/([a-z]+-)?(routes|jobs)\.ts$/.test(target))
    return `${file} imports ${target}, which is private to ${to}/`;
  const write = /queries\.ts$/.test(target) && names.find((name) => !READS.test(name));
  return write ? `${file} imports ${write} of ${target}: only ${to}/ writes there` : undefined;
}

/** Returns the rooms that `room` may import: those it names, and what they may import. */
function reachedFrom(room: string, below: Plan['below'], found = new Set<string>()): Set<string> {
  for (const other of below.get(room) ?? []) {
    if (found.has(other)) continue;
    reachedFrom(other, below, found.add(other));
  }
  return found;
}

test('every folder of src/ and site/ is in ARCHITECTURE.md, and no other', () => {
  const paths = files.map((file) =>
    file
      .replace(/^\.\.\//, '')
      .split('/')
      .slice(0, -1)
      .slice(0, 2)
      .join('/'),
  );
  const found = [...new Set(paths)].filter(Boolean);
  // A room that is one folder may have its texts in another.
  const unknown = found.filter((path) => !plan.folders.includes(path) && !path.endsWith('/messages'));
  const missing = plan.folders.filter((folder) => !found.some((path) => `${path}/`.startsWith(`${folder}/`)));
  const noRooms = [...plan.below.values()].flat().filter((room) => !plan.below.has(room));
  expect({ unknown, missing, noRooms }).toEqual({ unknown: [], missing: [], noRooms: [] });
});

test('at the root of src/ are only the files that start a process, and what the routes declare', () => {
  expect(readdirSync(join(root, 'src')).filter((name) => !plan.below.has(name))).toEqual([
    'child.ts',
    'cli.ts',
    'main.ts',
    'routes.txt',
  ]);
});

test('a room imports only what ARCHITECTURE.md lets it, and never what is private', () => {
  const objections = sources.flatMap((file) =>
    importsOf(file, readFileSync(join(root, 'src', file), 'utf8'))
      .map((target) => objection(file, target, plan))
      .filter(Boolean),
  );
  expect(objections).toEqual([]);
});

test('every arrow of ARCHITECTURE.md is an import that there is', () => {
  const found = new Set(
    sources.flatMap((file) =>
      importsOf(file, readFileSync(join(root, 'src', file), 'utf8')).map(
        ({ target }) => `${roomOf(folderOf(file))} ← ${roomOf(folderOf(target))}`,
      ),
    ),
  );
  const arrows = [...plan.below].flatMap(([room, others]) => others.map((other) => `${room} ← ${other}`));
  expect(arrows.filter((arrow) => !found.has(arrow))).toEqual([]);
});

test('neither rooms nor folders import each other in a circle', () => {
  expect(findCircle(plan.below)).toEqual([]);
  const graph = new Map<string, string[]>(plan.folders.map((folder) => [folder, []]));
  for (const file of sources) {
    const from = folderOf(file);
    for (const { target } of importsOf(file, readFileSync(join(root, 'src', file), 'utf8')))
      if (folderOf(target) !== from) graph.get(from)?.push(folderOf(target));
  }
  expect(findCircle(graph)).toEqual([]);
});

test('the commands of a developer need no database: they import lib/, what signs, the client’s names and commander', () => {
  const imported = sources
    .filter((file) => folderOf(file) === 'cli/developer')
    .flatMap((file) => {
      const text = readFileSync(join(root, 'src', file), 'utf8');
      const packages = [...text.matchAll(/from '((?!\.|node:)[^']+)'/g)].map((match) => match[1]!);
      return [...importsOf(file, text).map(({ target }) => target), ...packages];
    });
  const strange = imported.filter(
    (target) =>
      !/^(cli\/developer|platform\/lib)\/|^webhooks\/sign\.ts$|^\.\.\/sdk\/generate\/names\.ts$|^commander$/.test(
        target,
      ),
  );
  expect(imported).toContain('webhooks/sign.ts');
  expect(strange).toEqual([]);
  // Detours are not allowed either: a log would bring a driver's worth of start-up with it.
  expect(imported).not.toContain('platform/lib/log.ts');
});

test('PostgreSQL starts while the service is loaded: before that, main.ts imports little', () => {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(root, 'src', file), 'utf8');
    const atOnce = text.replace(/^import type [^;]*;|\bimport\('[^']+'\)/gm, '');
    for (const { target } of importsOf(file, atOnce)) load(target);
  };
  load('main.ts');
  expect(loaded).toContain('platform/db/embedded-postgres.ts');
  expect(loaded).not.toContain('service/app.ts');
  expect(loaded.size).toBeLessThan(60);
});

test('the guard itself objects to what it should', () => {
  const text = [
    '```',
    'src/',
    '  platform/  all',
    '    lib/  money',
    '  intents/  states',
    '  billing/  owed ← intents',
    '    ledger/  balances',
    '    invoices/  lines',
    '  pages/  seen ← billing',
    'site/  words',
    '  docs/  guides',
    '```',
  ].join('\n');
  const small = readPlan(text);
  expect(small.folders).toEqual([
    ...['platform', 'platform/lib', 'intents', 'billing', 'billing/ledger', 'billing/invoices'],
    ...['pages', 'site', 'site/docs'],
  ]);
  expect([...small.below.values()]).toEqual([
    [],
    ['platform'],
    ['platform', 'intents'],
    ['platform', 'billing'],
    ['platform'],
  ]);
  const why = (file: string, target: string, ...names: string[]) => objection(file, { target, names }, small);
  expect(why('intents/a.ts', 'billing/ledger/b.ts')).toContain('intents/ may not import billing/');
  expect(why('pages/a.ts', '../site/docs/b.ts')).toContain('pages/ may not import site/');
  expect(why('pages/a.ts', 'intents/b.ts')).toBeUndefined();
  expect(why('billing/ledger/a.ts', 'billing/invoices/b.ts')).toBeUndefined();
  expect(why('billing/ledger/a.ts', 'intents/routes.ts')).toContain('private');
  expect(why('billing/ledger/a.ts', 'intents/queries.ts', 'findRow', 'insertRow')).toContain('insertRow');
  expect(why('billing/ledger/a.ts', 'intents/queries.ts', 'findRow', 'Row')).toBeUndefined();
  expect(why('platform/lib/a.ts', 'main.ts')).toContain('root file');
  expect(
    importsOf('intents/a.ts', "import { type X, y } from '../platform/lib/b.ts';\nawait import('./c.ts')"),
  ).toEqual([
    { target: 'platform/lib/b.ts', names: ['X', 'y'] },
    { target: 'intents/c.ts', names: [] },
  ]);
  expect(importsOf('../site/docs/a.ts', "import '../../src/platform/lib/b.ts';")).toEqual([
    { target: 'platform/lib/b.ts', names: [] },
  ]);
});

/** The tables that `text` writes, by SQL or by their declaration. */
function writtenTables(text: string): string[] {
  const writes = text.matchAll(/(?<!for )(?:\binsert into|\bupdate|\bdelete from)\s+([a-z_]+)\b/g);
  const declared = text.matchAll(/\b(\w+)\.(?:insert|update|store)(?:<[^>]*>)?\(/g);
  return [
    ...[...writes].map(([, table]) => table!),
    ...[...declared].map(([, name]) => declaredTables.get(name!) ?? ''),
  ].filter((table) => tables.has(table));
}

/** Names of declarations with the tables they declare. */
const declaredTables = new Map(
  sources.flatMap((file) =>
    [
      ...readFileSync(join(root, 'src', file), 'utf8').matchAll(
        /^(?:export )?const (\w+) = table\(\s*'(\w+)'/gm,
      ),
    ].map(([, name, table]) => [name!, table!] as const),
  ),
);

const tables = new Set(
  [...readFileSync(join(root, 'migrations/schema.sql'), 'utf8').matchAll(/^create table (\w+)/gm)].map(
    ([, table]) => table!,
  ),
);

test('one folder writes each table', () => {
  const writers = new Map<string, Set<string>>();
  // A reset of the sandbox empties the tables of everybody, and an erasure overwrites what they say of a person: at
  // once and nowhere else.
  const everybodys = ['sandbox/reset-queries.ts', 'operations/erasure/overwrite-queries.ts'];
  for (const file of sources.filter((file) => !everybodys.includes(file))) {
    for (const table of writtenTables(readFileSync(join(root, 'src', file), 'utf8'))) {
      writers.set(table, (writers.get(table) ?? new Set()).add(folderOf(file)));
    }
  }
  expect(writers.size).toBeGreaterThan(30);
  expect([...writers].filter(([, folders]) => folders.size > 1)).toEqual([]);
  expect(writtenTables('update events set x = 1; select 1 from invoices for update events')).toEqual([
    'events',
  ]);
  expect(
    writtenTables('await discounts.store(tx, row, []); discounts.find(tx, {}); names.insert(1)'),
  ).toEqual(['discounts']);
});

test('no files import each other in a circle, types included', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      importsOf(file, readFileSync(join(root, 'src', file), 'utf8')).map(({ target }) => target),
    ]),
  );
  expect(findCircle(graph)).toEqual([]);
  const chainGraph = chainSources.map((file) => {
    const text = readFileSync(join(root, 'sandbox-chain', file), 'utf8');
    return [file, importsOf(file, text).map(({ target }) => target)] as const;
  });
  expect(findCircle(new Map(chainGraph))).toEqual([]);
  expect(
    findCircle(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual(['b', 'c', 'b']);
});

/** The first circle there is, from its first file back to it. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const target of graph.get(file) ?? []) {
      const circle = walk(target, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const circle = walk(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

test('only config.ts and what starts a process touch process.env, only lib/clock.ts reads a clock', () => {
  const offenders = sources.filter((file) => {
    const text = readFileSync(join(root, 'src', file), 'utf8');
    if (
      !['config/config.ts', 'main.ts', 'child.ts', 'cli.ts', 'cli/operator/context.ts'].includes(file) &&
      text.includes('process.env')
    )
      return true;
    return file !== 'platform/lib/clock.ts' && /\bDate\.now\(|new Date\(\)/.test(text);
  });
  expect(offenders).toEqual([]);
});

/** Returns the reason why `text`, a file of the client, would not work everywhere on its own; undefined if it would. */
function clientObjection(file: string, text: string): string | undefined {
  const imported = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
  const outside = imported.find(
    (target) =>
      !(target === 'react' && file === 'src/react.ts') &&
      (!target.startsWith('.') || !join(file, '..', target).startsWith('src/')),
  );
  if (outside) return `${file} imports ${outside}`;
  return /\b(Buffer|process)\./.test(text) ? `${file} uses a global of Node` : undefined;
}

test('the client imports nothing but itself, and nothing of Node; its component imports React', () => {
  const own = clientFiles.filter((file) => file.startsWith('src/') && !file.endsWith('.test.ts'));
  const objections = own
    .map((file) => clientObjection(file, readFileSync(join(root, 'sdk', file), 'utf8')))
    .filter(Boolean);
  expect([own.length > 5, objections]).toEqual([true, []]);
  expect(clientObjection('src/a.ts', "import 'react';")).toContain('imports react');
  expect(clientObjection('src/a.ts', "import 'node:fs';")).toContain('imports node:fs');
  expect(clientObjection('src/a.ts', "export * from '../../src/lib/json.ts';")).toContain('imports');
  expect(clientObjection('src/a.ts', 'Buffer.from(a)')).toContain('a global of Node');
  expect(clientObjection('src/generated/a.ts', "import { b } from '../b.ts';")).toBeUndefined();
});

/** Lowest first; a file beside these folders may import all of them. */
const CHAIN_ORDER = ['src/encoding', 'src/ledger', 'src/rpc', 'src'];

/**
 * Returns the reason why `text`, a file of the sandbox chain, would not work as a package of its own; undefined if it
 * would.
 */
function chainObjection(
  file: string,
  text: string,
  dependencies: Record<string, string>,
): string | undefined {
  const rank = (path: string) => CHAIN_ORDER.indexOf(path.split('/').slice(0, -1).join('/'));
  const imported = [...text.matchAll(/\b(?:from |import[ (])'([^']+)'/g)].map((match) => match[1]!);
  const bad = imported.find((target) => {
    if (target.startsWith('node:')) return false;
    if (!target.startsWith('.')) return !(/^(@[^/]+\/)?[^/]+/.exec(target)![0] in dependencies);
    const path = join(file, '..', target);
    return rank(path) < 0 || rank(path) > rank(file);
  });
  if (bad) return `${file} imports ${bad}`;
  const isStart = file === 'src/rpc/start-sandbox-chain.ts';
  if (!isStart && /\bDate\.now\(|new Date\(\)/.test(text)) return `${file} reads a clock`;
  return text.includes('process.env') ? `${file} reads the environment` : undefined;
}

test('the sandbox chain is a package of its own: it imports its own files, Node, and what its manifest lists', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'sandbox-chain/package.json'), 'utf8'));
  const objections = chainSources
    .map((file) =>
      chainObjection(file, readFileSync(join(root, 'sandbox-chain', file), 'utf8'), dependencies),
    )
    .filter(Boolean);
  expect([chainSources.length > 40, objections]).toEqual([true, []]);
  const why = (file: string, text: string) =>
    chainObjection(file, text, { ws: '1.0.0', '@solana/kit': '1.0.0' });
  expect(why('src/rpc/a.ts', "import '../../../src/platform/lib/json.ts';")).toContain('imports');
  expect(why('src/ledger/a.ts', "import { b } from '../rpc/b.ts';")).toContain('imports ../rpc/b.ts');
  expect(why('src/rpc/a.ts', "import { b } from 'pg';")).toContain('imports pg');
  expect(why('src/rpc/a.ts', 'const at = new Date();')).toContain('a clock');
  expect(why('src/rpc/a.ts', 'process.env.PORT')).toContain('the environment');
  expect(
    why('src/rpc/a.ts', "import 'ws';\nimport { c } from '@solana/kit/c.js';\nimport '../ledger/b.ts';"),
  ).toBeUndefined();
});

test('only the sandbox of the service knows the sandbox chain: on mainnet and devnet nothing goes through it', () => {
  const importing = sources.filter((file) =>
    readFileSync(join(root, 'src', file), 'utf8').includes("'@florin/sandbox-chain'"),
  );
  expect(importing.sort()).toEqual(['sandbox/remote-chain.ts', 'service/own-chain.ts', 'service/sandbox.ts']);
});

test('an example imports its own files, the client in one file, Node and what it installs', () => {
  const importing = exampleFiles.flatMap((file) =>
    [...readFileSync(join(root, 'examples', file), 'utf8').matchAll(/^(?!\/\/).*\bfrom '(\.[^']+)'/gm)].map(
      (match) => [file, join(file, '..', match[1]!)] as const,
    ),
  );
  const outside = importing.filter(([file, target]) => file.split('/')[0] !== target.split('/')[0]);
  expect(outside.filter(([, target]) => target !== '../sdk/src/florin.ts')).toEqual([]);
  expect([...new Set(outside.map(([file]) => file))].sort()).toEqual([
    'credits-for-programs/florin.ts',
    'edge-handler/lib/florin.ts',
    'express-shop/florin.ts',
    'paid-api/florin.ts',
    'prepaid-api/florin.ts',
    'subscription-app/florin.ts',
  ]);
});

test('source files stay readable: at most 300 lines, kebab-case, no vague names', () => {
  const paths = [
    ...files.map((file) => join('src', file)),
    ...clientFiles.map((file) => `sdk/${file}`),
    ...chainFiles.map((file) => `sandbox-chain/${file}`),
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

test('functions stay under 60 lines; a list of routes may be longer', () => {
  const long = ownSources
    .filter((file) => !/routes\.ts$/.test(file))
    .flatMap((file) =>
      longFunctions(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
    );
  expect(long).toEqual([]);
  expect(longFunctions(`function a() {\n${'x\n'.repeat(60)}}\nfunction b() {\n}\n`)).toEqual([
    'function a() {',
  ]);
});

function longFunctions(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const indent = /^( *)(?:export )?(?:async )?(?:function\*? \w|#?[a-z]\w*\([^;]*\{$)/.exec(line)?.[1];
    if (indent === undefined || /^ *(if|for|while|switch)\b/.test(line)) return [];
    const end = lines.findIndex((other, at) => at > start && other.startsWith(`${indent}}`));
    return end - start > 60 ? [line.trim()] : [];
  });
}

/** Words of our own for which the field has plain ones: find, require, lock, notify, decide, result, ordering key. */
const INVENTED_WORDS =
  /^(takes?|taken|tells?|told|judges?|judged|verdicts?|doors?|lost|shown|appetite|letters?|strays?|arrivals?|lanes?|pasted|voices?)$/;

/** Returns those of these names that have such a word in them, or are called nothing but "rest". */
function withInventedWords(names: readonly string[]): string[] {
  return names.filter((name) => {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .toLowerCase()
      .split(/[^a-z0-9]+/);
    return words.some((word) => INVENTED_WORDS.test(word)) || words.join() === 'rest';
  });
}

/** Returns the names that `text` exports. */
function exportsOf(text: string): string[] {
  const declared = text.matchAll(
    /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name]) => name!),
    ...[...listed].flatMap(([, names]) => [...names!.matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name]) => name!)),
  ];
}

test('files and exports are named in the field’s words', () => {
  const paths = [...files, ...chainFiles].flatMap((file) => withInventedWords([file.replace(/\.ts$/, '')]));
  const names = ownSources.flatMap((file) =>
    withInventedWords(exportsOf(readFileSync(join(root, file), 'utf8'))).map((name) => `${file}: ${name}`),
  );
  expect({ paths, names }).toEqual({ paths: [], names: [] });
  expect(withInventedWords(['takeIntent', 'LANE_MS', 'mail/letter', 'Rest', 'restMs', 'takenover'])).toEqual([
    'takeIntent',
    'LANE_MS',
    'mail/letter',
    'Rest',
  ]);
  expect(exportsOf('export async function a() {}\nexport { b, c as d };\nexport type E = 1;')).toEqual([
    'a',
    'E',
    'b',
    'd',
  ]);
});

test('no test is skipped or runs alone', () => {
  const all = ['src', 'test', 'bench', 'sdk', 'sandbox-chain', 'web/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .map((file) => join(root, folder, file)),
  );
  const marked = /\b(it|test|describe)\.(skip|only|todo|skipIf|runIf)\b/;
  expect(
    all.filter((file) => !file.endsWith('tidy.test.ts') && marked.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});

test('recorded results say nothing of the folders of the machine they were made on', () => {
  const found = ['bench/results', 'test/failover/results'].flatMap((folder) =>
    readdirSync(join(root, folder)).filter((file) =>
      /file:\/\/|node_modules\//.test(readFileSync(join(root, folder, file), 'utf8')),
    ),
  );
  expect(found).toEqual([]);
});
