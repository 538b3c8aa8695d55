import { DAY_MS } from '../../src/platform/lib/clock.ts';

/** Expected results of billing, calculated from the rules alone: a few sums and one date. */
export class BillingModel {
  readonly credits = new Map<string, number>();
  readonly #sessions = new Map<string, ModelSession>();

  open(id: string, session: Omit<ModelSession, 'received' | 'isCanceled' | 'isComplete'>): void {
    this.#sessions.set(id, { ...session, received: 0, isCanceled: false, isComplete: false });
  }

  cancel(id: string): void {
    this.#sessions.get(id)!.isCanceled = true;
  }

  /** Money that is final: it counts for 30 days after the deadline, and for nothing that was canceled. */
  receive(id: string, cents: number, paidAt: Date): void {
    const session = this.#sessions.get(id)!;
    if (!session.isCanceled && paidAt.getTime() <= session.expiresAt.getTime() + 30 * DAY_MS)
      this.give(id, cents);
  }

  /** Money that a person gave to a session. What was bought is delivered once. */
  give(id: string, cents: number): void {
    const session = this.#sessions.get(id)!;
    session.received += cents;
    if (session.isComplete || session.received < session.amountCents) return;
    session.isComplete = true;
    if (session.topUpOf) this.change(session.topUpOf.customer, session.topUpOf.credits);
  }

  /** False when the customer has too few credits: then nothing changes. */
  change(customer: string, delta: number): boolean {
    const after = (this.credits.get(customer) ?? 0) + delta;
    if (after < 0) return false;
    this.credits.set(customer, after);
    return true;
  }

  completed(): string[] {
    return [...this.#sessions].filter(([, session]) => session.isComplete).map(([id]) => id);
  }
}

interface ModelSession {
  amountCents: number;
  expiresAt: Date;
  topUpOf: { customer: string; credits: number } | undefined;
  received: number;
  isCanceled: boolean;
  isComplete: boolean;
}
