import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { circumstances } from '../../bench/record.ts';
import type { Verdict } from './shop-check.ts';

const RESULTS = join(import.meta.dirname, '../failover/results');
const GUIDE = join(import.meta.dirname, '../../docs/failover.md');

/** Keeps the whole result with what one needs to judge it, and writes what it says to people into its place in the guide. */
export async function recordRun(
  name: string,
  result: object,
  loadAtStart: number,
  text: string,
): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const { machine, ...when } = await circumstances(loadAtStart);
  // PostgreSQL is not always the one that circumstances() knows, so each result names its own.
  const { postgres: _, ...place } = machine;
  const record = { ...when, machine: place, ...result };
  await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify(record, null, 2)}\n`);
  const section = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*(?=<!-- end of ${name} -->)`);
  const guide = await readFile(GUIDE, 'utf8');
  await writeFile(
    GUIDE,
    guide.replace(section, () => `${text}\n${when.date.slice(0, 10)}, commit ${when.commit}.\n`),
  );
}

/** Text for the guide. */
export function verdictText(verdict: Verdict): string {
  const { lost, doubled, numberGaps, undelivered, wrongNotices } = verdict;
  return `${count(verdict.acknowledged)} acknowledged writes, ${count(verdict.payments)} of them payments on chain, and ${count(verdict.events)} events: ${lost.length} lost,
${doubled.length} doubled, ${numberGaps.length} gaps in invoice numbers, ${undelivered.length} events not delivered, ${wrongNotices.length} webhooks that say something else than the books.`;
}

export const count = (number: number) => number.toLocaleString('en-US');
export const seconds = (ms: number) => (ms / 1_000).toFixed(1);

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, number) => sum + number, 0) / middle.length;
}

/** Makes a row for each fault: how often it happened, the median and the longest gap. */
export function gapRows(rounds: readonly { fault: string; gapMs: number }[]): string[][] {
  return [...Map.groupBy(rounds, ({ fault }) => fault)].map(([fault, same]) => {
    const gaps = same.map(({ gapMs }) => gapMs);
    return [fault, String(same.length), `${seconds(median(gaps))} s`, `${seconds(Math.max(...gaps))} s`];
  });
}

export function gapTable(head: string, rounds: readonly { fault: string; gapMs: number }[]): string {
  const rows = gapRows(rounds).map((cells) => `| ${cells.join(' | ')} |`);
  return `| ${head} | rounds | median gap | longest gap |\n| --- | --- | --- | --- |\n${rows.join('\n')}`;
}
