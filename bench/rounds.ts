/** One comparison: both sides measured one after the other, under the same weather. */
export interface Round {
  /** Name of the comparison, if a bench makes several. */
  of?: string;
  ours: number;
  yardstick: number;
  /** Ours ÷ yardstick. */
  ratio: number;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Sides {
  of?: string;
  ours(seconds: number): Promise<number>;
  yardstick(seconds: number): Promise<number>;
}

export interface Timing {
  rounds: number;
  /** Seconds for which each side is measured in a round, in two halves. */
  secondsEach: number;
}

/** Measures both sides in turn, after each has been measured once for nothing. */
export async function alternate(
  sides: Sides,
  { rounds, secondsEach }: Timing,
  say: (line: string) => void,
): Promise<Round[]> {
  const name = sides.of ? `${sides.of}, ` : '';
  say(`${name}warm-up`);
  await measureRound(sides, secondsEach);
  const measured: Round[] = [];
  for (let i = 1; i <= rounds; i++) {
    const round = await measureRound(sides, secondsEach);
    measured.push(round);
    say(`${name}round ${i} of ${rounds}: ${round.ratio.toFixed(2)}`);
  }
  return measured;
}

/**
 * Ours, yardstick, yardstick, ours: so a table that grows or a machine that slows down meanwhile favours
 * neither.
 */
export async function measureRound(sides: Sides, secondsEach: number): Promise<Round> {
  const seconds = secondsEach / 2;
  const first = await sides.ours(seconds);
  const second = await sides.yardstick(seconds);
  const yardstick = (second + (await sides.yardstick(seconds))) / 2;
  const ours = (first + (await sides.ours(seconds))) / 2;
  return { ...(sides.of && { of: sides.of }), ours, yardstick, ratio: ours / yardstick };
}

export function spreadOf(rounds: readonly Round[]): Spread {
  const ratios = rounds.map((round) => round.ratio).sort((a, b) => a - b);
  const middle = ratios.length / 2;
  const median = (ratios[Math.ceil(middle) - 1]! + ratios[Math.floor(middle)]!) / 2;
  return { median, min: ratios[0]!, max: ratios.at(-1)! };
}

/** The value that `percent` of them do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!;
}

/** The middle time of one read after the other, so that other load on the machine affects both. */
export async function readInTurn(
  of: string,
  reads: { ours(turn: number): Promise<number>; yardstick(turn: number): Promise<number> },
  turns: number,
): Promise<Round> {
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    ours.push(await reads.ours(turn));
    yardstick.push(await reads.yardstick(turn));
  }
  const [slow, usual] = [percentile(ours, 50), percentile(yardstick, 50)];
  return { of, ours: slow, yardstick: usual, ratio: usual / slow };
}
