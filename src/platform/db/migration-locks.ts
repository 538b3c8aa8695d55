import type { Migration } from './migrations.ts';
import { outlineOf, splitAtCommas, splitStatements } from './split-statements.ts';

/** Named as in pg_locks. Weaker ones let everybody read and write, and are not listed. */
export type LockMode =
  | 'ShareUpdateExclusiveLock'
  | 'ShareLock'
  | 'ShareRowExclusiveLock'
  | 'AccessExclusiveLock';

/** Operations on the table that each lock blocks for others. */
export const BLOCKS: Readonly<Record<string, 'nothing' | 'writes' | 'reads and writes'>> = {
  ShareUpdateExclusiveLock: 'nothing',
  ShareLock: 'writes',
  ShareRowExclusiveLock: 'writes',
  ExclusiveLock: 'writes',
  AccessExclusiveLock: 'reads and writes',
};

export interface ExpectedLock {
  table: string;
  mode: LockMode;
  /** The work done under it: a change of the catalog, or something that grows with the table. */
  work: 'moment' | 'scan' | 'rewrite';
}

interface Effect {
  locks?: ExpectedLock[];
  creates?: string;
  validates?: string;
  /** Takes away what releases before it may use. */
  contracts?: true;
  /** May run again after it was interrupted. */
  repeats?: true;
  problem?: string;
}

/**
 * Finds the locks a migration takes, as far as its text says, and what is wrong with it on a large database in use.
 */
export function examineMigration(migration: Migration): { locks: ExpectedLock[]; problems: string[] } {
  const outlines = splitStatements(migration.sql).map(outlineOf);
  // A table of few rows is rewritten in a moment, as a new one is.
  const created = new Set(migration.fewRows === null ? [] : [migration.fewRows]);
  const file: FileSoFar = { mode: migration.mode, created, validated: new Set() };
  const locks: ExpectedLock[] = [];
  const problems = problemsOfMarks(migration, outlines.length);
  for (const outline of outlines) {
    for (const effect of effectsOf(outline, file)) {
      if (effect.creates) file.created.add(effect.creates);
      if (effect.validates) file.validated.add(effect.validates);
      const onOthers = (effect.locks ?? []).filter(({ table }) => !file.created.has(table));
      locks.push(...onOthers);
      const isForNew = effect.locks !== undefined && onOthers.length === 0;
      if (effect.problem && !isForNew) problems.push(`${outline.slice(0, 70)}: ${effect.problem}`);
      if (effect.contracts && !isForNew && migration.needsSchema === 0)
        problems.push(`${outline.slice(0, 70)}: takes away what older releases use, so it does not expand`);
      if (migration.mode === 'statements' && !effect.repeats)
        problems.push(`${outline.slice(0, 70)}: cannot run again after an interruption`);
    }
  }
  return { locks, problems };
}

interface FileSoFar {
  mode: Migration['mode'];
  created: Set<string>;
  validated: Set<string>;
}

function problemsOfMarks({ number, mode, needsSchema }: Migration, statementsCount: number): string[] {
  const problems: string[] = [];
  if (needsSchema === null) problems.push('says neither -- @expands nor -- @needs-schema <number>');
  else if (needsSchema >= number)
    problems.push('needs a release that nobody runs yet: the previous one must work');
  if (mode === 'batches' && statementsCount !== 1) problems.push('runs in batches, so it is one statement');
  return problems;
}

function effectsOf(outline: string, file: FileSoFar): Effect[] {
  const altered = /^alter table (?:if exists )?(?:only )?(\w+) (.+)$/.exec(outline);
  if (altered) return splitAtCommas(altered[2]!).map((action) => effectOfAction(altered[1]!, action, file));
  for (const [pattern, effect] of STATEMENTS) {
    const match = pattern.exec(outline);
    if (match) return [effect(match, file)];
  }
  return [{ problem: 'what it locks is not known; migration-locks.ts has to learn it' }];
}

type Rule = readonly [RegExp, (match: RegExpExecArray, file: FileSoFar) => Effect];

const lock = (table: string, mode: LockMode, work: ExpectedLock['work'] = 'moment'): ExpectedLock => ({
  table,
  mode,
  work,
});

/** Each table that a foreign key points to gets triggers. */
const referenced = (text: string): ExpectedLock[] =>
  [...text.matchAll(/ references (\w+)/g)].map(([, table]) => lock(table!, 'ShareRowExclusiveLock'));

const STATEMENTS: readonly Rule[] = [
  [
    /^create table (?:if not exists )?(\w+)/,
    ({ 1: table, input }) => ({
      creates: table!,
      locks: [lock(table!, 'AccessExclusiveLock'), ...referenced(input)],
    }),
  ],
  [
    /^create (?:unique )?index concurrently (?:if not exists )?\w+ on (?:only )?(\w+)/,
    ({ 1: table }, { mode }) => ({
      locks: [lock(table!, 'ShareUpdateExclusiveLock', 'scan')],
      repeats: true,
      ...(mode !== 'statements' && { problem: 'only in a file that says -- @each-statement-alone' }),
    }),
  ],
  [
    /^create (?:unique )?index (?:if not exists )?\w+ on (?:only )?(\w+)/,
    ({ 1: table }) => ({
      locks: [lock(table!, 'ShareLock', 'scan')],
      problem: 'an index of an existing table is created concurrently',
    }),
  ],
  [
    /^drop index concurrently if exists (\w+)/,
    ({ 1: index }) => ({ locks: [lock(`table of ${index}`, 'ShareUpdateExclusiveLock')], repeats: true }),
  ],
  [
    /^drop index (?:if exists )?(\w+)/,
    ({ 1: index }) => ({ locks: [lock(`table of ${index}`, 'AccessExclusiveLock')] }),
  ],
  [
    /^drop table (?:if exists )?(\w+)/,
    ({ 1: table }) => ({ locks: [lock(table!, 'AccessExclusiveLock')], contracts: true }),
  ],
  [
    /^create (?:or replace )?(?:constraint )?trigger \w+ .*? on (\w+)/,
    ({ 1: table }) => ({ locks: [lock(table!, 'ShareRowExclusiveLock')] }),
  ],
  [
    /^drop trigger (?:if exists )?\w+ on (\w+)/,
    ({ 1: table }) => ({ locks: [lock(table!, 'AccessExclusiveLock')] }),
  ],
  [/^drop function /, () => ({ contracts: true })],
  [/^(?:create (?:or replace )?function|create sequence|comment on) /, () => ({})],
  [/^insert into \w+ (?:\([^)]*\) )?values /, () => ({})],
  [
    /^(?:with .*?)?\b(?:insert into|update|delete from) (?:only )?(\w+)/,
    ({ 1: table }, { mode, created }) =>
      mode === 'batches' || created.has(table!)
        ? {}
        : { problem: 'rows are changed in a file that says -- @in-batches' },
  ],
];

const NEW_COLUMN_SCANS = /\b(?:check \(|check\(|references |unique\b|primary key\b)/;
/** `now()` is the same for every row, so the column needs no rewrite. */
const NEW_COLUMN_REWRITES =
  /\bdefault \(?(?!now\()[a-z_.]+ ?\(| stored\b|\bidentity\b|\b(?:big|small)?serial\b/;

function effectOfAction(table: string, action: string, file: FileSoFar): Effect {
  const strong = (work: ExpectedLock['work'] = 'moment') => [lock(table, 'AccessExclusiveLock', work)];
  if (/^add constraint \w+ foreign key .* not valid$/.test(action))
    return { locks: [lock(table, 'ShareRowExclusiveLock'), ...referenced(action)] };
  if (/^add constraint \w+ (?:check .* not valid$|(?:unique|primary key) using index )/.test(action))
    return { locks: strong() };
  if (/^add (?:constraint|check|foreign key|unique|primary key|exclude)\b/.test(action))
    return { locks: strong('scan'), problem: 'a constraint is added as not valid, or using an index' };
  if (/^validate constraint /.test(action))
    return {
      locks: [lock(table, 'ShareUpdateExclusiveLock', 'scan')],
      ...{ validates: table, repeats: true },
      ...(file.mode !== 'statements' && { problem: 'only in a file that says -- @each-statement-alone' }),
    };
  if (/^add /.test(action)) return effectOfNewColumn(action, strong);
  if (/^alter (?:column )?\w+ (?:set data )?type /.test(action))
    return { locks: strong('rewrite'), problem: 'a new type is a new column' };
  if (/^alter (?:column )?\w+ set not null$/.test(action)) {
    const isProven = file.mode === 'statements' && file.validated.has(table);
    const problem = 'not null comes after a check of it is validated in the same file';
    return isProven ? { locks: strong(), repeats: true } : { locks: strong('scan'), problem };
  }
  if (/^drop constraint /.test(action))
    return { locks: strong(), ...(/^drop constraint if exists /.test(action) && { repeats: true }) };
  if (/^(?:drop|rename) /.test(action)) return { locks: strong(), contracts: true };
  if (/^(?:alter (?:column )?\w+ (?:set|drop) |(?:enable|disable) trigger |set \(|reset \()/.test(action))
    return { locks: strong() };
  return {
    locks: strong('rewrite'),
    problem: 'what it does is not known; migration-locks.ts has to learn it',
  };
}

function effectOfNewColumn(action: string, strong: (work?: ExpectedLock['work']) => ExpectedLock[]): Effect {
  if (NEW_COLUMN_REWRITES.test(action))
    return { locks: strong('rewrite'), problem: 'a value that differs from row to row rewrites the table' };
  if (NEW_COLUMN_SCANS.test(action))
    return {
      locks: strong('scan'),
      problem: 'a column with a constraint reads the whole table: add it as not valid',
    };
  return { locks: strong() };
}
