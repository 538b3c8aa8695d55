import type { Subscription, WebhookEvent } from './florin.ts';

/** A team's access, as the last event said. */
export interface Access {
  team: string;
  customerId: string;
  subscriptionId: string;
  status: Subscription['status'];
  seats: number;
  hasAccess: boolean;
  /** The number of the last event that changed it. */
  sequence: number;
}

// In your app: a table with the subscription's id as its primary key.
const rows = new Map<string, Access>();

/** The subscription that gives a team access; or its latest, where none does. */
export function accessOf(team: string): Access | undefined {
  const own = [...rows.values()].filter((row) => row.team === team);
  return own.find(({ hasAccess }) => hasAccess) ?? own.at(-1);
}

/**
 * Grants and ends access by what Florin said. Every event has the whole subscription as it was then, and a number that
 * grows: one that comes twice, or after a newer one, changes nothing. In your app the row is locked meanwhile.
 */
export function applyEvent(projectId: string, event: WebhookEvent): void {
  // The webhook is for everything the merchant does: other objects, and other projects.
  if (!('subscription' in event.data)) return;
  const { subscription } = event.data;
  const team = subscription.externalCustomerId;
  if (subscription.projectId !== projectId || team === null) return;
  const before = rows.get(subscription.id);
  if (before && event.sequence <= before.sequence) return;
  const { id: subscriptionId, customerId, status, quantity: seats, hasAccess } = subscription;
  const after = { team, customerId, subscriptionId, status, seats, hasAccess, sequence: event.sequence };
  rows.set(subscriptionId, after);
  tell(before, after);
}

/** In your app: jobs, written in the same transaction as the row. */
function tell(before: Access | undefined, { team, seats, hasAccess }: Access): void {
  const had = before?.hasAccess ?? false;
  if (hasAccess && !had) console.log(`Open ${team}, seats: ${seats}`);
  if (hasAccess && had && seats !== before?.seats) console.log(`Change ${team}, seats: ${seats}`);
  if (!hasAccess && had) console.log(`Close ${team}`);
}
