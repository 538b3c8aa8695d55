import type { PromisedIds } from '../../payments/offers/sale.ts';
import { kept, newGap, templateOf } from '../../platform/lib/text-template.ts';
import type { X402Parts } from './parts.ts';
import type { OpenSale } from './place.ts';
import { paymentRequired, sealOf, unsealedRequirements } from './requirements.ts';

const [ERROR, REFERENCE, SEAL] = [newGap(), newGap(), newGap()];

/**
 * The offer of something that has no row yet, as JSON. Programs ask for many more offers than they accept, and within a
 * second they differ only in the order that each of them names: the rest is written once. No two share an order, so
 * nobody is shown the receipt of somebody else's payment.
 */
export function saleOfferText(
  parts: X402Parts,
  open: OpenSale,
  { error, now, ...promised }: PromisedIds & { error: string; now: Date },
): string {
  const write = kept(open.templates, 'x402', () => {
    const { extra, ...plain } = unsealedRequirements(parts, open.sale, REFERENCE);
    const required = paymentRequired({ ...plain, extra: { ...extra, offer: SEAL } }, open.resource, ERROR);
    return templateOf(JSON.stringify(required), [ERROR, REFERENCE, SEAL]);
  });
  return write(error, promised.reference, sealOf(parts, open.sale, promised, now));
}
