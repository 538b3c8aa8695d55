import type { Cents } from '../../platform/lib/money.ts';

type Amount = number | Cents;

/** Data that `explain_payment` has read, as the API returns it. */
export interface ExplainedPayment {
  payment: { status: string; expectedAmountCents: Amount; amountReceivedCents: Amount; expiresAt: string };
  transactions: { isFinal: boolean }[];
  exceptions: { kind: string; status: string; amountCents: Amount }[];
  refunds: { status: string; address: string | null }[];
  checkout: { checkoutUrl: string; status: string } | null;
}

/** One sentence for each thing that is open, in the order of what to do first. */
export function adviseOnPayment(explained: ExplainedPayment): string[] {
  return [adviceByStatus(explained), ...adviceOnExceptions(explained), ...adviceOnRefunds(explained)];
}

function adviceByStatus({ payment, transactions, checkout }: ExplainedPayment): string {
  const { status, expectedAmountCents, amountReceivedCents, expiresAt } = payment;
  const missing = BigInt(expectedAmountCents) - BigInt(amountReceivedCents);
  const page = checkout ? ` at ${checkout.checkoutUrl}` : '';
  switch (status) {
    case 'pending':
      return `Nothing has arrived yet. The customer can pay${page} until ${expiresAt}.`;
    case 'processing':
      return transactions.some(({ isFinal }) => !isFinal)
        ? 'The money was seen and is not final yet. Wait: it takes seconds to a minute.'
        : 'The payment is being confirmed. Wait a moment.';
    case 'underpaid':
      if (checkout?.status === 'canceled')
        return 'Its order was canceled after a part was paid. Nothing more is due, and the part is account credit and an exception.';
      return `${missing} cents are missing. The customer can pay the rest${page} until ${expiresAt}. A person can remind them, or accept it as paid, in the dashboard.`;
    case 'succeeded':
      return 'It is paid and final. Deliver what was bought.';
    case 'expired':
      return 'It was not paid in time. If the customer still wants to pay, create a new checkout with a new purpose.';
    case 'canceled':
      return 'It was canceled and can no longer be paid. Create a new checkout if it is still wanted.';
    default:
      return 'It failed. Create a new checkout if it is still wanted.';
  }
}

function adviceOnExceptions({ exceptions }: ExplainedPayment): string[] {
  return exceptions
    .filter(({ status }) => status === 'open')
    .map(
      ({ kind, amountCents }) =>
        `${amountCents} cents are open as an exception (${kind}). A person decides in the dashboard what happens to them.`,
    );
}

function adviceOnRefunds({ refunds }: ExplainedPayment): string[] {
  return refunds.flatMap(({ status, address }) => {
    if (status === 'ready') return ['A refund is ready. A person signs it with the merchant’s wallet.'];
    if (status !== 'awaiting_address') return [];
    return address === null
      ? ['A refund is awaiting the customer’s address.']
      : ['The customer has named the address for a refund. A person has to approve it.'];
  });
}
