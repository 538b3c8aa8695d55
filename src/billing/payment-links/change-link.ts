import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type MetadataChange, mergeMetadata } from '../../platform/lib/metadata.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { findPrice } from '../catalog/queries.ts';
import { checkTipPercents } from '../checkout-sessions/tip.ts';
import { checkTerms, type LinkTerms } from './create-link.ts';
import { amountColumns, isOver, type PaymentLink, paymentLinks } from './link.ts';
import { checkOpenAmount } from './open-amount.ts';
import { lockLink } from './queries.ts';

export interface ChangeLink {
  ref: Ref;
  change: LinkTerms & { status?: PaymentLink['status']; metadata?: MetadataChange };
  allowLoopback: boolean;
  now: Date;
}

/**
 * Changes a link's terms and URLs, never what it sells. One that has ended, by time or by number, is only reactivated
 * together with a term that allows it.
 */
export async function changeLink(
  tx: Tx,
  { ref, change, allowLoopback, now }: ChangeLink,
): Promise<PaymentLink> {
  const before = await lockLink(tx, ref);
  if (!before) throw new AppError('NOT_FOUND');
  const metadata = mergeMetadata(before.metadata, change.metadata);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const checked = checkTerms(change, allowLoopback, now);
  const terms = Object.fromEntries(Object.entries(checked).filter(([name]) => name in given));
  const openAmount =
    change.openAmount === undefined ? before.openAmount : await openAmountOf(tx, before, change.openAmount);
  const tipPercents =
    change.tipPercents === undefined ? before.tipPercents : await tipsOf(tx, before, change.tipPercents);
  const asked = { ...given, ...terms, openAmount, tipPercents, metadata };
  const wanted: PaymentLink = { ...before, ...asked };
  const isFull = isOver(wanted, now);
  if (change.status === 'active' && isFull) {
    throw new AppError('INVALID_STATE', {
      message: 'This link has ended; set a later expiresAt or a higher maxPayments to reopen it.',
    });
  }
  const hasEnded = isFull && wanted.status === 'active';
  const status = hasEnded ? 'inactive' : wanted.status;
  const endedAt = hasEnded ? now : status === 'active' ? null : wanted.endedAt;
  await paymentLinks.update(tx, before, { ...asked, ...amountColumns(openAmount), status, endedAt });
  return { ...wanted, status, endedAt };
}

async function openAmountOf(tx: Tx, link: PaymentLink, terms: LinkTerms['openAmount']) {
  const price = (await findPrice(tx, { merchantId: link.merchantId, id: link.priceId }))!;
  return checkOpenAmount(terms, price);
}

async function tipsOf(tx: Tx, { merchantId, priceId }: PaymentLink, percents: readonly number[]) {
  const price = (await findPrice(tx, { merchantId, id: priceId }))!;
  return checkTipPercents(percents, price.billingMode);
}

/** Deletes a link that was switched off before; what was sold by it stays. */
export async function deleteLink(tx: Tx, ref: Ref, now: Date): Promise<PaymentLink> {
  const link = await lockLink(tx, ref);
  if (!link) throw new AppError('NOT_FOUND');
  if (link.status === 'active') throw new AppError('PAYMENT_LINK_ACTIVE');
  await paymentLinks.update(tx, link, { deletedAt: now });
  return link;
}
