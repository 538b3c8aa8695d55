import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** Tests as in vitest.config.ts, without those that need a browser's build of another package. */
const TESTS = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const SOURCES = ['src/**/*.ts', 'test/**/*.ts'];

/** These look at the shape of the code or of the documents, and would "catch" a mutant for its looks. */
const NOT_COVERING =
  /(^|\/)(tidy|docs|doc-blocks|dependencies|mutants)\.test\.ts$|^test\/(mutants|manual|interop)\//;

/** Maps each file to the tests that run it: from the imports, and from the words a file and a test have in common. */
export class TestMap {
  readonly #texts = new Map<string, string>();
  readonly #imports = new Map<string, string[]>();
  readonly #tests: string[];
  readonly #reached = new Map<string, Set<string>>();

  constructor(root: string) {
    const skipped = (file: string) => file.includes('node_modules');
    for (const file of globSync(SOURCES, { cwd: root, exclude: skipped })) {
      const text = readFileSync(join(root, file), 'utf8');
      this.#texts.set(file, text);
      this.#imports.set(file, importsOf(file, text));
    }
    this.#tests = globSync(TESTS, { cwd: root, exclude: skipped })
      .filter((file) => !NOT_COVERING.test(file))
      .sort();
  }

  /** The tests that run the mutant's file, the likeliest to notice first; at most `limit`, but all of its own folder. */
  choose(mutant: Mutant, source: string, limit: number): string[] {
    const words = this.#wordsAround(mutant, source);
    return this.#tests
      .filter((test) => this.#covers(test, mutant.file))
      .map((test) => ({ test, score: this.#score(test, mutant.file, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.test < b.test ? -1 : 1))
      .filter(({ test }, rank) => rank < limit || isBeside(test, mutant.file))
      .map(({ test }) => test);
  }

  /** A migration is run by every test with a database; the dump of the schema is the first to differ. */
  #covers(test: string, file: string): boolean {
    if (file.endsWith('.sql')) return /schema-dump|\.db\.test\.ts$/.test(test);
    return this.#reachedFrom(test).has(file);
  }

  #score(test: string, file: string, words: ReadonlyMap<string, number>): number {
    if (file.endsWith('.sql') && test.includes('schema-dump')) return 1_000;
    const isItsOwn = basename(test).replace(/(\.db)?\.test\.ts$/, '') === basename(file, '.ts');
    const text = this.#texts.get(test)!;
    let score = 0;
    for (const [word, weight] of words) if (text.includes(word)) score += weight;
    if (isBeside(test, file)) score = score * 2 + 5 + (isItsOwn ? 20 : 0);
    if (this.#imports.get(test)!.includes(file)) score += 10;
    // A journey through a browser takes ten times as long as a test of the same rule beside its file.
    return test.startsWith('test/') ? score / 2 : score;
  }

  /**
   * Names, codes, statuses and paths in the mutant's function and its file, and in the files of the folder that call
   * that function. A word that few tests use says more than one that all of them do.
   */
  #wordsAround(mutant: Mutant, source: string): Map<string, number> {
    const around = source.slice(Math.max(0, mutant.start - 1_500), mutant.end + 1_500);
    const name = functionAround(source, mutant.start);
    const callers = [...this.#texts]
      .filter(([file]) => isBeside(file, mutant.file) && file !== mutant.file && !file.endsWith('.test.ts'))
      .filter(([, text]) => name !== undefined && text.includes(name))
      .map(([, text]) => text);
    const weights = new Map<string, number>();
    const add = (text: string, factor: number) => {
      for (const word of wordsOf(text)) {
        const users = this.#tests.filter((test) => this.#texts.get(test)!.includes(word)).length;
        if (users > 0 && users < this.#tests.length / 4)
          weights.set(word, Math.max(weights.get(word) ?? 0, (factor * 4) / (1 + users)));
      }
    };
    add(around, 2);
    add(source, 1);
    for (const caller of callers) add(caller, 0.5);
    return weights;
  }

  #reachedFrom(file: string): Set<string> {
    const known = this.#reached.get(file);
    if (known) return known;
    const reached = new Set([file]);
    for (const next of reached) for (const target of this.#imports.get(next) ?? []) reached.add(target);
    this.#reached.set(file, reached);
    return reached;
  }
}

function isBeside(one: string, other: string): boolean {
  return dirname(one) === dirname(other);
}

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map((match) =>
    join(dirname(file), match[1]!),
  );
}

/** The name of the function declared last before `offset`. */
function functionAround(source: string, offset: number): string | undefined {
  return [...source.slice(0, offset).matchAll(/\bfunction (\w+)/g)].at(-1)?.[1];
}

function wordsOf(text: string): Set<string> {
  const exported = [...text.matchAll(/export (?:async )?(?:function|const|class) (\w+)/g)];
  const codes = [...text.matchAll(/'([A-Z]{3,}(?:_[A-Z]+)*)'/g)];
  const phrases = [...text.matchAll(/'([\w-]+[ .:][^'\n]{3,60})'/g)];
  const segments = [...text.matchAll(/path: '([^']+)'/g)].flatMap((path) => [
    ...path[1]!.matchAll(/(\/[a-z-]+)(?=$|\/|\{)/g),
  ]);
  const fields = [...text.matchAll(/\b([a-z]+[A-Z]\w{3,})\b/g)];
  const all = [exported, codes, phrases, segments, fields].flat().map((match) => match[1]!);
  return new Set(all.filter((word) => word.length > 4));
}
