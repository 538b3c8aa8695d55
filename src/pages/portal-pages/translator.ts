import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { presentSubscription } from '../../billing/subscriptions/present.ts';
import { type Html, type HtmlPart, html } from '../../platform/http/html.ts';
import { formatCount, formatMoment, formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { formatDay } from '../parts/format.ts';
import { formatEvery } from '../parts/interval.ts';
import type { PageCall } from '../parts/page-route.ts';
import type { PlannedSubscription } from '../portal/present.ts';
import { portalMessages } from './messages/languages.ts';
import type { PortalMessages } from './messages/messages.ts';

/** Texts, formats and addresses for one reader. Addresses keep a language that the reader chose. */
export interface Translator {
  language: Language;
  text: PortalMessages;
  usd(cents: bigint): string;
  count(count: bigint): string;
  day(date: Date): string;
  moment(date: Date): string;
  /** `$10.00 every month`, `3 × $10.00 every month` */
  rate(price: CatalogPrice, quantity?: number): string;
  to(path: string, query?: Record<string, string>): string;
}

export function translatorOf({ language, query }: PageCall): Translator {
  const kept: Record<string, string> = query.lang === undefined ? {} : { lang: language };
  return {
    language,
    text: portalMessages[language],
    usd: (cents) => formatUsd(cents, language),
    count: (count) => formatCount(count, language),
    day: (date) => formatDay(date, language),
    moment: (date) => formatMoment(date, language),
    rate({ unitAmountCents, recurringInterval, recurringIntervalCount }, quantity = 1) {
      const every = formatEvery(recurringInterval!, recurringIntervalCount!, language);
      const count = quantity === 1 ? '' : `${formatCount(BigInt(quantity), language)} × `;
      return `${count}${formatUsd(unitAmountCents, language)} ${every}`;
    },
    to(path, more = {}) {
      const carried = new URLSearchParams({ ...more, ...kept }).toString();
      return carried ? `${path}?${carried}` : path;
    },
  };
}

/** A message with its `{places}` filled; what is put there may be markup. */
export function t(message: string, parts: Record<string, HtmlPart> = {}): Html {
  // Splitting by a group leaves the names of the places at the odd positions.
  const pieces = message.split(/\{(\w+)\}/).map((piece, at) => (at % 2 === 1 ? parts[piece] : piece));
  return html`${pieces}`;
}

/** The same as plain text, for titles. */
export function tPlain(message: string, parts: Record<string, string>): string {
  return message.replace(/\{(\w+)\}/g, (_all, name: string) => parts[name] ?? '');
}

/** Foreign text inside ours: it keeps its own direction and never changes ours. */
export function named(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

export function planName({ productName, name }: CatalogPrice): string {
  return name === null ? productName : `${productName} – ${name}`;
}

/** A change that is planned or awaiting payment; if only the number changes, it says how many. */
export function nextPlanName({ subscription, plan, nextPlan }: PlannedSubscription): string {
  const { quantity } = presentSubscription(subscription).pendingChange!;
  const name = planName(nextPlan!);
  return quantity === 1 && plan.id !== nextPlan!.id ? name : `${quantity} × ${name}`;
}
