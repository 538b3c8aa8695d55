import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import { findPrice } from '../../billing/catalog/queries.ts';
import { requireOnSale } from '../../billing/checkout-sessions/price-line.ts';
import { checkReturnUrl } from '../../billing/checkout-sessions/return-url.ts';
import type { Tx } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { newToken } from '../../platform/lib/token.ts';
import type { SettleAt } from './parts.ts';
import { type Paywall, paywalls } from './paywall.ts';

export interface CreatePaywall {
  merchantId: string;
  projectId: string;
  priceId: string;
  resourceUrl?: string | null;
  description: string;
  mimeType?: string;
  settleAt?: SettleAt | null;
  allowLoopback: boolean;
  now: Date;
}

/** A paywall for one price of one project, which it never leaves. */
export async function createPaywall(tx: Tx, input: CreatePaywall): Promise<Paywall> {
  const { merchantId, allowLoopback, now } = input;
  const project = await requireActiveProject(tx, { merchantId, id: input.projectId.toLowerCase() });
  const price = await findPrice(tx, { merchantId, id: input.priceId.toLowerCase(), projectId: project.id });
  if (!price) throw badField('priceId', 'must be the id of a price of this project');
  requireOnSale(price);
  if (price.creditAmount !== null && input.settleAt === 'confirmed')
    throw badField('settleAt', 'must be finalized for credits: they are added when the payment is final');
  const paywall: Paywall = {
    id: newId(now),
    merchantId,
    projectId: project.id,
    priceId: price.id,
    token: newToken('pw'),
    resourceUrl: checkResourceUrl(input.resourceUrl, allowLoopback),
    description: input.description,
    mimeType: input.mimeType ?? 'application/json',
    settleAt: input.settleAt ?? null,
    createdAt: now,
  };
  await paywalls.insert(tx, paywall);
  return paywall;
}

/** Programs ask for it, and what follows # is never sent. */
function checkResourceUrl(text: string | null | undefined, allowLoopback: boolean): string | null {
  if (text?.includes('#')) throw badField('resourceUrl', 'must not contain a fragment');
  return checkReturnUrl('resourceUrl', text, { allowLoopback });
}
