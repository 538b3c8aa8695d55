import { formatToken, formatUsd, shortAddress } from '../../platform/lib/format.ts';
import { type Json, parseJson } from '../../platform/lib/json.ts';
import { type Notifiable, SUMMARY, TEST_NOTIFICATION } from './channel.ts';
import { type Sentence, say } from './sentence.ts';

export interface News {
  event: string;
  eventId: string;
  createdAt: string;
  sentence: Sentence;
  /** Path in the dashboard, below its root. */
  path: string;
}

/** An event in one sentence, and where to see more. It says nothing of a customer but the merchant's own name for them. */
export function describeEvent(body: string): News {
  const { id, event, createdAt, data } = parseJson(body) as unknown as Body;
  const about = new Facts(data);
  const describe = SENTENCES[event as Notifiable | typeof TEST_NOTIFICATION];
  const [sentence, path] = describe?.(about) ?? [say`${event}`, ''];
  return { event, eventId: id, createdAt, sentence, path };
}

interface Body {
  id: string;
  event: string;
  createdAt: string;
  data: Record<string, Json>;
}

/** Reads what an event says, also one that an earlier release wrote with less in it. */
class Facts {
  readonly #data: Record<string, Json>;

  constructor(data: Record<string, Json>) {
    this.#data = data;
  }

  of(name: string): Facts {
    const inner = this.#data[name];
    return new Facts(inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? inner : {});
  }

  has(name: string): boolean {
    return (this.#data[name] ?? null) !== null;
  }

  text(name: string): string {
    const value = this.#data[name];
    return value === undefined || value === null ? '–' : String(value);
  }

  dollars(name: string): string {
    const value = this.#data[name];
    return formatUsd(typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : 0n, 'en');
  }
}

type Described = [Sentence, path: string];
type Describe = (about: Facts) => Described;

const SENTENCES: Record<Notifiable | typeof TEST_NOTIFICATION, Describe> = {
  'payment_intent.succeeded': ofIntent((it) => say`Paid: ${it.dollars('amountCents')} for ${order(it)}.`),
  'payment_intent.underpaid': ofIntent(
    (it) =>
      say`Underpaid: ${it.dollars('amountCents')} of ${it.dollars('expectedAmountCents')} for ${order(it)}.`,
  ),
  'payment_intent.failed': ofIntent(
    (it) =>
      say`An attempt to pay ${it.dollars('expectedAmountCents')} for ${order(it)} brought no USDC. It can still be paid.`,
  ),
  'payment_intent.expired': ofIntent(
    (it) => say`Not paid in time: ${it.dollars('expectedAmountCents')} for ${order(it)}.`,
  ),
  'invoice.paid': ofInvoice((it) => say`Invoice ${it.text('number')} was paid: ${it.dollars('totalCents')}.`),
  'invoice.refunded': ofInvoice(
    (it) =>
      say`Money was sent back for invoice ${it.text('number')}: ${it.dollars('refundedCents')} of ${it.dollars('totalCents')}.`,
  ),
  'invoice.overdue': ofInvoice(
    (it) => say`Invoice ${it.text('number')} is overdue: ${it.dollars('amountDueCents')} is still unpaid.`,
  ),
  'invoice.uncollectible': ofInvoice(
    (it) =>
      say`Invoice ${it.text('number')} was not paid in time: ${it.dollars('amountDueCents')} is still unpaid.`,
  ),
  'checkout.session.completed': ofSession(
    (it) => say`A checkout of ${it.dollars('amountCents')} is complete.`,
  ),
  'checkout.session.expired': ofSession(
    (it) => say`A checkout of ${it.dollars('amountCents')} ended unpaid.`,
  ),
  'subscription.activated': ofSubscription((who) => say`The subscription of ${who} began.`),
  'subscription.trial_will_end': ofSubscription((who) => say`The trial of ${who} ends soon.`),
  'subscription.renewed': ofSubscription((who) => say`The subscription of ${who} was renewed and paid.`),
  'subscription.past_due': ofSubscription((who) => say`The renewal of ${who}’s subscription is overdue.`),
  'subscription.canceled': ofSubscription((who) => say`The subscription of ${who} ended.`),
  'subscription.reactivated': ofSubscription(
    (who) => say`The subscription of ${who} was paid after all and continues.`,
  ),
  'customer.balance_depleted': (about) => [
    say`Prepaid credits of ${customer(about)} are used up.`,
    `customers/${about.text('customerId')}`,
  ],
  'refund.address_received': ofRefund(
    (it) =>
      say`Refund ${it.text('number')} of ${it.dollars('amountCents')}: the customer named an address. Approve it.`,
  ),
  'refund.succeeded': ofRefund(
    (it) => say`Refund ${it.text('number')} of ${it.dollars('amountCents')} has arrived.`,
  ),
  'refund.expired': ofRefund(
    (it) => say`Refund ${it.text('number')} of ${it.dollars('amountCents')} was not sent within 90 days.`,
  ),
  'refund_request.created': (about) => {
    const request = about.of('refundRequest');
    const why = request.has('reason') ? `: ${request.text('reason')}` : '';
    return [
      say`Staff ask for a refund of ${request.dollars('receivedCents')} for ${order(request)}${why}. Approve or decline it.`,
      'refunds',
    ];
  },
  'exception.created': ofException((amount, it) =>
    it.text('kind') === 'over_refunded'
      ? say`${amount} was sent beyond a refund’s amount and needs a person’s review.`
      : say`${amount} arrived and needs a person’s review: ${kindOf(it)}.`,
  ),
  'exception.resolved': ofException((amount) => say`${amount} that needed a review was dealt with.`),
  'payout_address.changed': ofPayout,
  [SUMMARY]: ofDay,
  [TEST_NOTIFICATION]: () => [say`This is a test: notifications arrive here.`, 'notifications'],
};

function ofIntent(sentence: (it: Facts) => Sentence): Describe {
  return (about) => [sentence(about), `payments/${about.text('paymentIntentId')}`];
}

function ofInvoice(sentence: (it: Facts) => Sentence): Describe {
  return (about) => [sentence(about.of('invoice')), `invoices/${about.of('invoice').text('id')}`];
}

function ofSession(sentence: (it: Facts) => Sentence): Describe {
  return (about) => {
    const session = about.of('checkoutSession');
    return [sentence(session), `checkout-sessions/${session.text('id')}`];
  };
}

function ofSubscription(sentence: (who: string) => Sentence): Describe {
  return (about) => [sentence(customer(about)), `subscriptions/${about.of('subscription').text('id')}`];
}

function ofRefund(sentence: (it: Facts) => Sentence): Describe {
  return (about) => [sentence(about.of('refund')), `refunds/${about.of('refund').text('id')}`];
}

function ofException(sentence: (amount: string, it: Facts) => Sentence): Describe {
  return (about) => {
    const exception = about.of('exception');
    return [sentence(amountOf(exception), exception), 'exceptions'];
  };
}

/** Another token is never dollars, also where an earlier release wrote cents for it. */
function amountOf(exception: Facts): string {
  if (exception.text('kind') !== 'wrong_mint') return exception.dollars('amountCents');
  const token = `an unknown token (${shortAddress(exception.text('mint'))})`;
  if (!exception.has('decimals')) return `Some of ${token}`;
  const baseUnits = BigInt(exception.text('amountBaseUnits'));
  const decimals = Number(exception.text('decimals'));
  return `${formatToken({ baseUnits, decimals }, 'en')} of ${token}`;
}

function ofPayout(about: Facts): Described {
  const whose = about.has('projectName') ? `project ${about.text('projectName')}` : 'your shop';
  const to = about.has('to') ? about.text('to') : about.has('projectName') ? 'your main address' : 'none';
  const by = about.text('actor');
  const sentences: Record<string, Sentence> = {
    requested: say`A new payout address of ${whose} was requested by ${by}: ${to}. Cancel it in time if that was not you.`,
    canceled: say`The requested payout address of ${whose} was canceled by ${by}: ${to}.`,
    changed: say`The payout address of ${whose} was changed by ${by}: ${to}.`,
  };
  return [sentences[about.text('status')] ?? sentences.changed!, 'settings'];
}

function ofDay(about: Facts): Described {
  const counts = [
    ['failed', 'attempt brought no USDC', 'attempts brought no USDC'],
    ['expired', 'not paid in time', 'not paid in time'],
    ['exceptions', 'to review', 'to review'],
    ['overdueRenewals', 'renewal overdue', 'renewals overdue'],
    ['newSubscriptions', 'subscription began', 'subscriptions began'],
    ['endedSubscriptions', 'subscription ended', 'subscriptions ended'],
    ['refunds', 'refund sent', 'refunds sent'],
  ] as const;
  const others = counts.flatMap(([name, one, many]) => {
    const count = about.text(name);
    return ['0', '–'].includes(count) ? [] : [`, ${count} ${count === '1' ? one : many}`];
  });
  const since = `${about.text('from').slice(0, 16).replace('T', ' ')} UTC`;
  const paid = `${about.text('paid')} paid (${about.dollars('paidCents')})`;
  const words = ['Since ', ': ', ...others.map(() => ''), '.'];
  return [{ words, values: [since, paid, ...others] }, 'payments'];
}

function order(about: Facts): string {
  return about.has('orderId') ? `order ${about.text('orderId')}` : 'a payment without an order id';
}

function customer(about: Facts): string {
  return `customer ${about.text(about.has('externalCustomerId') ? 'externalCustomerId' : 'customerId')}`;
}

function kindOf(exception: Facts): string {
  const kind = exception.text('kind');
  return kind === 'wrong_mint' ? 'not USDC' : kind.replaceAll('_', ' ');
}
