import { requireActiveProject } from '../../accounts/projects/require-active-project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { type Metadata, newMetadata } from '../../platform/lib/metadata.ts';
import { newToken } from '../../platform/lib/token.ts';
import { findPrice } from '../catalog/queries.ts';
import { requireOnSale } from '../checkout-sessions/price-line.ts';
import { checkReturnUrl } from '../checkout-sessions/return-url.ts';
import { checkTipPercents } from '../checkout-sessions/tip.ts';
import { amountColumns, type PaymentLink, paymentLinks } from './link.ts';
import { checkOpenAmount, type OpenAmountTerms } from './open-amount.ts';

export interface CreateLink {
  merchantId: string;
  projectId: string;
  priceId: string;
  terms: LinkTerms;
  metadata?: Metadata | undefined;
  allowLoopback: boolean;
  now: Date;
}

/** Options of a link that a merchant sets at its creation or later. */
export interface LinkTerms {
  name?: string | null;
  requireClientReferenceId?: boolean;
  collectCustomerEmail?: boolean;
  allowPromotionCodes?: boolean;
  tipPercents?: number[];
  successUrl?: string | null;
  cancelUrl?: string | null;
  expiresAt?: Date | null;
  maxPayments?: number | null;
  openAmount?: OpenAmountTerms | null;
}

/** A link to one price of one project, which it never leaves. */
export async function createLink(tx: Tx, input: CreateLink): Promise<PaymentLink> {
  const { merchantId, terms, now } = input;
  const project = await requireActiveProject(tx, { merchantId, id: input.projectId });
  const price = await findPrice(tx, { merchantId, id: input.priceId, projectId: project.id });
  if (!price) throw badField('priceId', 'must be the id of a price of this project');
  requireOnSale(price);
  const link: PaymentLink = {
    id: newId(now),
    merchantId,
    projectId: project.id,
    productId: price.productId,
    priceId: price.id,
    name: terms.name ?? null,
    status: 'active',
    publicToken: newToken('plink'),
    requireClientReferenceId: terms.requireClientReferenceId ?? false,
    collectCustomerEmail: terms.collectCustomerEmail ?? false,
    allowPromotionCodes: terms.allowPromotionCodes ?? false,
    tipPercents: checkTipPercents(terms.tipPercents, price.billingMode),
    ...checkTerms(terms, input.allowLoopback, now),
    openAmount: checkOpenAmount(terms.openAmount, price),
    metadata: newMetadata(input.metadata),
    paymentsCount: 0,
    createdAt: now,
    endedAt: null,
    deletedAt: null,
  };
  await paymentLinks.insert(tx, { ...link, ...amountColumns(link.openAmount) });
  return link;
}

/** The terms that can be wrong. */
export function checkTerms(terms: LinkTerms, allowLoopback: boolean, now: Date) {
  if (terms.expiresAt && terms.expiresAt <= now) throw badField('expiresAt', 'must be in the future');
  return {
    successUrl: checkReturnUrl('successUrl', terms.successUrl, { allowLoopback }),
    cancelUrl: checkReturnUrl('cancelUrl', terms.cancelUrl, { allowLoopback }),
    expiresAt: terms.expiresAt ?? null,
    maxPayments: terms.maxPayments ?? null,
  };
}
