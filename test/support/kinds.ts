import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Kinds of tests, cheapest first: what a file reaches by its imports says which it is. */
export const KINDS = ['unit', 'service', 'random', 'process', 'interop', 'browser'] as const;
export type Kind = (typeof KINDS)[number];

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'test', 'bench', 'scripts', 'sdk', 'sandbox-chain', 'site', 'web'];

/** Lists the test files of each kind, from the root of the project. */
export function listTests(root = ROOT): Record<Kind, string[]> {
  const files = FOLDERS.flatMap((folder) =>
    globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude: (path) => path.includes('node_modules') }),
  );
  const tests: Record<Kind, string[]> = {
    unit: [],
    service: [],
    random: [],
    process: [],
    interop: [],
    browser: [],
  };
  for (const file of files.sort()) tests[kindOf(file, root)].push(file);
  return tests;
}

function kindOf(file: string, root: string): Kind {
  const texts = textsOf(file, root);
  if (file.startsWith('test/interop/')) return 'interop';
  if (texts.some((text) => /from 'playwright-core'/.test(text))) return 'browser';
  if (texts.some((text) => /from 'node:child_process'/.test(text))) return 'process';
  if (!texts.some((text) => /from '[^']*\/db\/(database|embedded-postgres)\.ts'/.test(text))) return 'unit';
  return /from 'fast-check'|\bseeds?\b/i.test(texts[0]!) ? 'random' : 'service';
}

/** Texts of a test and of all that it imports from outside the service. */
function textsOf(file: string, root: string): string[] {
  const known = new Map<string, string>();
  const read = (path: string) => {
    if (known.has(path) || !existsSync(join(root, path))) return;
    const text = readFileSync(join(root, path), 'utf8').replace(/^import type [^;]*;/gm, '');
    known.set(path, text);
    for (const [, target] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.ts)'/g)) {
      const found = relative(root, join(root, dirname(path), target!));
      if (!/^(site|src|web)\//.test(found)) read(found);
    }
  };
  read(file);
  return [...known.values()];
}
