import type { Attack } from './attack.ts';
import { chainAttacks } from './chain.ts';
import { keyAttacks } from './keys.ts';
import { moneyAttacks } from './money.ts';
import { requestAttacks } from './requests.ts';
import { strangerAttacks } from './strangers.ts';
import type { Target } from './target.ts';

/** Every attack that is tried, by family. A new one is an entry in one of these lists. */
const attacks: readonly Attack[] = [
  ...chainAttacks,
  ...moneyAttacks,
  ...strangerAttacks,
  ...keyAttacks,
  ...requestAttacks,
];

export interface Result {
  name: string;
  tries: string;
  outcome: string;
  ok: boolean;
}

/** One after the other against the same service, so that one that leaves harm behind shows in those that follow. */
export async function runAttacks(target: Target, onResult: (result: Result) => void): Promise<Result[]> {
  const results: Result[] = [];
  for (const attack of attacks) {
    const result = await runAttack(attack, target);
    results.push(result);
    onResult(result);
  }
  return results;
}

async function runAttack({ name, tries, run }: Attack, target: Target): Promise<Result> {
  const ending = async () => {
    try {
      return { outcome: await run(target), ok: true };
    } catch (error) {
      return { outcome: (error as Error).message, ok: false };
    }
  };
  const { outcome, ok } = await ending();
  const failures = target.takeFailures();
  // Whatever else it came to, an answer of 500 is a fault of ours.
  if (failures.length > 0) return { name, tries, outcome: `failed on ${failures[0]}`, ok: false };
  return { name, tries, outcome, ok };
}
