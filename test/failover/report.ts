import { count, gapRows, gapTable, median, recordRun, seconds, verdictText } from '../support/record-run.ts';
import type { Verdict } from '../support/shop-check.ts';
import type { Through } from './cluster.ts';

export interface Round {
  fault: string;
  /** The longest time in it without any acknowledged write. */
  gapMs: number;
  problems: string[];
}

export interface Report {
  through: Through;
  isAsynchronous: boolean;
  /** Versions of the programs, as Debian packages them. */
  versions: Record<string, string>;
  rounds: Round[];
  durationMs: number;
  /** Load of the machine by other things. */
  loadAtStart: number;
  verdict: Verdict;
  /** Number of answers of each kind that clients got. */
  answers: Record<string, number>;
  slowestAnswerMs: number;
  /** Further problems that must not have happened. */
  problems: string[];
  isClean: boolean;
}

const SHOWN = 5;

export function reportText(report: Report): string {
  const { verdict, rounds, answers } = report;
  const lists = {
    lost: verdict.lost,
    doubled: verdict.doubled,
    'invoice numbers missing or given twice': verdict.numberGaps,
    'events not delivered': verdict.undelivered,
    'webhooks that say something else than the books': verdict.wrongNotices,
    'complaints of florin doctor and florin reconcile': verdict.complaints,
    'other problems': report.problems,
  };
  const gaps = rounds.map(({ gapMs }) => gapMs);
  const said = Object.entries(answers).map(([answer, times]) => `${times} × ${answer}`);
  return [
    '',
    `${rounds.length} rounds through ${report.through}${report.isAsynchronous ? ', asynchronous' : ''}, ${seconds(report.durationMs)} s`,
    `${verdict.acknowledged} acknowledged, of these ${verdict.payments} payments; ${verdict.events} events`,
    ...Object.entries(lists).flatMap(([name, found]) => [
      `${found.length} ${name}`,
      ...found.slice(0, SHOWN).map((one) => `    ${one}`),
    ]),
    `answers: ${said.join(', ')}; the slowest took ${seconds(report.slowestAnswerMs)} s`,
    `longest time without an acknowledged write ${seconds(Math.max(...gaps))} s, median ${seconds(median(gaps))} s`,
    ...gapRows(rounds).map((row) => `    ${row.join(', ')}`),
    report.isClean ? 'clean' : 'NOT CLEAN',
    '',
  ].join('\n');
}

/**
 * Records a report in the guide, under the way by which the service reached the leader; without synchronous mode as
 * what that costs.
 */
export async function recordReport(report: Report): Promise<void> {
  const { rounds, verdict, answers, slowestAnswerMs, isAsynchronous, through, loadAtStart } = report;
  const total = Object.values(answers).reduce((sum, times) => sum + times, 0);
  const text = `${gapTable('what happened to the leader', rounds)}

${verdictText(verdict)}
Of ${count(total)} answers ${count(answers['503'] ?? 0)} were \`503\` with \`Retry-After\`; the slowest took ${seconds(slowestAnswerMs)} s.`;
  await recordRun(isAsynchronous ? 'asynchronous' : through, report, loadAtStart, text);
}
