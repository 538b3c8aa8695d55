import { applyMerge, lockToMerge, type MergeCustomers } from '../../accounts/customers/merge-customers.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Post } from '../ledger/draft-posting.ts';
import { lockAccounts } from '../ledger/lock-accounts.ts';
import { mergeTrials } from '../trials/reserve-trial.ts';

/**
 * Makes two customers one person: what the first has left becomes the second's, and from now on both share one balance, one trial of
 * each product and one portal. What was sold stays what it was. Merging again is the same.
 */
export async function mergeCustomers(tx: Tx, input: MergeCustomers): Promise<void> {
  const locked = await lockToMerge(tx, input);
  if (!locked) return;
  const { customer, merged } = locked;
  await moveBalance(tx, input);
  for (const { id } of [customer, ...merged]) await mergeTrials(tx, { ...input, id });
  await applyMerge(tx, input, [customer, ...merged]);
}

async function moveBalance(tx: Tx, { merchantId, id, intoId, now }: MergeCustomers): Promise<void> {
  const from = { merchantId, customerId: id };
  const into = { merchantId, customerId: intoId };
  const accounts = await lockAccounts(tx, [from, into]);
  const { credits, cents } = accounts.balanceOf(from)!;
  const counterAccount = 'adjustment';
  const move = (amountOf: (sign: bigint) => Pick<Post, 'deltaCredits' | 'deltaCents'>) => {
    const [out, back] = [`merged into customer ${intoId}`, `merged from customer ${id}`];
    accounts.post({ ...from, ...amountOf(-1n), counterAccount, reason: out, now });
    accounts.post({ ...into, ...amountOf(1n), counterAccount, reason: back, now });
  };
  if (credits > 0n) move((sign) => ({ deltaCredits: sign * credits }));
  if (cents > 0n) move((sign) => ({ deltaCents: sign * cents }));
  await accounts.write(tx, now);
}
