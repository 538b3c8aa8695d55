import { PATHS } from './mix.ts';
import type { PathTimes } from './open-loop.ts';

/** Figures that a shop and its customers notice; the rest is in the recorded result. */
const SHOWN = [
  'createIntent',
  'createSession',
  'openPage',
  'told',
  'settled',
  'webhook',
  'usage',
  'renewal',
  'list',
  'home',
  'search',
] as const;

/** A part of the README of the benches: how long things take on a machine that is about as busy as it should ever be. */
export function daySection(
  paths: Record<string, PathTimes>,
  { busy, seconds, where }: { busy: number; seconds: number; where: string },
): string {
  const rows = SHOWN.flatMap((name) => {
    const times = paths[PATHS[name]];
    if (!times) return [];
    const cells = [times.p50Ms, times.p95Ms, times.p99Ms].map(milliseconds);
    return [`| ${PATHS[name]} | ${cells.join(' | ')} |`];
  });
  return `## What a day feels like

Everything at once on one machine (${where}), ${Math.round(busy * 100)} % busy for ${duration(seconds)}: the service, its database, the chain and everybody
who uses them. Counted from the moment each was due.

| | p50 | p95 | p99 |
| --- | ---: | ---: | ---: |
${rows.join('\n')}

`;
}

function milliseconds(ms: number): string {
  return ms < 1_000 ? `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function duration(seconds: number): string {
  return seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}
