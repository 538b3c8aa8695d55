import {
  as,
  bigint,
  cents,
  integer,
  nullable,
  numeric,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Cents } from '../../platform/lib/money.ts';

/** The counter account of a posting: where credit comes from or goes to. */
export const COUNTER_ACCOUNTS = [
  'top_up',
  'usage',
  'adjustment',
  'invoice',
  'stray_payment',
  'plan_change',
  'refund',
] as const;
export type CounterAccount = (typeof COUNTER_ACCOUNTS)[number];

/** Balances of customers: prepaid credits in units, and account credit in cents. */
export const balances = table(
  'balances',
  {
    merchantId: uuid,
    customerId: uuid,
    credits: withDefault(numeric),
    cents: withDefault(as<Cents>(numeric)),
    sequence: withDefault(integer),
  },
  ['merchantId', 'customerId'],
);
export type Balance = Pick<RowOf<typeof balances>, 'credits' | 'cents'>;

/** Movements between a customer's balance and the account on the other side. They never change afterwards. */
export const postings = table(
  'postings',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    customerId: uuid,
    deltaCredits: withDefault(bigint),
    deltaCents: withDefault(cents),
    creditsAfter: numeric,
    centsAfter: as<Cents>(numeric),
    counterAccount: oneOf(COUNTER_ACCOUNTS),
    reason: nullable(text),
    invoiceId: nullable(uuid),
    usageRecordId: nullable(uuid),
    /** The posting this one reverses. */
    reversesId: nullable(uuid),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type Posting = RowOf<typeof postings>;

export const BALANCE_STATUSES = ['ok', 'low', 'depleted'] as const;
export type BalanceStatus = (typeof BALANCE_STATUSES)[number];

export function statusOfBalance(credits: bigint, lowBalanceCredits: bigint | null): BalanceStatus {
  if (credits === 0n) return 'depleted';
  return lowBalanceCredits !== null && credits <= lowBalanceCredits ? 'low' : 'ok';
}

/** The names of what a posting makes true, in order: the movement itself, then what the balance has become. */
export function eventsOf(posting: Posting, lowBalanceCredits: bigint | null): string[] {
  const after = posting.creditsAfter;
  const before = after - posting.deltaCredits;
  const crossedLow = lowBalanceCredits !== null && before > lowBalanceCredits && after <= lowBalanceCredits;
  return [
    movementOf(posting),
    ...(crossedLow ? ['customer.balance_low'] : []),
    ...(before > 0n && after === 0n ? ['customer.balance_depleted'] : []),
  ];
}

function movementOf({ counterAccount, deltaCredits, deltaCents }: Posting): string {
  if (counterAccount === 'adjustment') return 'customer.balance_adjusted';
  return deltaCredits + deltaCents > 0n ? 'customer.balance_credited' : 'customer.balance_debited';
}
