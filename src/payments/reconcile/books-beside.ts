import type { Database } from '../../platform/db/database.ts';
import { type BookedTransfer, listFinalAmong, listFinalInSlots } from '../transfers/booked-queries.ts';
import { type Listed, listedOf } from './listed.ts';
import type { SlotWindow } from './slot-windows.ts';

/** The books of one account, read window by window beside the node's list; what the list lacks is collected. */
export class BooksBeside {
  /** Base units of what the books have and the node has not listed so far. */
  readonly missing = new Map<string, bigint>();
  readonly #db: Database;
  readonly #destination: string;
  readonly #from: Date | undefined;
  /** Listed outside of the period, and in a newer slot than the one in the books. */
  readonly #elsewhere: Set<string>;

  constructor(
    db: Database,
    destination: string,
    { from, outside }: { from: Date | undefined; outside: Set<string> },
  ) {
    this.#db = db;
    this.#destination = destination;
    this.#from = from;
    this.#elsewhere = outside;
  }

  /** The transactions of a window, each with what the books have of it. */
  async read({ infos, after, through }: SlotWindow): Promise<Listed[]> {
    const slots = { after, through, from: this.#from };
    const inSlots = await listFinalInSlots(this.#db, this.#destination, slots);
    const booked = new Map(inSlots.map((row) => [row.signature, row]));
    const listed = new Set(infos.map(({ signature }) => signature));
    // Money found by its reference need not touch the account; it brought nothing there.
    for (const { signature, receivedBaseUnits } of inSlots)
      if (!listed.has(signature) && !this.#elsewhere.has(signature) && receivedBaseUnits > 0n)
        this.missing.set(signature, receivedBaseUnits);
    for (const row of await this.#listMoved(infos, booked)) {
      booked.set(row.signature, row);
      this.missing.delete(row.signature);
      this.#elsewhere.add(row.signature);
    }
    return infos.map((info) => listedOf(info, booked.get(info.signature)));
  }

  /** Nodes may name another slot than the books have. */
  async #listMoved(
    infos: SlotWindow['infos'],
    booked: ReadonlyMap<string, BookedTransfer>,
  ): Promise<BookedTransfer[]> {
    const others = infos.map(({ signature }) => signature).filter((signature) => !booked.has(signature));
    return others.length === 0 ? [] : listFinalAmong(this.#db, this.#destination, others);
  }
}
