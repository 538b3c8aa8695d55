import {
  type Change,
  generateWebhookSecret,
  lockExisting,
  type NewSecret,
  removeWebhookUrl,
  setAnnouncesIntents,
  setWebhookUrl,
} from '../accounts/merchants/change-merchant.ts';
import { newWebhookSecret, SECRET_OVERLAP_HOURS } from '../accounts/merchants/merchant.ts';
import { parseWebhookUrl, type WebhookRules } from '../accounts/merchants/webhook-url.ts';
import { queueWebhookEmails } from '../email/queue-email.ts';
import { recordAudit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';
import { AppError } from '../platform/lib/errors.ts';
import { newId } from '../platform/lib/ids.ts';
import type { Ref } from '../platform/lib/ref.ts';
import type { SecretBox } from '../platform/lib/secret-box.ts';
import { isFirst, MAX_ENDPOINTS, type WebhookEndpoint, webhookEndpoints } from './endpoint.ts';
import {
  countEndpoints,
  deleteEndpoint,
  findWrittenThrough,
  hasEndpointFor,
  lockEndpoint,
  updateEndpoint,
  updateSecret,
  updateToDefaults,
} from './endpoint-queries.ts';
import { INTENT_CREATED, sortedTypes } from './event-types.ts';
import { insertFirstEndpoints } from './queries.ts';

export interface EndpointRules {
  webhookRules: WebhookRules;
}

export interface EndpointFields {
  name?: string | null | undefined;
  url?: string | undefined;
  eventTypes?: string[] | null | undefined;
  isActive?: boolean | undefined;
}

/** One more endpoint, with a secret of its own that is shown this once. Owners get an e-mail. */
export async function createEndpoint(
  tx: Tx,
  change: Change,
  fields: EndpointFields & { url: string },
  rules: EndpointRules & { secrets: SecretBox },
): Promise<{ endpoint: WebhookEndpoint; webhookSecret: string }> {
  const { merchantId, now } = change;
  await lockExisting(tx, merchantId);
  await insertFirstEndpoints(tx, [merchantId]);
  if ((await countEndpoints(tx, merchantId)) >= MAX_ENDPOINTS) {
    const message = `There can be ${MAX_ENDPOINTS} webhook endpoints. Delete one that is not needed.`;
    throw new AppError('INVALID_STATE', { message });
  }
  const endpoint = {
    id: newId(now),
    merchantId,
    name: fields.name ?? null,
    url: parseWebhookUrl(fields.url, rules.webhookRules, 'url'),
    eventTypes: sortedTypes(fields.eventTypes ?? null),
    isActive: fields.isActive ?? true,
    createdAt: now,
  };
  const webhookSecret = newWebhookSecret();
  const secret = rules.secrets.seal(webhookSecret);
  await webhookEndpoints.insert(tx, { ...endpoint, secret, settledThrough: await findWrittenThrough(tx) });
  await noteChange(tx, change, 'webhook_endpoint.created', undefined, endpoint);
  return { endpoint, webhookSecret };
}

/** Changes the given fields only. What waits for it goes to where it is now. */
export async function patchEndpoint(
  tx: Tx,
  change: Change,
  id: string,
  fields: EndpointFields,
  rules: EndpointRules,
): Promise<WebhookEndpoint> {
  const before = await lockForChange(tx, { merchantId: change.merchantId, id });
  const { name = before.name, isActive = before.isActive } = fields;
  const url = fields.url === undefined ? before.url : parseWebhookUrl(fields.url, rules.webhookRules, 'url');
  const eventTypes = fields.eventTypes === undefined ? before.eventTypes : sortedTypes(fields.eventTypes);
  const after = { ...before, name, isActive, url, eventTypes };
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  await updateEndpoint(tx, after);
  if (isFirst(after)) await setWebhookUrl(tx, change, url, rules.webhookRules);
  await noteChange(tx, change, 'webhook_endpoint.changed', before, after);
  return after;
}

/** Removes an endpoint. Events still to be sent to it are no longer sent. */
export async function removeEndpoint(tx: Tx, change: Change, id: string): Promise<void> {
  const before = await lockForChange(tx, { merchantId: change.merchantId, id });
  if (isFirst(before)) return removeFirstEndpoint(tx, change);
  await deleteEndpoint(tx, before);
  await noteChange(tx, change, 'webhook_endpoint.deleted', before, undefined);
}

/** The merchant's own URL, with what was chosen for it. Without a URL nothing changes. */
export async function removeFirstEndpoint(tx: Tx, change: Change): Promise<void> {
  await removeWebhookUrl(tx, change);
  await updateToDefaults(tx, change.merchantId);
  await followIntents(tx, change.merchantId);
}

/** The old secret also signs for a day, so that a receiver can switch without a gap. */
export async function generateEndpointSecret(
  tx: Tx,
  change: Change,
  id: string,
  secrets: SecretBox,
): Promise<NewSecret> {
  const endpoint = await lockForChange(tx, { merchantId: change.merchantId, id });
  if (isFirst(endpoint)) return generateWebhookSecret(tx, change, secrets);
  const webhookSecret = newWebhookSecret();
  const previousSecretExpiresAt = new Date(change.now.getTime() + SECRET_OVERLAP_HOURS * HOUR_MS);
  await updateSecret(tx, endpoint, secrets.seal(webhookSecret), previousSecretExpiresAt);
  await recordAudit(tx, { ...change, action: 'webhook_endpoint.secret_changed', targetId: endpoint.id });
  return { webhookSecret, previousSecretExpiresAt };
}

/** The merchant first, as everywhere, then the endpoint. */
export async function lockForChange(tx: Tx, ref: Ref): Promise<WebhookEndpoint> {
  await lockExisting(tx, ref.merchantId);
  await insertFirstEndpoints(tx, [ref.merchantId]);
  const endpoint = await lockEndpoint(tx, ref);
  if (!endpoint) throw new AppError('NOT_FOUND');
  return endpoint;
}

/** In the audit log; and by e-mail where somebody else may read events from now on, as a change of the first one's URL does. */
async function noteChange(
  tx: Tx,
  change: Change,
  action: string,
  before: WebhookEndpoint | undefined,
  after: WebhookEndpoint | undefined,
): Promise<void> {
  const { merchantId, actor, now } = change;
  const { id } = (after ?? before)!;
  const facts = { from: before?.url ?? null, to: after?.url ?? null };
  if (id !== merchantId && facts.from !== facts.to)
    await queueWebhookEmails(tx, merchantId, { ...facts, actor, at: now });
  const detail = { before: before && detailOf(before), after: after && detailOf(after) };
  await recordAudit(tx, { ...change, action, targetId: id, detail });
  await followIntents(tx, merchantId);
}

function detailOf({ name, url, eventTypes, isActive }: WebhookEndpoint) {
  return { name, url, eventTypes, isActive };
}

async function followIntents(tx: Tx, merchantId: string): Promise<void> {
  await setAnnouncesIntents(tx, merchantId, await hasEndpointFor(tx, merchantId, INTENT_CREATED));
}
