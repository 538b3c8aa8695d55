import { percentile } from '../rounds.ts';
import type { Work } from './count-work.ts';
import type { Driven } from './drive.ts';
import type { Flow } from './peer.ts';

/** Measurements of one way to request a payment. */
export interface Measured {
  flow: Flow;
  idleMb: number;
  loadedMb: number;
  perSecond: number[];
  alone: Driven;
  work: Work | undefined;
}

/** One line for each way to ask for a payment. */
export function peersTable(measured: readonly Measured[], callers: number): string {
  const head = [
    'payment',
    'requests',
    `payments/s, ${callers} callers`,
    'requests/s',
    'one caller, p50 / p95',
    'memory, idle / after load',
    'statements',
    'commits',
    'rows written',
  ];
  const rows = measured.map((one) => {
    const median = percentile(one.perSecond, 50);
    const range = `${figure(Math.min(...one.perSecond))} to ${figure(Math.max(...one.perSecond))}`;
    const work: Partial<Work> = one.work ?? {};
    const { statements = '-', commits = 'none, in memory', rowsWritten = '-' } = work;
    return [
      one.flow.what,
      one.flow.requests,
      `${figure(median)} (${range})`,
      figure(median * one.flow.requests),
      `${figure(one.alone.p50Ms)} / ${figure(one.alone.p95Ms)} ms`,
      `${one.idleMb.toFixed(0)} / ${one.loadedMb.toFixed(0)} MB`,
      ...[statements, commits, rowsWritten],
    ];
  });
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function figure(value: number): string {
  return value.toFixed(value < 20 ? 1 : 0);
}
