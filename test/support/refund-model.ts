/**
 * Model of a refund by the rules: small, and written apart from the service, for tests to compare the service with.
 * It knows what was requested and what is on the chain, and nothing of how the service finds out.
 */
export type ModelStatus = 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';

const UNITS_PER_CENT = 10_000n;
const least = (...values: bigint[]) => values.reduce((a, b) => (b < a ? b : a));

/** One signed transaction: on the chain since a slot, or not (any more). */
export interface ModelTransaction {
  signature: string;
  wire: string;
  slot: number | null;
  /** The slot in which a look has found it confirmed, until that is over: it may land again for a while. */
  seenSlot?: number | undefined;
  /** Base units for each refund: of the right token, at the right address, under the refund's reference. */
  legs: { refund: ModelRefund; units: bigint; isCounted?: true }[];
  /** The merchant is paid at the wallet that sends it. */
  isOwn: boolean;
}

export interface ModelRefund {
  id: string;
  reference: string;
  /** The money it is about: an intent's, an exception's, or an exception's that is part of an intent's. */
  intentId: string | null;
  exceptionId: string | null;
  status: ModelStatus;
  cents: bigint;
  address: string | null;
  isApproved: boolean;
  /** Final, in base units. */
  sent: bigint;
  /** Part of the sent money that counts for nothing, and is listed as an exception. */
  listed: bigint;
  /** Final money that strangers have sent to its address beyond what was due: no part of the refund. */
  passedBy: bigint;
  expiresAt: number;
  /** Time at which the refund ended. */
  endedAt?: number;
}

const CONFIRMED_SLOTS = 2;
const FINAL_SLOTS = 32;
/** Slots after which a transaction past its slot, final, and still not there is gone. */
const DECIDED_SLOTS = 32;
const WATCHED_MS = 90 * 86_400_000;

export class RefundModel {
  readonly refunds: ModelRefund[] = [];
  readonly #now: () => number;
  readonly transactions: ModelTransaction[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Its reference is looked up for 90 days after its end. */
  isWatched({ endedAt }: ModelRefund): boolean {
    return endedAt === undefined || this.#now() - endedAt < WATCHED_MS;
  }

  /** Sums what refunds that count take, among those that `isOf` picks. */
  taken(isOf: (refund: ModelRefund) => boolean, except?: ModelRefund): bigint {
    return this.refunds
      .filter((refund) => refund !== except && isOf(refund) && !isGivenUp(refund))
      .reduce((sum, { cents }) => sum + cents, 0n);
  }

  /** Finally on the chain for this refund. */
  finalUnits(refund: ModelRefund, slot: number): bigint {
    return this.#legs(refund, (landed) => slot - landed >= FINAL_SLOTS);
  }

  /**
   * The service has looked. `leftOf` says how much of a given-up refund's money nothing else has taken. Answers those
   * for which the rules leave open which of several comes first.
   */
  look(slot: number, leftOf: (refund: ModelRefund) => bigint): ModelRefund[] {
    const late: ModelRefund[] = [];
    for (const transaction of this.transactions) see(transaction, slot);
    for (const refund of this.refunds) {
      if (!refund.isApproved) continue;
      if (isGivenUp(refund)) {
        if (this.hasNews(refund, slot)) late.push(refund);
        continue;
      }
      this.count(refund, slot);
      if (refund.sent >= refund.cents * UNITS_PER_CENT) this.#succeed(refund, refund.cents);
      else {
        refund.status = this.#isPending(refund) ? 'processing' : 'ready';
      }
    }
    if (late.length > 1) return late;
    for (const refund of late) {
      const left = leftOf(refund);
      this.count(refund, slot, left);
      this.countLate(refund, left);
    }
    return [];
  }

  /** Something is final since the last look. */
  hasNews(refund: ModelRefund, slot: number): boolean {
    return this.#newLegs(refund, slot).length > 0;
  }

  /** Any wallet may send what is due; beyond that, only the merchant's own counts. */
  count(refund: ModelRefund, slot: number, left = 0n): void {
    for (const { leg, isOwn } of this.#newLegs(refund, slot)) {
      const due = isGivenUp(refund) ? least(refund.cents, left) : refund.cents;
      const filled = isGivenUp(refund) ? refund.sent - refund.listed : refund.sent;
      const room = due * UNITS_PER_CENT - filled;
      const most = least(leg.units, room > 0n ? room : 0n);
      const fitting = isGivenUp(refund) ? most - (most % UNITS_PER_CENT) : most;
      const counted = isOwn ? leg.units : fitting;
      refund.sent += counted;
      refund.passedBy += leg.units - counted;
      leg.isCounted = true;
    }
  }

  /** Takes the service's word for what counted, where the rules leave it open. */
  adoptSent(refund: ModelRefund, slot: number, sent: bigint): void {
    const counted = sent - refund.sent;
    const news = this.#newLegs(refund, slot);
    refund.passedBy += news.reduce((sum, { leg }) => sum + leg.units, 0n) - counted;
    for (const { leg } of news) leg.isCounted = true;
    refund.sent = sent;
  }

  #newLegs(refund: ModelRefund, slot: number) {
    return this.transactions
      .filter(({ slot: landed }) => landed !== null && slot - landed >= FINAL_SLOTS)
      .sort((a, b) => a.slot! - b.slot!)
      .flatMap(({ legs, isOwn }) => legs.map((leg) => ({ leg, isOwn })))
      .filter(({ leg }) => leg.refund === refund && !leg.isCounted);
  }

  /** Sent although it was canceled: it counts as far as nothing else has taken its place. */
  countLate(refund: ModelRefund, left: bigint): void {
    const cents = least((refund.sent - refund.listed) / UNITS_PER_CENT, refund.cents, left);
    if (cents > 0n) this.#succeed(refund, cents);
    else refund.listed = refund.sent;
  }

  end(refund: ModelRefund, status: 'canceled' | 'expired'): void {
    const cents = refund.sent / UNITS_PER_CENT;
    if (cents > 0n) this.#succeed(refund, cents);
    else {
      refund.status = status;
      refund.listed = refund.sent;
      refund.endedAt = status === 'expired' ? refund.expiresAt : this.#now();
    }
  }

  expire(now: number): void {
    for (const refund of this.refunds)
      if ((refund.status === 'awaiting_address' || refund.status === 'ready') && refund.expiresAt <= now)
        this.end(refund, 'expired');
  }

  vanish(signatures: readonly string[]): void {
    for (const transaction of this.transactions)
      if (signatures.includes(transaction.signature)) transaction.slot = null;
  }

  #succeed(refund: ModelRefund, cents: bigint): void {
    if (refund.status !== 'succeeded') refund.endedAt = this.#now();
    refund.status = 'succeeded';
    refund.cents = cents;
    refund.listed = refund.sent - cents * UNITS_PER_CENT;
  }

  /** At least a cent more has been seen: less is anybody's. */
  #isPending(refund: ModelRefund): boolean {
    const pending = this.transactions
      .filter(({ seenSlot }) => seenSlot !== undefined)
      .flatMap(({ legs }) => legs)
      .reduce((sum, leg) => (leg.refund === refund ? sum + leg.units : sum), 0n);
    return (refund.sent + pending) / UNITS_PER_CENT > refund.sent / UNITS_PER_CENT;
  }

  #legs(refund: ModelRefund, isAt: (slot: number) => boolean): bigint {
    return this.transactions
      .filter(({ slot }) => slot !== null && isAt(slot))
      .flatMap(({ legs }) => legs)
      .filter((leg) => leg.refund === refund)
      .reduce((sum, { units }) => sum + units, 0n);
  }
}

export const isGivenUp = ({ status }: ModelRefund) => status === 'canceled' || status === 'expired';

/**
 * Updates what is seen: a vanished transaction counts as under way until it is certain that it cannot land any more.
 */
function see(transaction: ModelTransaction, slot: number): void {
  const { slot: landed, seenSlot } = transaction;
  if (landed === null) {
    const isDecided = seenSlot !== undefined && slot - FINAL_SLOTS >= seenSlot + DECIDED_SLOTS;
    if (isDecided) transaction.seenSlot = undefined;
  } else if (slot - landed >= FINAL_SLOTS) transaction.seenSlot = undefined;
  else if (slot - landed >= CONFIRMED_SLOTS) transaction.seenSlot = landed;
}
