import { blockhashOf, HEIGHT_BELOW_SLOT, SANDBOX_FIRST_SLOT } from './genesis.ts';

/** A transaction may name a blockhash this many blocks old. */
export const MAX_BLOCKHASH_AGE = 150;
/** Blockhashes are looked up as of lagging slots too. */
export const REMEMBERED_SLOTS = 1_024;
/** Slots are promised to the log in blocks, so that not every tick writes a line. */
export const RESERVED_SLOTS = 150;

/** The slot and time at which a chain begins or continues. */
export interface SlotsStart {
  slot: number;
  unixTime: number;
  /** Block times known from before, by slot, in the order of the slots. */
  knownTimes?: ReadonlyMap<number, number>;
}

/** The chain's own time: the open slot, its block time, and the recent blockhashes. None ever goes back. */
export class Slots {
  readonly #now: () => Date;
  readonly #blockTimes = new Map<number, number>();
  readonly #slotByBlockhash = new Map<string, number>();
  #slot: number;
  #time = 0;
  #aheadMs = 0;

  constructor(now: () => Date, start: SlotsStart = { slot: SANDBOX_FIRST_SLOT, unixTime: 0 }) {
    this.#now = now;
    this.#restoreBlockTimes(start);
    this.#time = start.unixTime;
    this.#slot = start.slot - MAX_BLOCKHASH_AGE - 1;
    while (this.#slot < start.slot - 1) this.#remember(++this.#slot);
    this.open();
  }

  get slot(): number {
    return this.#slot;
  }

  /** Seconds since 1970, of the open slot. */
  get time(): number {
    return this.#time;
  }

  /** Ends the open slot and begins the next, at the present time. */
  open(): void {
    this.#slot++;
    this.#time = Math.max(this.#time, Math.floor((this.#now().getTime() + this.#aheadMs) / 1000));
    this.#blockTimes.set(this.#slot, this.#time);
    this.#blockTimes.delete(this.#slot - REMEMBERED_SLOTS);
    this.#remember(this.#slot);
  }

  /** The next slot opens no earlier than `to`, and time runs on from there; after a restart it has to be told again. */
  putForward(to: Date): void {
    this.#aheadMs = Math.max(this.#aheadMs, to.getTime() - this.#now().getTime());
  }

  blockTime(slot: number): number | undefined {
    return this.#blockTimes.get(slot);
  }

  /** How many blocks ago the blockhash was the newest, as of `slot`; undefined for one nobody handed out. */
  blockhashAge(blockhash: string, slot: number): number | undefined {
    const made = this.#slotByBlockhash.get(blockhash);
    return made === undefined || made > slot ? undefined : slot - made;
  }

  isRecent(blockhash: string, slot: number): boolean {
    const age = this.blockhashAge(blockhash, slot);
    return age !== undefined && age <= MAX_BLOCKHASH_AGE;
  }

  /**
   * A node that restarts still answers for the slots before. One that nothing is known of gets the time of the last
   * known one before it, so that no time is later than a time that was shown.
   */
  #restoreBlockTimes({ slot: startSlot, knownTimes = new Map() }: SlotsStart): void {
    const [first] = knownTimes.keys();
    if (first === undefined) return;
    let time = 0;
    for (let slot = first; slot < startSlot; slot++) {
      time = Math.max(time, knownTimes.get(slot) ?? 0);
      if (slot > startSlot - REMEMBERED_SLOTS) this.#blockTimes.set(slot, time);
    }
  }

  #remember(slot: number): void {
    this.#slotByBlockhash.set(blockhashOf(slot), slot);
    const [oldest] = this.#slotByBlockhash.keys();
    if (this.#slotByBlockhash.size > REMEMBERED_SLOTS) this.#slotByBlockhash.delete(oldest!);
  }
}

/** No slot of this chain is skipped, so heights run along. */
export function heightOf(slot: number): number {
  return slot - HEIGHT_BELOW_SLOT;
}
