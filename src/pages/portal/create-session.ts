import { lockCustomerForUse } from '../../accounts/customers/queries.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import { checkReturnUrl } from '../../billing/checkout-sessions/return-url.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { hashSecret, LINK_LIFE_MINUTES, mintSecret, type PortalSession } from './portal-session.ts';
import { insertSession } from './queries.ts';

export interface CreatePortalSession {
  merchantId: string;
  projectId: string;
  customerId: string;
  returnUrl: string | null | undefined;
  actor: string;
  allowLoopback: boolean;
  publicUrl: string;
  now: Date;
}

/**
 * A link with which one customer enters their portal once, within the hour. Customers of an archived project can
 * still enter: they want their invoices, and to cancel what they no longer want.
 */
export async function createPortalSession(
  tx: Tx,
  input: CreatePortalSession,
): Promise<{ session: PortalSession; url: string }> {
  const { merchantId, now } = input;
  const project = await findProject(tx, { merchantId, id: input.projectId });
  if (!project) throw badField('projectId', 'must be the id of one of your projects');
  const customer = await lockCustomerForUse(tx, { merchantId, id: input.customerId, projectId: project.id });
  if (!customer) throw badField('customerId', 'must be the id of a customer of this project');
  const returnUrl = checkReturnUrl('returnUrl', input.returnUrl, input);
  const expiresAt = addMinutes(now, LINK_LIFE_MINUTES);
  const id = newId(now);
  const customerId = customer.mergedIntoId ?? customer.id;
  const session = { id, merchantId, projectId: project.id, customerId, returnUrl, expiresAt };
  return writeSession(tx, { ...session, isByEmail: false, askedFromHash: null, createdAt: now }, input);
}

/** Stores a session and notes who made it. Only the answer has its secret. */
export async function writeSession(
  tx: Tx,
  session: PortalSession,
  { actor, publicUrl }: { actor: string; publicUrl: string },
): Promise<{ session: PortalSession; url: string }> {
  const { id, merchantId, customerId, createdAt, isByEmail } = session;
  const token = mintSecret();
  await insertSession(tx, session, hashSecret(token));
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'portal_session.created',
    targetId: id,
    detail: { customerId, ...(isByEmail && { isByEmail }) },
    now: createdAt,
  });
  return { session, url: `${publicUrl}/portal/${token}` };
}
