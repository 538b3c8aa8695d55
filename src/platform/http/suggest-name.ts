import { nearestName } from '../lib/nearest-name.ts';

/**
 * The name that a caller meant by one that is not known: written in another case, as others write it, without its
 * unit, or misspelt. Undefined where none is near enough.
 */
export function suggestName(given: string, known: readonly string[]): string | undefined {
  const plain = plainOf(given);
  if (plain === '') return undefined;
  const byPlain = new Map(known.flatMap((name) => [[plainOf(baseOf(name)), name] as const]));
  for (const name of known) byPlain.set(plainOf(name), name);
  const elsewhere = ELSEWHERE[plain]?.find((name) => known.includes(name));
  const meant = known.find((name) => plainOf(name) === plain) ?? elsewhere ?? byPlain.get(plain);
  if (meant !== undefined) return meant;
  const near = nearestName(plain, [...byPlain.keys()], mostChanges(plain));
  return near === undefined ? undefined : byPlain.get(near);
}

/** `line_items`, `lineItems[]` and `Line-Items` are one name. */
function plainOf(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Drops the kind of value from names such as `amountCents`, `customerId` and `isActive`, as callers may. */
function baseOf(name: string): string {
  return name.replace(/^is(?=[A-Z])/, '').replace(/(?<=[a-z])(Cents|Id|Url|At|Days|Amount)$/, '');
}

/** A short name is near to too much. */
function mostChanges({ length }: string): number {
  if (length < 3) return 0;
  return length < 6 ? 1 : length < 10 ? 2 : 3;
}

/** Stripe's names, and what others call the same thing; the first that is known is meant. */
const ELSEWHERE: Record<string, readonly string[]> = {
  amount: ['amountCents', 'unitAmountCents', 'deltaCents'],
  price: ['priceId', 'unitAmountCents', 'amountCents'],
  unitamount: ['unitAmountCents', 'amountCents'],
  unitamountdecimal: ['unitAmountCents'],
  total: ['amountCents'],
  customer: ['customerId', 'externalCustomerId'],
  email: ['customerEmail', 'memberEmail'],
  receiptemail: ['customerEmail'],
  name: ['customerName', 'productName', 'legalName'],
  nickname: ['name'],
  title: ['name'],
  items: ['lineItems'],
  product: ['productId', 'productName'],
  productdata: ['productId', 'productName'],
  clientreferenceid: ['merchantReference'],
  reference: ['merchantReference', 'clientReferenceId', 'orderId'],
  order: ['orderId', 'merchantReference'],
  active: ['isActive', 'status'],
  type: ['billingMode', 'mode', 'kind'],
  mode: ['billingMode'],
  billingmode: ['mode'],
  interval: ['recurringInterval', 'granularity'],
  recurring: ['recurringInterval'],
  intervalcount: ['recurringIntervalCount'],
  trialperioddays: ['trialDays'],
  credits: ['creditAmount', 'deltaCredits'],
  coupon: ['discountId', 'promotionCode'],
  discounts: ['discountId'],
  durationinmonths: ['durationPeriods'],
  redeemby: ['endsAt'],
  duedate: ['dueAt'],
  daysuntildue: ['netDays'],
  description: ['memo', 'note', 'reason', 'name'],
  footer: ['memo'],
  autosend: ['send'],
  cancelatperiodend: ['atPeriodEnd'],
  atperiodend: ['cancelAtPeriodEnd'],
  paymentintent: ['paymentIntentId'],
  charge: ['paymentIntentId'],
  payment: ['paymentIntentId'],
  invoice: ['invoiceId'],
  subscription: ['subscriptionId'],
  value: ['quantity'],
  eventname: ['metric', 'event'],
  meter: ['metric'],
  identifier: ['idempotencyKey'],
  enabledevents: ['eventTypes'],
  events: ['eventTypes', 'event'],
  url: ['webhookUrl', 'resourceUrl'],
  webhook: ['webhookUrl', 'url'],
  startingafter: ['cursor'],
  endingbefore: ['cursor'],
  page: ['cursor'],
  offset: ['cursor'],
  perpage: ['limit'],
  pagesize: ['limit'],
  created: ['createdFrom', 'createdTo'],
  createdgte: ['createdFrom'],
  createdgt: ['createdFrom'],
  createdlte: ['createdTo'],
  createdlt: ['createdTo'],
  since: ['createdFrom', 'from'],
  until: ['createdTo', 'to'],
  start: ['from', 'createdFrom'],
  end: ['to', 'createdTo'],
  wallet: ['payoutAddress', 'address', 'account'],
  preferredlocales: ['language'],
  locale: ['language'],
  taxiddata: ['taxIds'],
  postalcode: ['postalCode'],
  zip: ['postalCode'],
  line: ['line1'],
  street: ['line1'],
  percentage: ['percent', 'percentOff'],
  inclusive: ['taxBehavior'],
};
