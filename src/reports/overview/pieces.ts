import { DAY_MS } from '../../platform/lib/clock.ts';
import { cover, floored, type SpanName } from './spans.ts';

/** Totals, and the bucket that they are added to and the one that they are taken from; null where that is outside. */
export interface Piece {
  span: SpanName;
  from: Date;
  to: Date;
  bucket: number | null;
  minus: number | null;
}

/**
 * The fewest totals that tell what is between each two `bounds`: whole UTC days where none is divided; of a day that is,
 * the shorter parts, and the longest as the day without them.
 */
export function piecesOf(bounds: readonly Date[]): Piece[] {
  const times = bounds.map((at) => at.getTime());
  const pieces: Piece[] = [];
  let next = 0;
  for (let day = floored(times[0]!, 'day'); day < times.at(-1)!; day += DAY_MS) {
    while (times[next]! <= day) next++;
    const first = next - 1;
    while (times[next]! < day + DAY_MS) next++;
    pieces.push(...piecesOfDay(day, times.slice(first + 1, next), first));
  }
  const inRange = (bucket: number | null) =>
    bucket !== null && bucket >= 0 && bucket < times.length - 1 ? bucket : null;
  return pieces
    .map((piece) => ({ ...piece, bucket: inRange(piece.bucket), minus: inRange(piece.minus) }))
    .filter(({ bucket, minus }) => bucket !== null || minus !== null);
}

/** `inside` are the bounds that divide the day, and `first` is the bucket that it begins in. */
function piecesOfDay(day: number, inside: readonly number[], first: number): Piece[] {
  const starts = [day, ...inside];
  const parts = starts.map((from, i) => ({ from, to: starts[i + 1] ?? day + DAY_MS, bucket: first + i }));
  const longest = parts.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
  return parts.flatMap((part): Piece[] =>
    part === longest
      ? [{ ...spanOf(day), bucket: part.bucket, minus: null }]
      : cover(part.from, part.to, ['hour', 'quarter']).map((span) => ({
          ...{ ...span, bucket: part.bucket, minus: longest.bucket },
        })),
  );
}

const spanOf = (day: number) => ({ span: 'day' as const, from: new Date(day), to: new Date(day + DAY_MS) });
