import { PAYOUT_EVENT } from '../accounts/payouts/announce-payout.ts';
import { SUMMARY, TEST_NOTIFICATION } from './notifications/channel.ts';

/** Sent to one endpoint alone, because somebody asked for it. */
export const TEST_EVENT = 'webhook_endpoint.test';

/**
 * These are as many as intents, and of no use to most: written only for a merchant with an endpoint that names them.
 */
export const INTENT_CREATED = 'payment_intent.created';

const ONLY_BY_NAME: readonly string[] = [INTENT_CREATED, PAYOUT_EVENT];

/** For the endpoint that their ordering key names, and no other. */
const ADDRESSED: readonly string[] = [TEST_EVENT, TEST_NOTIFICATION, SUMMARY];

export function isAddressed(event: string): boolean {
  return ADDRESSED.includes(event);
}

/** Without a choice, everything but what is sent only by name. */
export function wantsEvent(eventTypes: readonly string[] | null, event: string): boolean {
  return eventTypes ? eventTypes.includes(event) : !ONLY_BY_NAME.includes(event);
}

/** Each once. */
export function sortedTypes(eventTypes: readonly string[] | null): string[] | null {
  return eventTypes && [...new Set(eventTypes)].sort();
}
