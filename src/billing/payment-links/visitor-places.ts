import type { Tx } from '../../platform/db/database.ts';
import { limitReached } from '../../platform/lib/errors.ts';
import { networkOf, wideNetworkOf } from '../../platform/limits/network-of.ts';
import type { PaymentLink } from './link.ts';
import { listUnpaidAmong } from './place-queries.ts';

/** Number of checkouts of a limited link that may be open and unpaid for one network, or for a twentieth of what it sells. */
const LEAST_OF_NETWORK = 3;
const SHARE_OF_NETWORK = 20;
/** A provider's customer may have many networks, and a company many addresses. */
const WIDE_FACTOR = 3;
const MAX_NAMES = 100_000;
const RETRY_SECONDS = 600;

/** The open checkouts of limited links by who has opened them, so that nobody takes all places from everybody else. Kept by each process. */
export class VisitorPlaces {
  readonly #opened = new Map<string, string[]>();

  /** Refuses one more for a visitor who has several open and unpaid. Called while nobody else can open one of the link. */
  async require(tx: Tx, link: PaymentLink, ip: string): Promise<void> {
    const most = Math.max(LEAST_OF_NETWORK, Math.floor(link.maxPayments! / SHARE_OF_NETWORK));
    const [narrow, wide] = namesOf(link, ip);
    await this.#requireLess(tx, link, { name: narrow, most });
    await this.#requireLess(tx, link, { name: wide, most: WIDE_FACTOR * most });
  }

  add(link: PaymentLink, ip: string, sessionId: string): void {
    for (const name of namesOf(link, ip)) {
      const opened = this.#opened.get(name) ?? [];
      this.#opened.delete(name);
      this.#opened.set(name, [...opened, sessionId]);
    }
    while (this.#opened.size > MAX_NAMES) this.#opened.delete(this.#opened.keys().next().value!);
  }

  async #requireLess(
    tx: Tx,
    { merchantId }: PaymentLink,
    { name, most }: { name: string; most: number },
  ): Promise<void> {
    const opened = this.#opened.get(name);
    if (!opened) return;
    const unpaid = await listUnpaidAmong(tx, merchantId, opened);
    if (unpaid.length > 0) this.#opened.set(name, unpaid);
    else this.#opened.delete(name);
    if (unpaid.length < most) return;
    const message =
      'Several checkouts of this are open from your network and not paid yet. Pay or cancel one of them, or come back when they have ended.';
    throw limitReached(most, RETRY_SECONDS, message);
  }
}

function namesOf({ id }: PaymentLink, ip: string): [narrow: string, wide: string] {
  return [`${id} ${networkOf(ip)}`, `${id} wide ${wideNetworkOf(ip)}`];
}
