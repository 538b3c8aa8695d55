import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdit, type Mutant } from './mutant.ts';
import { type CommandResult, runCommand } from './run-command.ts';

export type Outcome =
  | { caught: 'types'; by: string }
  | { caught: 'test' | 'time'; by: string; file: string }
  | { caught: false; tests: number };

/** File with the compiler's knowledge of the unchanged code, so that it reads only what a mutant changed. */
export const TYPES_READ = '.tmp/types.json';

/** A mutant that never ends is noticed too, though by nobody's assertion. */
const LIMIT_MS = 15 * 60_000;

/** Plants the mutant in the temporary tree, asks the types and then the tests, and takes it out again. */
export async function checkMutant(tree: string, mutant: Mutant, tests: readonly string[]): Promise<Outcome> {
  const path = join(tree, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, applyEdit(source, mutant));
  try {
    // To the compiler SQL is text.
    const complaint = mutant.operator.startsWith('sql ') ? undefined : await typeComplaint(tree);
    if (complaint !== undefined) return { caught: 'types', by: complaint };
    return tests.length === 0 ? { caught: false, tests: 0 } : await runTests(tree, tests);
  } finally {
    writeFileSync(path, source);
  }
}

/** The first complaint of the compiler. An import that is no longer used does not count: that is no notice of the bug. */
export async function typeComplaint(tree: string): Promise<string | undefined> {
  const { code, output } = await run(tree, 'tsc', [
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    TYPES_READ,
    '--noUnusedLocals',
    'false',
    '--noUnusedParameters',
    'false',
  ]);
  if (code === 0) return undefined;
  return output.split('\n').find((line) => line.includes('error')) ?? output.slice(0, 200);
}

/** Runs the tests in this order, up to the first failure. */
export async function runTests(tree: string, tests: readonly string[]): Promise<Outcome> {
  const report = join(tree, '.tmp/report.json');
  writeFileSync(report, '{}');
  const result = await run(
    tree,
    'vitest',
    [
      'run',
      '--config',
      'test/mutants/vitest.config.ts',
      '--reporter=json',
      `--outputFile=${report}`,
      ...tests,
    ],
    { MUTANT_TESTS: tests.join(',') },
  );
  if (result.code === 0) return { caught: false, tests: tests.length };
  return { ...firstFailure(tree, JSON.parse(readFileSync(report, 'utf8')), result) };
}

interface VitestReport {
  testResults?: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

function firstFailure(tree: string, report: VitestReport, result: CommandResult): Outcome {
  const failed = report.testResults?.find(({ status }) => status === 'failed');
  const caught = result.isTimedOut ? 'time' : 'test';
  // Without a report the run broke before any test: the database did not start, or a file could not be read.
  if (!failed) return { caught, by: lastWords(result.output), file: '' };
  const assertion = failed.assertionResults.find(({ status }) => status === 'failed');
  const message = assertion?.failureMessages[0] ?? failed.message;
  const isHung = /timed out in \d+ms/.test(message);
  return {
    caught: isHung ? 'time' : caught,
    by: assertion?.fullName.trim() ?? `cannot start: ${failed.message.split('\n')[0]}`,
    file: failed.name.slice(tree.length + 1),
  };
}

function lastWords(output: string): string {
  return `no test could start: ${output.split('\n').filter((line) => /error/i.test(line))[0] ?? output.slice(-200)}`;
}

/** Temporary files of the tests go into the tree too, and with it. */
function run(
  tree: string,
  program: string,
  args: string[],
  more: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  return runCommand(join(tree, 'node_modules/.bin', program), args, {
    cwd: tree,
    env: {
      ...env,
      ...more,
      TMPDIR: join(tree, '.tmp'),
      PATH: `${join(tree, 'node_modules/.bin')}:${env.PATH}`,
      NO_COLOR: '1',
    },
    limitMs: LIMIT_MS,
  });
}
