import { hash } from 'node:crypto';
import { CheckOutBody } from '../../billing/payment-links/bodies.ts';
import type { PaymentLink } from '../../billing/payment-links/link.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { UNREADABLE } from '../../platform/http/query.ts';
import { bodyValidator, CONTROL } from '../../platform/http/validate.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { randomBase62 } from '../../platform/lib/ids.ts';
import type { PageCall } from '../pages/page-route.ts';
import type { LinkMessages } from './messages/link/messages.ts';

/** What a buyer said, and what is wrong with it. */
export interface LinkOrder {
  email: string | undefined;
  reference: string | undefined;
  /** The URL contains the reference, so nobody has to type it. */
  isReferenceGiven: boolean;
  /** The URL contains an invalid reference: the seller could not match the payment. */
  isReferenceUnusable: boolean;
  problems: { email?: Problem; reference?: Problem };
}

type Problem = 'missing' | 'malformed';

const check = bodyValidator(CheckOutBody);

/** Reads the fields the link asks for and ignores all others. */
export function readOrder(link: PaymentLink, { query, form }: Pick<PageCall, 'query' | 'form'>): LinkOrder {
  const { requireClientReferenceId, collectCustomerEmail } = link;
  const given = query.client_reference_id?.trim() || undefined;
  // Looked for before trimming, which takes some of them away.
  const isDamaged = UNREADABLE in query || CONTROL.test(query.client_reference_id ?? '');
  const isReferenceGiven = given !== undefined && !isDamaged && isTaken('clientReferenceId', given);
  const isReferenceUnusable = isDamaged || (given !== undefined && !isReferenceGiven);
  const email = collectCustomerEmail ? form.email : undefined;
  const reference = isReferenceGiven ? given : requireClientReferenceId ? form.reference : undefined;
  const wrongEmail = collectCustomerEmail && problemOf('customerEmail', email);
  const wrongReference = requireClientReferenceId && problemOf('clientReferenceId', reference);
  return {
    email,
    reference,
    isReferenceGiven,
    isReferenceUnusable,
    problems: {
      ...(wrongEmail && { email: wrongEmail }),
      ...(wrongReference && { reference: wrongReference }),
    },
  };
}

function problemOf(
  field: keyof typeof CheckOutBody.properties,
  value: string | undefined,
): Problem | undefined {
  if (value === undefined) return 'missing';
  return isTaken(field, value) ? undefined : 'malformed';
}

/** As the API takes it, so that page and API never disagree. */
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
export function bodyOf({ email, reference }: LinkOrder, formKey: string | undefined) {
  const labels = { customerEmail: email ?? null, clientReferenceId: reference ?? null };
  const idempotencyKey =
    formKey === undefined ? null : hash('sha256', JSON.stringify([formKey, labels]), 'hex');
  return { ...labels, idempotencyKey };
}

/** Posts to the page's own URL, which keeps language and reference. */
export function orderForm(link: PaymentLink, order: LinkOrder, text: LinkMessages): Html {
  const { email, reference } = order.problems;
  return html`<form method="post" class="stack" novalidate>
<input type="hidden" name="key" value="${randomBase62(24)}">
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
<button class="primary full">${text.form.submit}</button>
</form>`;
}

interface Field {
  name: string;
  label: string;
  hint: string;
  problem: string | undefined;
  input: Html;
}

/** What is typed here is written from left to right in every language. */
function field({ name, label, hint, problem, input }: Field): Html {
  const described = problem ? `${name}-problem ${name}-hint` : `${name}-hint`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" dir="ltr" required aria-describedby="${described}"${problem && html` aria-invalid="true"`} ${input}>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
<p class="hint" id="${name}-hint">${hint}</p>
</div>`;
}
