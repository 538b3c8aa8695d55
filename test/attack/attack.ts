import type { Answer } from './call.ts';
import type { Target } from './target.ts';

/** One way to do harm from outside. */
export interface Attack {
  name: string;
  /** Description of the attempt and its victim. */
  tries: string;
  /** Answers what it came to; throws when the service let it happen. */
  run(target: Target): Promise<string>;
}

export class Succeeded extends Error {}

/** The call was turned away with one of these statuses, and with a code of ours. */
export function refused(answer: Answer, ...statuses: number[]): string {
  if (!statuses.includes(answer.status)) throw new Succeeded(`answered ${told(answer)}`);
  const code = answer.body?.error?.code;
  return `refused: ${answer.status}${code ? ` ${code}` : ''}`;
}

/** All were turned away alike. */
export function allRefused(answers: readonly Answer[], ...statuses: number[]): string {
  const outcomes = new Set(answers.map((answer) => refused(answer, ...statuses)));
  return `${answers.length} × ${[...outcomes].join(', ')}`;
}

/** Checks a condition that must still be true after the attack. */
export function held(isSo: boolean, told: string): string {
  if (!isSo) throw new Succeeded(`no longer so: ${told}`);
  return `held: ${told}`;
}

/** An answer that the attack itself depends on. */
export function expected(answer: Answer, ...statuses: number[]): Answer {
  if (!statuses.includes(answer.status)) throw new Error(`expected ${statuses}, got ${told(answer)}`);
  return answer;
}

function told({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 160)}`;
}
