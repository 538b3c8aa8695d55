import { findMemberByEmail } from '../accounts/members/queries.ts';
import { type Change, lockExisting } from '../accounts/merchants/change-merchant.ts';
import type { WebhookRules } from '../accounts/merchants/webhook-url.ts';
import { recordAudit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { findLastSequence } from '../platform/events/queries.ts';
import { AppError, badField } from '../platform/lib/errors.ts';
import { newId } from '../platform/lib/ids.ts';
import type { Ref } from '../platform/lib/ref.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import { isTimeZone } from '../platform/lib/time-zone.ts';
import { webhookEndpoints } from './endpoint.ts';
import { deleteEndpoint, findWrittenThrough } from './endpoint-queries.ts';
import { sortedTypes } from './event-types.ts';
import {
  MAX_NOTIFICATIONS,
  type Notification,
  parseTarget,
  plannedSummary,
  requireTargetOf,
  type TargetFields,
} from './notification.ts';
import { presentNotification } from './notification-present.ts';
import { countNotifications, lockNotification, toRow } from './notification-queries.ts';
import { type Channel, SUMMARY, TEST_NOTIFICATION, USUAL } from './notifications/channel.ts';

export interface NotificationRules {
  webhookRules: WebhookRules;
  secrets: SecretBox;
}

export interface NotificationFields extends TargetFields {
  name?: string | null | undefined;
  eventTypes?: string[] | undefined;
  isActive?: boolean | undefined;
  summaryHour?: number | undefined;
  summaryTimeZone?: string | undefined;
}

/** Sends people a sentence for each chosen event from now on. Anyone who knows a channel's URL can write to it: it is sealed and never shown. */
export async function createNotification(
  tx: Tx,
  change: Change,
  { kind, ...fields }: NotificationFields & { kind: Channel },
  rules: NotificationRules,
): Promise<Notification> {
  const { merchantId, now } = change;
  requireTargetOf(kind, fields, true);
  await lockExisting(tx, merchantId);
  if ((await countNotifications(tx, merchantId)) >= MAX_NOTIFICATIONS) {
    const message = `There can be ${MAX_NOTIFICATIONS} notifications. Delete one that is not needed.`;
    throw new AppError('INVALID_STATE', { message });
  }
  const target = await readTarget(tx, merchantId, kind, fields, rules);
  requireTimeZone(fields);
  const drafted = {
    id: newId(now),
    merchantId,
    kind,
    name: fields.name ?? null,
    chatId: fields.chatId ?? null,
    destination: '',
    memberId: null,
    memberEmail: null,
    eventTypes: sortedTypes(fields.eventTypes ?? USUAL)!,
    isActive: fields.isActive ?? true,
    createdAt: now,
    summaryHour: fields.summaryHour ?? 8,
    summaryTimeZone: fields.summaryTimeZone ?? 'UTC',
    summaryAt: null,
    summarySince: null,
    ...target.shown,
  };
  const notification = { ...drafted, ...plannedSummary(drafted, undefined, now) };
  const { secret = null } = target;
  const settledThrough = await findWrittenThrough(tx);
  await webhookEndpoints.insert(tx, { ...toRow(notification), secret, settledThrough });
  await noteChange(tx, change, 'notification.created', undefined, notification);
  return notification;
}

/** Changes the given fields only. What waits for it goes to where it is now. */
export async function patchNotification(
  tx: Tx,
  change: Change,
  id: string,
  fields: NotificationFields,
  rules: NotificationRules,
): Promise<Notification> {
  const before = await lockForChange(tx, { merchantId: change.merchantId, id });
  requireTargetOf(before.kind, fields, false);
  const target = await readTarget(tx, change.merchantId, before.kind, fields, rules);
  requireTimeZone(fields);
  const changed = {
    ...before,
    name: fields.name === undefined ? before.name : fields.name,
    chatId: fields.chatId ?? before.chatId,
    eventTypes: fields.eventTypes ? sortedTypes(fields.eventTypes)! : before.eventTypes,
    isActive: fields.isActive ?? before.isActive,
    summaryHour: fields.summaryHour ?? before.summaryHour,
    summaryTimeZone: fields.summaryTimeZone ?? before.summaryTimeZone,
    ...target.shown,
  };
  const after = { ...changed, ...plannedSummary(changed, before, change.now) };
  if (target.secret === undefined && JSON.stringify(after) === JSON.stringify(before)) return before;
  const { secret } = target;
  await webhookEndpoints.update(tx, after, { ...toRow(after), ...(secret && { secret }) });
  await noteChange(tx, change, 'notification.changed', before, after);
  return after;
}

/** Removes a notification. Messages still to be sent are no longer sent. */
export async function removeNotification(tx: Tx, change: Change, id: string): Promise<void> {
  const before = await lockForChange(tx, { merchantId: change.merchantId, id });
  await deleteEndpoint(tx, before);
  await noteChange(tx, change, 'notification.deleted', before, undefined);
}

/** Writes an event for it alone: sent, retried and logged like any other. */
export async function testNotification(tx: Tx, ref: Ref, now: Date): Promise<string> {
  const notification = await lockForChange(tx, ref);
  const { merchantId, id, isActive } = notification;
  if (!isActive) throw new AppError('INVALID_STATE', { message: 'This notification is switched off.' });
  const sequence = (await findLastSequence(tx, merchantId, id)) + 1;
  const data = { notification: presentNotification(notification) };
  const object = { objectType: 'notification', objectId: id, orderingKey: id, sequence };
  const [eventId] = await appendEvents(
    tx,
    [{ merchantId, event: TEST_NOTIFICATION, ...object, status: 'active', previousStatus: null, data }],
    now,
  );
  return eventId!;
}

/** The merchant first, as everywhere, then the notification. */
async function lockForChange(tx: Tx, ref: Ref): Promise<Notification> {
  await lockExisting(tx, ref.merchantId);
  const notification = await lockNotification(tx, ref);
  if (!notification) throw new AppError('NOT_FOUND');
  return notification;
}

function requireTimeZone({ summaryTimeZone: zone }: NotificationFields): void {
  if (zone !== undefined && !isTimeZone(zone))
    throw badField('summaryTimeZone', 'must be the name of a time zone, such as Europe/Berlin');
}

interface Target {
  shown: Partial<Pick<Notification, 'destination' | 'memberId' | 'memberEmail'>>;
  secret: Buffer | undefined;
}

async function readTarget(
  tx: Tx,
  merchantId: string,
  kind: Channel,
  { url, memberEmail }: TargetFields,
  { webhookRules, secrets }: NotificationRules,
): Promise<Target> {
  if (memberEmail !== undefined)
    return { shown: await readMember(tx, merchantId, memberEmail), secret: undefined };
  if (url === undefined) return { shown: {}, secret: undefined };
  const { url: whole, destination } = parseTarget(kind, url, webhookRules);
  return { shown: { destination }, secret: secrets.seal(whole) };
}

/** Only the merchant's own people: otherwise anybody could have e-mails sent to anybody. */
async function readMember(tx: Tx, merchantId: string, text: string) {
  if (!tx.queuesEmails)
    throw new AppError('INVALID_STATE', {
      message: 'This service has no mail server, so it sends no e-mails.',
    });
  const member = await findMemberByEmail(tx, merchantId, text);
  if (!member || member.disabledAt) throw badField('memberEmail', 'must be of a member who can sign in');
  return { memberId: member.id, memberEmail: member.email, destination: `mailto:${member.email}` };
}

async function noteChange(
  tx: Tx,
  change: Change,
  action: string,
  before: Notification | undefined,
  after: Notification | undefined,
): Promise<void> {
  const detail = { before: before && detailOf(before), after: after && detailOf(after) };
  await recordAudit(tx, { ...change, action, targetId: (after ?? before)!.id, detail });
}

function detailOf({
  kind,
  name,
  destination,
  chatId,
  memberId,
  eventTypes,
  isActive,
  ...more
}: Notification) {
  const where = memberId === null ? { destination } : { memberId };
  const { summaryHour, summaryTimeZone } = more;
  const summary = eventTypes.includes(SUMMARY) && { summaryHour, summaryTimeZone };
  return { kind, name, ...where, ...(chatId !== null && { chatId }), eventTypes, isActive, ...summary };
}
