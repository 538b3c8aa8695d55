import type { Answer } from '../http/route.ts';
import { AppError } from '../lib/errors.ts';
import type { KeyClaim } from './queries.ts';

interface FirstCall {
  fingerprint: string;
  answer: Promise<Answer>;
}

/**
 * Concurrent calls with one key in this process: the first does the work, the others wait for it in memory, so ten
 * thousand retries cost the database one statement.
 */
export class InFlightRequests {
  readonly #first = new Map<string, FirstCall>();

  async run(claim: KeyClaim, work: () => Promise<Answer>): Promise<Answer> {
    const name = `${claim.merchantId} ${claim.operation} ${claim.key}`;
    for (;;) {
      const first = this.#first.get(name);
      if (!first) return this.#lead(name, claim, work);
      const answer = await first.answer.catch(() => undefined);
      // The first one failed and left nothing behind, so the next in line tries for itself.
      if (!answer) continue;
      if (first.fingerprint !== claim.fingerprint) throw new AppError('IDEMPOTENCY_CONFLICT');
      return answer.replayed ? answer : { ...answer, replayed: true };
    }
  }

  #lead(name: string, claim: KeyClaim, work: () => Promise<Answer>): Promise<Answer> {
    const answer = work().finally(() => this.#first.delete(name));
    this.#first.set(name, { fingerprint: claim.fingerprint, answer });
    return answer;
  }
}
