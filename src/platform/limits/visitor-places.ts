import type { Database, Tx } from '../db/database.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { limitReached } from '../lib/errors.ts';
import { shareWithPeers } from '../lib/peers.ts';
import { networkOf, wideNetworkOf } from './network-of.ts';

/** Number of checkouts that may be open and unpaid for one network, or for a twentieth of all there are. */
const LEAST_OF_NETWORK = 3;
const SHARE_OF_NETWORK = 20;
/** A provider's customer may have many networks, and a company many addresses. */
const WIDE_FACTOR = 3;
const MAX_NAMES = 100_000;
const RETRY_SECONDS = 600;

/** Something of which there are only so many, and of which each open checkout keeps one from everybody else. */
export interface Limited {
  id: string;
  merchantId: string;
  /** How many there are. */
  total: number;
  /** Lists which of these checkouts keep one and are not being paid in full. */
  listUnpaid(tx: Tx, merchantId: string, sessionIds: readonly string[]): Promise<string[]>;
}

/** Somebody who is known by their address alone. */
export interface Visitor {
  ip: string;
  places: VisitorPlaces;
  /** After how long it is worth trying again: what has a signed payment is over sooner than what a person reads. */
  retrySeconds?: number;
}

/** The open checkouts of what is limited by who has opened them, so that nobody takes everything from everybody else. Kept in memory. */
export class VisitorPlaces {
  readonly #opened = new BoundedMap<string, string[]>(MAX_NAMES);
  readonly #tell = shareWithPeers<readonly [names: readonly string[], sessionId: string]>(
    'visitor places',
    ([names, sessionId]) => this.#note(names, sessionId),
  );

  /** Refuses one more for a visitor who has several open and unpaid. Called while nobody else can take one of the same. */
  async require(tx: Tx, limited: Limited, { ip, retrySeconds }: Omit<Visitor, 'places'>): Promise<void> {
    const most = Math.max(LEAST_OF_NETWORK, Math.floor(limited.total / SHARE_OF_NETWORK));
    const [narrow, wide] = namesOf(limited, ip);
    await this.#requireLess(tx, limited, { name: narrow, most, retrySeconds });
    await this.#requireLess(tx, limited, { name: wide, most: WIDE_FACTOR * most, retrySeconds });
  }

  add({ id }: Pick<Limited, 'id'>, ip: string, sessionId: string): void {
    const names = namesOf({ id }, ip);
    this.#note(names, sessionId);
    this.#tell([names, sessionId]);
  }

  #note(names: readonly string[], sessionId: string): void {
    for (const name of names) {
      const opened = (this.#opened.get(name) ?? []).filter((each) => each !== sessionId);
      this.#opened.renew(name, [...opened, sessionId]);
    }
  }

  async #requireLess(
    tx: Tx,
    { merchantId, listUnpaid }: Limited,
    { name, most, retrySeconds }: { name: string; most: number; retrySeconds: number | undefined },
  ): Promise<void> {
    const opened = this.#opened.get(name);
    if (!opened) return;
    const unpaid = await listUnpaid(tx, merchantId, opened);
    if (unpaid.length > 0) this.#opened.set(name, unpaid);
    else this.#opened.delete(name);
    if (unpaid.length < most) return;
    const message =
      'Several checkouts of this are open from your network and not paid yet. Pay or cancel one of them, or come back when they have ended.';
    throw limitReached(most, retrySeconds ?? RETRY_SECONDS, message);
  }
}

/** Each database has its own, as requests that are in flight do. */
const places = new WeakMap<Database, VisitorPlaces>();

export function placesOf(db: Database): VisitorPlaces {
  const known = places.get(db) ?? new VisitorPlaces();
  places.set(db, known);
  return known;
}

function namesOf({ id }: Pick<Limited, 'id'>, ip: string): [narrow: string, wide: string] {
  return [`${id} ${networkOf(ip)}`, `${id} wide ${wideNetworkOf(ip)}`];
}
