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

/** Balance of a customer: prepaid credits in units, and account credit in cents. */
export interface Balance {
  credits: bigint;
  cents: Cents;
}

/** One movement between a customer's balance and the account on the other side. It never changes afterwards. */
export interface Posting {
  id: string;
  merchantId: string;
  projectId: string;
  customerId: string;
  deltaCredits: bigint;
  deltaCents: Cents;
  creditsAfter: bigint;
  centsAfter: Cents;
  counterAccount: CounterAccount;
  reason: string | null;
  invoiceId: string | null;
  usageRecordId: string | null;
  /** The posting this one reverses. */
  reversesId: string | null;
  createdAt: Date;
}

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
