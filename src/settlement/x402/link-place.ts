import { CheckOutBody } from '../../billing/payment-links/bodies.ts';
import { requireLeft, whyClosed } from '../../billing/payment-links/link.ts';
import type { PublicLink, PublicLinkCache } from '../../billing/payment-links/public-link-cache.ts';
import { countOpenOf } from '../../billing/payment-links/queries.ts';
import { amountOfLines } from '../../money/invoices/invoice.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { SaleLabels } from '../offers/sale.ts';
import type { X402Parts } from './parts.ts';
import { defaultSettleAt, type OpenSale, requireSeller, type SalePlace } from './place.ts';
import { remember } from './remember.ts';

export interface LinkPlaces {
  /** A payment link as programs meet it. */
  at(publicToken: string, query: Record<string, string>): SalePlace;
}

const check = bodyValidator(CheckOutBody);

export function linkPlaces(parts: X402Parts & { linkCache: PublicLinkCache }): LinkPlaces {
  const { linkCache, clock } = parts;
  const sellerOf = remember(async (token: string) => {
    const found = await linkCache.find(token);
    if (!found) throw new AppError('NOT_FOUND');
    const { merchantId, projectId } = found.link;
    return { found, ...(await requireSeller(parts, merchantId, projectId)) };
  });
  return {
    at(publicToken, query) {
      const labels = readLabels(query);
      const route = `link:${publicToken}`;
      const read = async (): Promise<OpenSale> => {
        const found = await linkCache.find(publicToken);
        if (!found) throw new AppError('NOT_FOUND');
        const { link, price, lines, isArchived } = found;
        const amountCents = amountOfLines(lines);
        const closed = whyClosed(link, { isArchived, price, now: clock.now() });
        if (closed) throw new AppError('PAYMENT_LINK_INACTIVE', { message: closed });
        requireLabels(found, labels);
        const { payTo, whyNotSponsored } = await sellerOf(publicToken);
        return {
          sale: {
            merchantId: link.merchantId,
            projectId: link.projectId,
            route,
            what: { kind: 'link', linkId: link.id },
            amountCents,
            payTo,
            labels,
          },
          resource: {
            url: `${parts.publicUrl()}/pay/${publicToken}`,
            description: descriptionOf(found),
            mimeType: 'application/json',
          },
          settleAt: defaultSettleAt(amountCents, price.creditAmount !== null),
          whyNotSponsored,
        };
      };
      const requireOneLeft = async () => {
        const link = (await linkCache.find(publicToken))?.link;
        if (link && link.maxPayments !== null) requireLeft(link, await countOpenOf(parts.db, link));
      };
      const forget = () => sellerOf.forget(publicToken);
      return { kind: 'sale', route, labels, read, forget, requireLeft: requireOneLeft };
    },
  };
}

/** What the page's form asks for, a program puts into the URL. */
function readLabels(query: Record<string, string>): SaleLabels {
  const labels = {
    ...(query.client_reference_id && { clientReferenceId: query.client_reference_id }),
    ...(query.email && { customerEmail: query.email }),
  };
  check(labels);
  return {
    clientReferenceId: labels.clientReferenceId ?? null,
    customerEmail: labels.customerEmail ?? null,
  };
}

function requireLabels({ link }: PublicLink, labels: SaleLabels): void {
  if (link.requireClientReferenceId && labels.clientReferenceId === null)
    throw badField('client_reference_id', 'is required by this payment link: add it to the URL');
  if (link.collectCustomerEmail && labels.customerEmail === null)
    throw badField('email', 'is required by this payment link: add it to the URL');
}

function descriptionOf({ link, price }: PublicLink): string {
  return link.name ?? (price.name === null ? price.productName : `${price.productName} – ${price.name}`);
}
