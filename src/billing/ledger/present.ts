import { Int64, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { COUNTER_ACCOUNTS, type Posting } from './posting.ts';

export const BalanceEntryView = Shape('BalanceEntry', {
  id: Uuid(),
  projectId: Uuid(),
  customerId: Uuid(),
  kind: OneOf(COUNTER_ACCOUNTS, 'Where the credit came from, or went to.'),
  deltaCredits: Int64({ description: 'Prepaid credits added; negative if deducted.' }),
  creditBalance: Int64({ description: 'Prepaid credits afterwards.' }),
  deltaCents: Int64({ description: 'Account credit added, in cents; negative if deducted.' }),
  accountCreditCents: Int64({ description: 'Account credit afterwards, in cents.' }),
  reason: Nullable(Text()),
  invoiceId: Nullable(Uuid()),
  usageRecordId: Nullable(Uuid()),
  reversesId: Nullable(Uuid('The entry that this one reverses.')),
  createdAt: Timestamp(),
});

export function presentPosting(posting: Posting) {
  const { counterAccount, creditsAfter, centsAfter, ...rest } = posting;
  return {
    ...rest,
    kind: counterAccount,
    creditBalance: saturateInt64(creditsAfter),
    accountCreditCents: saturateInt64(centsAfter),
  };
}

/** Data of a balance webhook. */
export function presentBalanceEventData(posting: Posting, externalCustomerId: string | null) {
  return {
    projectId: posting.projectId,
    customerId: posting.customerId,
    externalCustomerId,
    entryId: posting.id,
    deltaCredits: posting.deltaCredits,
    creditBalance: saturateInt64(posting.creditsAfter),
    deltaCents: posting.deltaCents,
    accountCreditCents: saturateInt64(posting.centsAfter),
    reason: posting.reason,
    invoiceId: posting.invoiceId,
    usageRecordId: posting.usageRecordId,
  };
}
