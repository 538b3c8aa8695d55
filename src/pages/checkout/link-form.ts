import { hash } from 'node:crypto';
import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { CheckOutBody } from '../../billing/payment-links/bodies.ts';
import type { PaymentLink } from '../../billing/payment-links/link.ts';
import { isWithin, maxOf, type OpenAmount } from '../../billing/payment-links/open-amount.ts';
import type { PublicLink } from '../../billing/payment-links/public-link-cache.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { UNREADABLE } from '../../platform/http/query.ts';
import { bodyValidator, CONTROL } from '../../platform/http/validate.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { formatUsd, plainUsd } from '../../platform/lib/format.ts';
import { randomBase62 } from '../../platform/lib/ids.ts';
import type { Language } from '../../platform/lib/language.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { PageCall } from '../parts/page-route.ts';
import { isAmbiguous, readMoney } from '../parts/read-money.ts';
import { linkMessages } from './messages/link/languages.ts';

/** Form as a buyer filled it in, and what is wrong with it. */
export interface LinkOrder {
  email: string | undefined;
  /** Amount that the buyer chose or typed, as typed. */
  amount: Amount;
  reference: string | undefined;
  /** The URL contains the reference, so nobody has to type it. */
  isReferenceGiven: boolean;
  /** The URL contains an invalid reference: the seller could not match the payment. */
  isReferenceUnusable: boolean;
  problems: { amount?: AmountProblem; email?: Problem; reference?: Problem };
}

interface Amount {
  chosen: string | undefined;
  typed: string | undefined;
  cents: Cents | undefined;
}

type Problem = 'missing' | 'malformed';
type AmountProblem = 'malformed' | 'ambiguous';

const check = bodyValidator(CheckOutBody);

/** Reads the fields the link asks for and ignores all others. */
export function readOrder(link: PaymentLink, { query, form }: Pick<PageCall, 'query' | 'form'>): LinkOrder {
  const { requireClientReferenceId, collectCustomerEmail } = link;
  const given = query.client_reference_id?.trim() || undefined;
  // Looked for before trimming, which takes some of them away.
  const isDamaged = UNREADABLE in query || CONTROL.test(query.client_reference_id ?? '');
  const isReferenceGiven = given !== undefined && !isDamaged && isTaken('clientReferenceId', given);
  const isReferenceUnusable = isDamaged || (given !== undefined && !isReferenceGiven);
  const amount = readAmount(link, form);
  const wrongAmount =
    link.openAmount && (amount.cents === undefined || !isWithin(link.openAmount, amount.cents));
  const email = collectCustomerEmail ? form.email : undefined;
  const reference = isReferenceGiven ? given : requireClientReferenceId ? form.reference : undefined;
  const wrongEmail = collectCustomerEmail && problemOf('customerEmail', email);
  const wrongReference = requireClientReferenceId && problemOf('clientReferenceId', reference);
  return {
    email,
    amount,
    reference,
    isReferenceGiven,
    isReferenceUnusable,
    problems: {
      ...(wrongAmount && { amount: problemOfAmount(amount) }),
      ...(wrongEmail && { email: wrongEmail }),
      ...(wrongReference && { reference: wrongReference }),
    },
  };
}

/** Reads the amount. A typed one counts before a marked one: anyone who types has changed their mind. */
function readAmount({ openAmount }: PaymentLink, form: PageCall['form']): Amount {
  if (!openAmount) return { chosen: undefined, typed: undefined, cents: undefined };
  const typed = form.amount?.trim() || undefined;
  const chosen = openAmount.suggestedCents.find((cents) => `${cents}` === form.choice);
  const cents = typed === undefined ? chosen : readMoney(typed);
  return { chosen: chosen?.toString(), typed, cents };
}

function problemOfAmount({ typed = '' }: Amount): AmountProblem {
  return isAmbiguous(typed) ? 'ambiguous' : 'malformed';
}

function problemOf(
  field: keyof typeof CheckOutBody.properties,
  value: string | undefined,
): Problem | undefined {
  if (value === undefined) return 'missing';
  return isTaken(field, value) ? undefined : 'malformed';
}

/** Checks a value with the API's schema, so that page and API never disagree. */
function isTaken(field: string, value: string): boolean {
  try {
    check({ [field]: value });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Clicking again is the same order; going back and changing something is a new one. */
export function bodyOf({ email, reference, amount }: LinkOrder, formKey: string | undefined) {
  const labels = { customerEmail: email ?? null, clientReferenceId: reference ?? null };
  const order = amount.cents === undefined ? labels : { ...labels, amountCents: amount.cents };
  const idempotencyKey = formKey === undefined ? null : hash('sha256', keyTextOf(formKey, order), 'hex');
  return { ...order, idempotencyKey };
}

function keyTextOf(formKey: string, order: object): string {
  return JSON.stringify([formKey, order], (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** Posts to the page's own URL, which keeps language and reference. */
export function orderForm(
  { link, price }: Pick<PublicLink, 'link' | 'price'>,
  order: LinkOrder,
  language: Language,
): Html {
  const text = linkMessages[language];
  const isTrial = price.trialDays !== null;
  const { email, reference } = order.problems;
  return html`<form method="post" class="stack" novalidate>
<input type="hidden" name="key" value="${randomBase62(24)}">
${link.openAmount && amountFields(link.openAmount, price, order, language)}
${
  link.collectCustomerEmail &&
  field({
    name: 'email',
    label: text.form.email,
    hint: text.form.emailHint,
    problem: email && { missing: text.problems.emailMissing, malformed: text.problems.emailMalformed }[email],
    input: html`type="email" autocomplete="email" value="${order.email ?? ''}"${email && html` autofocus`}`,
  })
}
${
  link.requireClientReferenceId &&
  !order.isReferenceGiven &&
  field({
    name: 'reference',
    label: text.reference,
    hint: text.form.referenceHint,
    problem:
      reference &&
      { missing: text.problems.referenceMissing, malformed: text.problems.referenceMalformed }[reference],
    input: html`type="text" autocomplete="off" autocapitalize="none" spellcheck="false" value="${order.reference ?? ''}"${reference && !email && html` autofocus`}`,
  })
}
<button class="primary full">${isTrial ? text.form.startTrial : text.form.submit}</button>
</form>`;
}

/** Amounts to choose from, and a field for any other. */
function amountFields(
  open: OpenAmount,
  { unitAmountCents }: CatalogPrice,
  { amount, problems }: LinkOrder,
  language: Language,
): Html {
  const text = linkMessages[language];
  const { suggestedCents } = open;
  const limits = {
    min: formatUsd(open.minCents, language),
    max: open.maxCents === null ? undefined : formatUsd(open.maxCents, language),
  };
  const isFirst = amount.chosen === undefined && amount.typed === undefined;
  const usual = isFirst ? `${unitAmountCents}` : amount.chosen;
  const other = field({
    name: 'amount',
    label: suggestedCents.length === 0 ? text.form.amount : text.form.otherAmount,
    hint: text.form.amountHint(limits),
    problem:
      problems.amount &&
      {
        malformed: text.problems.amount({ ...limits, max: formatUsd(maxOf(open), language) }),
        ambiguous: text.problems.amountAmbiguous,
      }[problems.amount],
    isOptional: suggestedCents.length > 0,
    input: html`type="text" inputmode="decimal" autocomplete="off" value="${amount.typed ?? (suggestedCents.length === 0 && isFirst ? plainUsd(unitAmountCents) : '')}"${problems.amount && html` autofocus`}`,
  });
  if (suggestedCents.length === 0) return other;
  return html`<fieldset class="amounts"><legend>${text.form.amount}</legend>
<div class="choices">${suggestedCents.map(
    (cents) =>
      html`<label><input type="radio" name="choice" value="${`${cents}`}"${`${cents}` === usual && html` checked`}><span dir="ltr">${formatUsd(cents, language)}</span></label>`,
  )}</div>
</fieldset>
${other}`;
}

interface Field {
  name: string;
  label: string;
  hint: string;
  problem: string | undefined;
  isOptional?: boolean;
  input: Html;
}

/** Input that is written from left to right in every language. */
function field({ name, label, hint, problem, isOptional = false, input }: Field): Html {
  const described = problem ? `${name}-problem ${name}-hint` : `${name}-hint`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" dir="ltr"${!isOptional && html` required`} aria-describedby="${described}"${problem && html` aria-invalid="true"`} ${input}>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
<p class="hint" id="${name}-hint">${hint}</p>
</div>`;
}
