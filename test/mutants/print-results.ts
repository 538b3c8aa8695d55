import type { Outcome } from './check-mutant.ts';
import { describeMutant, type Mutant } from './mutant.ts';

export interface Result {
  mutant: Mutant;
  outcome: Outcome;
}

const PLAIN = { types: 'types', test: 'caught', time: 'hung' } as const;

export function resultLine({ mutant, outcome }: Result): string {
  const word = outcome.caught === false ? 'SURVIVED' : PLAIN[outcome.caught];
  return `${word.padEnd(8)} ${mutant.file}:${mutant.line}  [${mutant.operator}] ${describeMutant(mutant)}\n         ${reason(outcome)}`;
}

export function countResults(results: readonly Result[]) {
  const count = (caught: Outcome['caught']) =>
    results.filter(({ outcome }) => outcome.caught === caught).length;
  const survived = count(false);
  const percent = results.length === 0 ? 100 : ((results.length - survived) / results.length) * 100;
  return {
    all: results.length,
    tests: count('test'),
    hung: count('time'),
    types: count('types'),
    survived,
    percent,
  };
}

export function summaryLine(results: readonly Result[]): string {
  const { all, tests, hung, types, survived, percent } = countResults(results);
  return `${all} mutants: ${tests} caught by a test, ${hung} by a time limit, ${types} by the types, ${survived} survived (${percent.toFixed(1)} % caught)`;
}

/** The table for the record. */
export function markdownTable(results: readonly Result[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const code = (text: string) => `\`${cell(text).replaceAll('`', "'")}\``;
  const rows = results.map(
    ({ mutant, outcome }, at) =>
      `| ${at + 1} | ${code(`${mutant.file}:${mutant.line}`)} | ${mutant.operator} | ${code(describeMutant(mutant))} | ${cell(reason(outcome))} |`,
  );
  return ['| # | where | operator | bug | caught by |', '| --- | --- | --- | --- | --- |', ...rows, ''].join(
    '\n',
  );
}

function reason(outcome: Outcome): string {
  if (outcome.caught === false) return `SURVIVED ${outcome.tests} test files`;
  if (outcome.caught === 'types') return `types: ${outcome.by}`;
  return `${outcome.file}: ${outcome.by}`;
}
