import { countDue } from '../../billing/subscriptions/due-queries.ts';
import { findEmailBacklog } from '../../email/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { findLastBackup } from '../../platform/db/installation.ts';
import { countUndispatched } from '../../platform/events/queries.ts';
import { type Clock, realNow } from '../../platform/lib/clock.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { countSetAside } from '../../platform/set-aside/queries.ts';
import { findDeliveryBacklog } from '../../webhooks/queries.ts';

/** Counting ends here: a queue as long as this is an emergency whatever its length, and must not be made longer. */
const MAX = 100_000;

/**
 * Gauges of the work that waits for a worker. Every process reports them: if the last worker is gone, the others
 * still do. The returned function counts.
 */
export function backlogGauges(db: Database, clock: Clock, metrics: Metrics): () => Promise<void> {
  const values = new Map<string, number>();
  const gauge = (name: string, help: string) => metrics.gauge(name, help, () => values.get(name) ?? 0);
  gauge(DELIVERIES, 'Deliveries not finished yet.');
  gauge(OLDEST_DELIVERY, 'How long the oldest delivery has been due.');
  gauge(EMAILS, 'E-mails not sent yet.');
  gauge(OLDEST_EMAIL, 'How long the oldest e-mail has been due.');
  gauge(EVENTS, 'Events that are not deliveries yet.');
  gauge(RENEWALS, 'Subscriptions with a due step.');
  gauge(SET_ASIDE, 'Due items that failed and are tried again later.');
  gauge(BACKUP, 'When the last backup was completed; 0: never.');
  return async () => {
    const now = realNow();
    const deliveries = await findDeliveryBacklog(db, MAX);
    values.set(DELIVERIES, deliveries.count);
    values.set(OLDEST_DELIVERY, secondsBetween(deliveries.dueAt, now));
    const emails = await findEmailBacklog(db, MAX);
    values.set(EMAILS, emails.count);
    values.set(OLDEST_EMAIL, secondsBetween(emails.dueAt, now));
    values.set(EVENTS, await countUndispatched(db, MAX));
    values.set(RENEWALS, await countDue(db, clock.now(), MAX));
    values.set(SET_ASIDE, (await countSetAside(db)).count);
    values.set(BACKUP, ((await findLastBackup(db))?.getTime() ?? 0) / 1000);
  };
}

const DELIVERIES = 'florin_webhook_deliveries_waiting';
const OLDEST_DELIVERY = 'florin_webhook_oldest_due_seconds';
const EMAILS = 'florin_emails_waiting';
const OLDEST_EMAIL = 'florin_emails_oldest_due_seconds';
const EVENTS = 'florin_events_waiting';
const RENEWALS = 'florin_due_renewals';
const SET_ASIDE = 'florin_set_aside_work';
const BACKUP = 'florin_last_backup_timestamp_seconds';

const secondsBetween = (from: Date | null, to: Date) =>
  from === null ? 0 : Math.max(0, (to.getTime() - from.getTime()) / 1000);
