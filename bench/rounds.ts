/** One comparison: both sides measured one after the other, under the same weather. */
export interface Round {
  /** Which of several comparisons this is, where a bench makes more than one. */
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
  secondsEach: number;
  warmUpSeconds: number;
}

/**
 * Measures both sides in turn. Who goes first changes every round, so that a table that grows or a machine
 * that slows down favours neither.
 */
export async function alternate(
  sides: Sides,
  { rounds, secondsEach, warmUpSeconds }: Timing,
  say: (line: string) => void,
): Promise<Round[]> {
  const name = sides.of ? `${sides.of}, ` : '';
  say(`${name}warm-up`);
  await sides.ours(warmUpSeconds);
  await sides.yardstick(warmUpSeconds);
  const measured: Round[] = [];
  for (let i = 0; i < rounds; i++) {
    const round = await measureRound(sides, secondsEach, i % 2 === 1);
    measured.push(round);
    say(`${name}round ${i + 1} of ${rounds}: ${round.ratio.toFixed(2)}`);
  }
  return measured;
}

export async function measureRound(sides: Sides, seconds: number, yardstickFirst: boolean): Promise<Round> {
  const before = yardstickFirst ? await sides.yardstick(seconds) : undefined;
  const ours = await sides.ours(seconds);
  const yardstick = before ?? (await sides.yardstick(seconds));
  return { ...(sides.of && { of: sides.of }), ours, yardstick, ratio: ours / yardstick };
}

export function spreadOf(rounds: readonly Round[]): Spread {
  const ratios = rounds.map((round) => round.ratio).sort((a, b) => a - b);
  const middle = ratios.length / 2;
  const median = (ratios[Math.ceil(middle) - 1]! + ratios[Math.floor(middle)]!) / 2;
  return { median, min: ratios[0]!, max: ratios.at(-1)! };
}
