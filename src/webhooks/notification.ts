import { parseWebhookUrl, type WebhookRules } from '../accounts/merchants/webhook-url.ts';
import { badField } from '../platform/lib/errors.ts';
import type { EndpointRow } from './endpoint.ts';
import { type Channel, SUMMARY } from './notifications/channel.ts';
import { nextSummaryAt } from './notifications/next-summary.ts';

/** A channel on which a merchant's people read what happened. Inactive also when the member it goes to is gone. */
export interface Notification extends Pick<EndpointRow, (typeof NOTIFICATION_FIELDS)[number]> {
  kind: Channel;
  /** The part of its destination that may be shown. */
  destination: string;
  /** The member's, as it is now. */
  memberEmail: string | null;
  eventTypes: string[];
  isActive: boolean;
  createdAt: Date;
}

/** Fields that are as its row has them. */
export const NOTIFICATION_FIELDS = [
  'id',
  'merchantId',
  'kind',
  'name',
  'chatId',
  'memberId',
  'eventTypes',
  'summaryHour',
  'summaryTimeZone',
  'summaryAt',
  'summarySince',
  'createdAt',
] as const;

/** The plan of the daily summary after a change: a new choice counts from now on. */
export function plannedSummary(after: Notification, before: Notification | undefined, now: Date) {
  if (!after.eventTypes.includes(SUMMARY)) return { summaryAt: null, summarySince: null };
  const { summaryHour, summaryTimeZone } = after;
  const isSame = before?.summaryHour === summaryHour && before.summaryTimeZone === summaryTimeZone;
  if (isSame && before.summaryAt) return { summaryAt: before.summaryAt, summarySince: before.summarySince };
  return {
    summaryAt: nextSummaryAt(now, summaryHour, summaryTimeZone),
    summarySince: before?.summarySince ?? now,
  };
}

/** Each event costs a delivery for each. */
export const MAX_NOTIFICATIONS = 16;

export interface TargetFields {
  url?: string | undefined;
  chatId?: string | undefined;
  memberEmail?: string | undefined;
}

const NEEDS: Record<Channel, readonly (keyof TargetFields)[]> = {
  slack: ['url'],
  discord: ['url'],
  telegram: ['url', 'chatId'],
  https: ['url'],
  email: ['memberEmail'],
};

/** A clear 400 for a field that a kind needs and has not, or has and does not need. */
export function requireTargetOf(kind: Channel, fields: TargetFields, isNew: boolean): void {
  for (const name of ['url', 'chatId', 'memberEmail'] as const) {
    const isNeeded = NEEDS[kind].includes(name);
    if (isNeeded && isNew && fields[name] === undefined) throw badField(name, `is required for ${kind}`);
    if (!isNeeded && fields[name] !== undefined) throw badField(name, `is not used for ${kind}`);
  }
}

export interface SecretTarget {
  /** All of it: anyone who knows it can write to the channel. */
  url: string;
  destination: string;
}

export function parseTarget(kind: Channel, text: string, rules: WebhookRules): SecretTarget {
  const url = new URL(parseWebhookUrl(text, rules, 'url'));
  if (kind === 'telegram') {
    if (!/\/bot[^/]+(\/sendMessage)?\/?$/.test(url.pathname) || url.search)
      throw badField('url', 'must end with /bot and the token, such as https://api.telegram.org/bot123:ABC');
    url.pathname = `${url.pathname.replace(/(\/sendMessage)?\/?$/, '')}/sendMessage`;
  }
  return { url: url.href, destination: `${url.origin}/…` };
}
