import { isSameState } from '../ledger/accounts.ts';
import type { Chain } from '../ledger/chain.ts';
import { type Commitment, slotAt } from '../ledger/commitment.ts';
import type { LedgerEntry, RecentEntry } from '../ledger/entry.ts';
import type { AccountState } from '../ledger/genesis.ts';
import { asOf } from './chain-view.ts';
import { type AccountFormat, encodeAccount } from './encode-account.ts';

/** Subject of a subscription. */
export type Topic =
  | { kind: 'slot' }
  | { kind: 'signature'; signature: string; commitment: Commitment; announceReceived: boolean }
  | { kind: 'logs'; mentions: string | undefined; commitment: Commitment }
  | { kind: 'account'; address: string; commitment: Commitment; format: AccountFormat };

export type Notify = (method: string, subscription: number, result: unknown) => void;

interface Subscription<Kind extends Topic['kind'] = Topic['kind']> {
  id: number;
  topic: Extract<Topic, { kind: Kind }>;
  notify: Notify;
  /** Accounts only: what the subscriber was last told. */
  told?: AccountState | undefined;
}

/** Notifies each subscriber: immediately for `processed`, when the slot gets there for the others. */
export class Subscriptions {
  readonly #chain: Chain;
  readonly #all = new Map<number, Subscription>();
  /** Subscriptions by what they are about, so that one event costs the same however many listen to others. */
  readonly #byKey = new Map<string, Set<Subscription>>();
  #lastId = 0;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  add(topic: Topic, notify: Notify): number {
    const subscription: Subscription = { id: ++this.#lastId, topic, notify };
    if (topic.kind === 'account') subscription.told = this.#accountNow(topic.address, topic.commitment);
    this.#all.set(subscription.id, subscription);
    const key = keyOf(topic);
    const listeners = this.#byKey.get(key);
    if (listeners) listeners.add(subscription);
    else this.#byKey.set(key, new Set([subscription]));
    return subscription.id;
  }

  /** Called once the subscriber knows its number: a signature may have got where it is awaited long ago. */
  lookBack(id: number): void {
    const subscription = this.#all.get(id);
    if (subscription?.topic.kind !== 'signature') return;
    const { signature, commitment, announceReceived } = subscription.topic;
    const entry = this.#chain.ledger.find(signature);
    if (!entry) return;
    if (announceReceived) this.#announceReceived(subscription as Subscription<'signature'>);
    if (entry.slot <= slotAt(commitment, this.#chain.slots.slot))
      this.#tellSignature(subscription as Subscription<'signature'>, entry);
  }

  remove(id: number): boolean {
    const subscription = this.#all.get(id);
    if (!subscription) return false;
    this.#all.delete(id);
    const key = keyOf(subscription.topic);
    const listeners = this.#byKey.get(key)!;
    listeners.delete(subscription);
    if (listeners.size === 0) this.#byKey.delete(key);
    return true;
  }

  landed(entry: RecentEntry): void {
    for (const subscription of this.#listeners(`signature ${entry.signature}`))
      this.#announceReceived(subscription as Subscription<'signature'>);
    this.#tell(entry, 'processed');
  }

  slotOpened(): void {
    const { slot } = this.#chain.slots;
    for (const { id, notify } of this.#listeners('slot'))
      notify('slotNotification', id, { parent: slot - 1, root: slotAt('finalized', slot), slot });
    for (const commitment of ['confirmed', 'finalized'] as const)
      for (const entry of this.#chain.ledger.inSlot(slotAt(commitment, slot))) this.#tell(entry, commitment);
  }

  #tell(entry: RecentEntry, commitment: Commitment): void {
    const about = (key: string) =>
      this.#listeners(key).filter(({ topic }) => topic.kind === 'slot' || topic.commitment === commitment);
    for (const subscription of about(`signature ${entry.signature}`))
      this.#tellSignature(subscription as Subscription<'signature'>, entry);
    const logs = [...about('logs'), ...entry.keys.flatMap((key) => about(`logs ${key}`))];
    if (logs.length > 0) this.#tellLogs(logs, entry);
    for (const key of entry.keys)
      for (const subscription of about(`account ${key}`))
        this.#tellAccount(subscription as Subscription<'account'>, entry.slot);
  }

  /** A copy, because telling may end a subscription. */
  #listeners(key: string): Subscription[] {
    const listeners = this.#byKey.get(key);
    return listeners ? [...listeners] : [];
  }

  #announceReceived({ id, topic, notify }: Subscription<'signature'>): void {
    if (topic.announceReceived)
      notify('signatureNotification', id, asOf(this.#chain.slots.slot, 'receivedSignature'));
  }

  /** A signature gets there once, so this is the last its subscriber hears. */
  #tellSignature({ id, topic, notify }: Subscription<'signature'>, entry: LedgerEntry): void {
    const slot = slotAt(topic.commitment, this.#chain.slots.slot);
    notify('signatureNotification', id, asOf(Math.max(slot, entry.slot), { err: entry.err }));
    this.remove(id);
  }

  #tellLogs(subscriptions: readonly Subscription[], entry: LedgerEntry): void {
    const { logs } = this.#chain.details(entry);
    const result = asOf(entry.slot, { err: entry.err, logs, signature: entry.signature });
    for (const { id, notify } of subscriptions) notify('logsNotification', id, result);
  }

  /** Several changes within one slot are one by the time the slot is confirmed. */
  #tellAccount(subscription: Subscription<'account'>, slot: number): void {
    const { id, topic, notify } = subscription;
    const read = (address: string) => this.#chain.accounts.at(address, slot);
    const state = read(topic.address);
    if (isSameState(state, subscription.told)) return;
    subscription.told = state;
    notify('accountNotification', id, asOf(slot, encodeAccount(state ?? NO_ACCOUNT, topic.format, read)));
  }

  #accountNow(address: string, commitment: Commitment): AccountState | undefined {
    return this.#chain.accounts.at(address, slotAt(commitment, this.#chain.slots.slot));
  }
}

/** The account that a node shows in place of a closed one. */
const NO_ACCOUNT: AccountState = {
  lamports: 0n,
  owner: '11111111111111111111111111111111',
  data: new Uint8Array(),
  executable: false,
};

function keyOf(topic: Topic): string {
  switch (topic.kind) {
    case 'slot':
      return 'slot';
    case 'signature':
      return `signature ${topic.signature}`;
    case 'logs':
      return topic.mentions === undefined ? 'logs' : `logs ${topic.mentions}`;
    case 'account':
      return `account ${topic.address}`;
  }
}
