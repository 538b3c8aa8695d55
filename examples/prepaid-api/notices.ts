import type { WebhookEvent } from './florin.ts';
import type { Plan } from './set-up.ts';

/** In your API: a table with the event's id as its primary key, and a mail to the customer. */
const handledEvents = new Set<string>();
const notices = new Map<string, string>();

export const noticeFor = (customerId: string): string | null => notices.get(customerId) ?? null;

/** Tells a customer once that credits run low, and takes it back when there are new ones. */
export function noteBalance(plan: Plan, event: WebhookEvent): void {
  if (handledEvents.has(event.id)) return;
  changeNotice(plan, event);
  // Last: what failed was not handled, and Florin sends it again.
  handledEvents.add(event.id);
}

function changeNotice(plan: Plan, event: WebhookEvent): void {
  if (!('creditBalance' in event.data)) return;
  const { projectId, customerId, externalCustomerId, creditBalance } = event.data;
  // The webhook is for everything the merchant does, so other projects' events come, too.
  if (projectId !== plan.projectId) return;
  if (event.event === 'customer.balance_low' || event.event === 'customer.balance_depleted') {
    const text = `Credits left: ${creditBalance}.`;
    notices.set(customerId, text);
    console.log(`Mail to ${externalCustomerId}: ${text}`);
  } else if (event.event === 'customer.balance_credited') {
    notices.delete(customerId);
  }
}
