import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import { draftPosting, type Post, type PostingDraft } from './draft-posting.ts';
import { type Balance, type Posting, postings } from './posting.ts';
import { insertBalances, lockBalances, updateBalances } from './queries.ts';

/** Balances of several customers, locked until the transaction ends. */
export interface Accounts {
  /** Moves credit, but only in memory until `write`. Throws for what the balance lacks, and for a customer who is not there. */
  post(input: Post): Posting;
  balanceOf(customer: CustomerRef): Balance | undefined;
  /** Balances, postings and events of everything posted: as many statements for a thousand as for one. */
  write(tx: Tx, now: Date): Promise<void>;
}

/**
 * For one posting or many in one transaction. Always locked in the same order, so that two transactions with the same
 * customers never deadlock.
 */
export async function lockAccounts(tx: Tx, customers: readonly CustomerRef[]): Promise<Accounts> {
  const merged = customers.length > 0 ? await insertBalances(tx, customers) : [];
  const holders = new Map(merged.map((each) => [nameOf(each), each.holderId]));
  const heldBy = <Ref extends CustomerRef>(ref: Ref): Ref => {
    const customerId = holders.get(nameOf(ref));
    return customerId === undefined ? ref : { ...ref, customerId };
  };
  const locked = customers.length > 0 ? await lockBalances(tx, customers.map(heldBy)) : [];
  if (locked.some(({ isMerged }) => isMerged)) throw new Overtaken();
  const balances = new Map(locked.map((balance) => [nameOf(balance), balance]));
  const drafts: PostingDraft[] = [];
  return {
    post(asked) {
      const input = heldBy(asked);
      const before = balances.get(nameOf(input));
      if (!before) throw new AppError('NOT_FOUND');
      const draft = draftPosting(before, input);
      balances.set(nameOf(input), draft.after);
      drafts.push(draft);
      return draft.posting;
    },
    balanceOf: (customer) => balances.get(nameOf(heldBy(customer))),
    async write(tx, now) {
      if (drafts.length === 0) return;
      await postings.insert(
        tx,
        drafts.map(({ posting }) => posting),
      );
      const touched = new Set(drafts.map(({ posting }) => nameOf(posting)));
      await updateBalances(
        tx,
        [...touched].map((name) => balances.get(name)!),
      );
      await appendEvents(
        tx,
        drafts.flatMap(({ events }) => events),
        now,
      );
    },
  };
}

/** A customer was merged into another after whose balance is meant was read, so the transaction is retried. */
class Overtaken extends Error {
  readonly code = '40001';
}

function nameOf({ merchantId, customerId }: CustomerRef): string {
  return `${merchantId} ${customerId}`;
}
