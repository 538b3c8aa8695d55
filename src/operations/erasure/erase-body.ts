import { customerWebhooks } from '../../accounts/customers/describe-events.ts';
import { sessionWebhooks } from '../../billing/checkout-sessions/describe-events.ts';
import { invoiceWebhooks } from '../../billing/invoices/describe-events.ts';
import { balanceWebhooks } from '../../billing/ledger/describe-events.ts';
import { subscriptionWebhooks } from '../../billing/subscriptions/describe-events.ts';
import { intentWebhooks } from '../../intents/describe-events.ts';
import { refundWebhooks } from '../../payments/refunds/describe-events.ts';
import { exceptionWebhooks } from '../../payments/transfers/describe-events.ts';
import { type Json, parseJson, stringifyJson } from '../../platform/lib/json.ts';

/** Subset of JSON Schema that our own schemas use. */
interface Form {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  anyOf?: Form[];
  properties?: Record<string, Form>;
  items?: Form;
}

const FORMS = new Map<string, Form>(
  [
    ...customerWebhooks,
    ...sessionWebhooks,
    ...subscriptionWebhooks,
    ...intentWebhooks,
    ...invoiceWebhooks,
    ...balanceWebhooks,
    ...refundWebhooks,
    ...exceptionWebhooks,
  ].map(({ event, body }) => [event, body as Form]),
);

/** Texts that we write, or the chain does, and nobody types. */
const OURS = new Set([
  'amountBaseUnits',
  'checkoutUrl',
  'creditNoteNumber',
  'currency',
  'destinationAddress',
  'mint',
  'number',
  'referenceAddress',
  'txSignature',
]);

/**
 * An event as it was written, without a word that anybody has typed: ids, times, states, numbers and flags stay, every
 * other text becomes null, or empty where it cannot be null. What its description does not know goes as well, so a
 * field that is added later is erased unless somebody says that it can stay.
 */
export function eraseBody(event: string, body: string): string {
  return stringifyJson(erase(parseJson(body), FORMS.get(event), ''));
}

function erase(value: Json, form: Form | undefined, name: string): Json {
  if (typeof value === 'string') return eraseText(value, form, name);
  if (value === null || typeof value !== 'object') return value;
  const own = formOf(form, Array.isArray(value) ? 'array' : 'object');
  if (Array.isArray(value)) return eraseList(value, own);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isAround(key, name) || (name === '' && key === 'data') || own?.properties?.[key])
      .map(([key, inner]) => [key, isAround(key, name) ? inner : erase(inner, own?.properties?.[key], key)]),
  );
}

/** Fields that every event has around its data. */
const AROUND = ['id', 'event', 'createdAt', 'sequence', 'status'];

function isAround(key: string, parent: string): boolean {
  return parent === '' && AROUND.includes(key);
}

function eraseList(list: readonly Json[], form: Form | undefined): Json[] {
  const items = form?.items;
  // Even the length of a list of texts says something about a person.
  return items && !typesOf(items).includes('string') ? list.map((item) => erase(item, items, '[]')) : [];
}

function eraseText(text: string, form: Form | undefined, name: string): Json {
  if (OURS.has(name)) return text;
  if (form?.enum || form?.format === 'uuid' || form?.format === 'date-time') return text;
  return form && typesOf(form).includes('null') ? null : '';
}

function formOf(form: Form | undefined, type: string): Form | undefined {
  return form?.anyOf ? form.anyOf.find((one) => typesOf(one).includes(type)) : form;
}

function typesOf({ type = [] }: Form): string[] {
  return typeof type === 'string' ? [type] : type;
}
