import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkMutant, runTests, TYPES_READ, typeComplaint } from './check-mutant.ts';
import { TestMap } from './choose-tests.ts';
import { findMutants } from './find-mutants.ts';
import { describeMutant, type Mutant } from './mutant.ts';
import { countResults, markdownTable, type Result, resultLine, summaryLine } from './print-results.ts';
import { endCommands } from './run-command.ts';
import { sampleMutants } from './sample-mutants.ts';
import { listTargets } from './targets.ts';
import { createTemporaryTree, removeAbandonedTrees, removeTemporaryTree } from './temporary-tree.ts';

/**
 * `npm run mutants -- --seed 1`: plants bugs one at a time in a copy of the tree and sees whether the tests notice.
 * Ends with 1 only where `--fail-under` asks for it, or where the unchanged code fails.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    skip: { type: 'string', default: '0' },
    only: { type: 'string', multiple: true },
    root: { type: 'string', default: join(import.meta.dirname, '../..') },
    tests: { type: 'string', default: '16' },
    jobs: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    record: { type: 'string' },
    'fail-under': { type: 'string' },
  },
});
const root = values.root;
/** `--only file.ts:68` is one line of a file: to look at a survivor again. */
const LINE = /:\d+$/;
const isWanted = ({ file, line }: Mutant) =>
  !values.only?.every((only) => LINE.test(only)) || values.only.includes(`${file}:${line}`);
const say = (line: string) => process.stdout.write(`${line}\n`);

const mutants = findMutants(
  root,
  listTargets(
    root,
    values.only?.map((only) => only.replace(LINE, '')),
  ),
).filter(isWanted);
if (values.list) list(mutants);
else
  await check(
    sampleMutants(mutants, Number(values.seed), Number(values.count) + Number(values.skip)).slice(
      Number(values.skip),
    ),
  );

function list(all: readonly Mutant[]): void {
  for (const mutant of all)
    say(`${mutant.file}:${mutant.line}  [${mutant.operator}] ${describeMutant(mutant)}`);
  for (const [operator, pile] of Map.groupBy(all, (mutant) => mutant.operator))
    say(`${String(pile.length).padStart(6)} ${operator}`);
  say(`${String(all.length).padStart(6)} mutants`);
}

async function check(sample: readonly Mutant[]): Promise<void> {
  const trees: string[] = [];
  const clean = () => {
    endCommands();
    while (trees.length > 0) removeTemporaryTree(trees.pop()!);
  };
  process.once('exit', clean);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  removeAbandonedTrees();
  const jobs = Math.min(Number(values.jobs), Math.max(sample.length, 1));
  while (trees.length < jobs) trees.push(createTemporaryTree(root));
  const complaint = await typeComplaint(trees[0]!);
  if (complaint) throw new Error(`the unchanged code does not compile: ${complaint}`);
  for (const tree of trees.slice(1)) cpSync(join(trees[0]!, TYPES_READ), join(tree, TYPES_READ));
  const results = await checkAll(sample, [...trees]);
  await confirm(trees[0]!, results);
  say(`\n${summaryLine(results)}`);
  if (values.record) writeFileSync(values.record, `${markdownTable(results)}\n${summaryLine(results)}\n`);
  if (values['fail-under'] && countResults(results).percent < Number(values['fail-under']))
    process.exitCode = 1;
}

/** Each tree takes the next mutant when it is done with its last; the answers stay in the order of the sample. */
async function checkAll(sample: readonly Mutant[], trees: readonly string[]): Promise<Result[]> {
  const map = new TestMap(root);
  const results: Result[] = [];
  const waiting = sample.entries();
  const work = async (tree: string) => {
    for (const [at, mutant] of waiting) {
      const tests = map.choose(mutant, readFileSync(join(tree, mutant.file), 'utf8'), Number(values.tests));
      results[at] = { mutant, outcome: await checkMutant(tree, mutant, tests) };
      say(resultLine(results[at]));
    }
  };
  await Promise.all(trees.map(work));
  return results;
}

/** A test that fails without any mutant has caught nothing: every test that claims one must pass on the unchanged code. */
async function confirm(tree: string, results: readonly Result[]): Promise<void> {
  const claiming = new Set(results.flatMap(({ outcome }) => ('file' in outcome && outcome.file) || []));
  if (claiming.size === 0) return;
  const outcome = await runTests(tree, [...claiming].sort());
  if (outcome.caught === false) {
    say(`\nThe ${claiming.size} test files that caught something pass on the unchanged code.`);
    return;
  }
  say(`\nOn the unchanged code this fails too, so what it caught does not count: ${JSON.stringify(outcome)}`);
  process.exitCode = 1;
}
