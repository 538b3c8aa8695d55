import assert from 'node:assert/strict';
import type { Cents } from '../../platform/lib/money.ts';
import { ACCOUNTS, type Account } from './account.ts';
import type { EarnedPart } from './earned-parts.ts';
import type { Fact } from './fact.ts';

export interface JournalLine {
  account: Account;
  /** One of the two is zero. */
  debitCents: Cents;
  creditCents: Cents;
}

type Sums = Partial<Record<Account, Cents>>;

/** Returns the journal lines of a fact. Debits equal credits, so every entry balances. */
export function journalLines(fact: Fact, earned?: EarnedPart): JournalLine[] {
  const { debit, credit } = movesOf(fact, earned);
  const lines = [...linesOf(debit, 1n), ...linesOf(credit, -1n)];
  const rest = lines.reduce((sum, { debitCents, creditCents }) => sum + debitCents - creditCents, 0n);
  assert.equal(rest, 0n, `entry ${fact.id} does not balance`);
  return lines;
}

export function describe(fact: Fact): string {
  if (fact.kind === 'credit')
    return fact.amounts.reason ?? CREDIT_TEXTS[fact.amounts.counter] ?? 'Account credit';
  if (fact.kind === 'decision') return DECISION_TEXTS[sideOf(fact.amounts)][fact.amounts.end];
  return TEXTS[fact.kind];
}

const TEXTS = {
  receipt: 'Payment received',
  invoice: 'Invoice paid',
  sale: 'Order paid',
  refund: 'Refund sent',
  credit_note: 'Credit note',
} as const;

const DECISION_TEXTS = {
  received: { kept: 'Payment kept', returned: 'Payment returned outside Florin' },
  sent: { kept: 'Refunded too much, kept by the customer', returned: 'Refunded too much, came back' },
} as const;

const CREDIT_TEXTS: Partial<Record<string, string>> = {
  invoice: 'Account credit applied',
  stray_payment: 'Payment became account credit',
  plan_change: 'Unused time credited',
  adjustment: 'Balance adjusted',
};

/** A negative amount belongs on the other side. */
function linesOf(sums: Sums, sign: 1n | -1n): JournalLine[] {
  return (Object.keys(ACCOUNTS) as Account[]).flatMap((account) => {
    const cents = (sums[account] ?? 0n) * sign;
    if (cents === 0n) return [];
    return [{ account, debitCents: cents > 0n ? cents : 0n, creditCents: cents < 0n ? -cents : 0n }];
  });
}

function movesOf(fact: Fact, earned: EarnedPart | undefined): { debit: Sums; credit: Sums } {
  switch (fact.kind) {
    case 'receipt': {
      const cents = BigInt(fact.amounts.cents);
      return { debit: { wallet: cents }, credit: { deposits: cents } };
    }
    case 'refund': {
      const cents = BigInt(fact.amounts.cents);
      return { debit: { deposits: cents }, credit: { wallet: cents } };
    }
    case 'sale': {
      const [cents, waived] = [BigInt(fact.amounts.cents), BigInt(fact.amounts.waived)];
      return { debit: { deposits: cents - waived, waived }, credit: { sales: cents } };
    }
    case 'invoice':
      return movesOfInvoice(fact.amounts);
    case 'credit':
      return movesOfCredit(fact.amounts);
    case 'credit_note': {
      const { netCents, taxCents } = earned ?? { netCents: 0n, taxCents: 0n };
      return { debit: { refunds: netCents, tax: taxCents }, credit: { deposits: netCents + taxCents } };
    }
    case 'decision':
      return movesOfDecision(fact.amounts);
  }
}

function movesOfInvoice(amounts: Extract<Fact, { kind: 'invoice' }>['amounts']) {
  const cents = (name: keyof typeof amounts) => BigInt(amounts[name]);
  const gross = cents('total') + cents('creditApplied');
  return {
    debit: {
      deposits: gross - cents('waived'),
      waived: cents('waived') - cents('waivedTax'),
    },
    credit: {
      sales: gross - cents('tax') - cents('tip'),
      tips: cents('tip'),
      tax: cents('tax') - cents('waivedTax'),
    },
  };
}

function movesOfCredit({ cents, counter, of, beyond }: Extract<Fact, { kind: 'credit' }>['amounts']) {
  const delta = BigInt(cents);
  const debit =
    of === 'duplicate_order' ? ofSecondPayment(delta, beyond) : { [counterOf(counter, of)]: delta };
  return { debit, credit: { accountCredit: delta } };
}

/** Returns the account that account credit comes from or goes to. */
function counterOf(
  counter: Extract<Fact, { kind: 'credit' }>['amounts']['counter'],
  of: Extract<Fact, { kind: 'credit' }>['amounts']['of'],
): Account {
  if (counter === 'invoice' || counter === 'stray_payment') return 'deposits';
  if (counter === 'plan_change') return 'refunds';
  return of === null ? 'adjustments' : 'deposits';
}

type Decision = Extract<Fact, { kind: 'decision' }>['amounts'];

/** Returns which side a decision is about: money that arrived, or money sent beyond a refund. */
function sideOf({ of }: Decision): 'received' | 'sent' {
  return of === 'over_refunded' ? 'sent' : 'received';
}

function movesOfDecision({ cents, end, of, beyond }: Decision) {
  const amount = BigInt(cents);
  if (of === 'over_refunded')
    return { debit: { [end === 'returned' ? 'wallet' : 'refunds']: amount }, credit: { deposits: amount } };
  const debit =
    of === 'duplicate_order' ? ofSecondPayment(amount, beyond) : { deposits: amount, refunds: 0n };
  if (end === 'returned') return { debit, credit: { wallet: amount } };
  return { debit: { deposits: debit.deposits }, credit: { kept: debit.deposits } };
}

/** A second payment of an order is a sale of its own, except for what it brought beyond the price. */
function ofSecondPayment(amount: Cents, beyond: string): { deposits: Cents; refunds: Cents } {
  const size = amount < 0n ? -amount : amount;
  const deposits = BigInt(beyond) < size ? BigInt(beyond) : size;
  return amount < 0n
    ? { deposits: -deposits, refunds: amount + deposits }
    : { deposits, refunds: amount - deposits };
}
