import { findCustomer } from '../../accounts/customers/queries.ts';
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
  const customer = await findCustomer(tx, { merchantId, id: input.customerId, projectId: project.id });
  if (!customer) throw badField('customerId', 'must be the id of a customer of this project');
  const token = mintSecret();
  const session: PortalSession = {
    id: newId(now),
    merchantId,
    projectId: project.id,
    customerId: customer.id,
    returnUrl: checkReturnUrl('returnUrl', input.returnUrl, input),
    createdAt: now,
    expiresAt: addMinutes(now, LINK_LIFE_MINUTES),
  };
  await insertSession(tx, session, hashSecret(token));
  await recordAudit(tx, {
    merchantId,
    actor: input.actor,
    action: 'portal_session.created',
    targetId: session.id,
    detail: { customerId: customer.id },
    now,
  });
  return { session, url: `${input.publicUrl}/portal/${token}` };
}
