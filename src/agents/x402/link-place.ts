import { amountOfLines } from '../../billing/invoices/invoice.ts';
import { CheckOutBody } from '../../billing/payment-links/bodies.ts';
import { requireLeft, whyClosed } from '../../billing/payment-links/link.ts';
import { countHeld } from '../../billing/payment-links/place-queries.ts';
import type { PublicLink, PublicLinkCache } from '../../billing/payment-links/public-link-cache.ts';
import { findLinkSold } from '../../billing/payment-links/queries.ts';
import { NO_LABELS, type Sale, type SaleLabels } from '../../payments/offers/sale.ts';
import { Shape } from '../../platform/http/schema.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import type { X402Parts } from './parts.ts';
import {
  defaultSettleAt,
  type OpenSale,
  requireSeller,
  type SalePlace,
  type Seller,
  type SoldTerms,
} from './place.ts';
import { remember } from './remember.ts';

export interface LinkPlaces {
  /** A payment link as programs meet it. */
  at(publicToken: string, query: Record<string, string>): SalePlace;
}

/** Fields as the URL names them, so that a refusal names what was sent. */
const check = bodyValidator(
  Shape(undefined, {
    client_reference_id: CheckOutBody.properties.clientReferenceId,
    email: CheckOutBody.properties.customerEmail,
  }),
);

export function linkPlaces(parts: X402Parts & { linkCache: PublicLinkCache }): LinkPlaces {
  const { linkCache, clock } = parts;
  const linkAt = remember(parts.saleVersionOf, (token) => linkCache.read(token));
  const opened = new WeakMap<PublicLink, Promise<OpenSale>>();
  const openOf = (found: PublicLink) => {
    const known = opened.get(found);
    if (known) return known;
    const { merchantId, projectId } = found.link;
    const open = requireSeller(parts, merchantId, projectId).then((seller) =>
      openLink(found, seller, parts.publicUrl()),
    );
    opened.set(found, open);
    open.catch(() => opened.delete(found));
    return open;
  };
  return {
    at(publicToken, query) {
      const labels = readLabels(query);
      const route = routeOf(publicToken);
      let found: PublicLink | undefined;
      const read = async (): Promise<OpenSale> => {
        found = await linkAt(publicToken);
        if (!found) throw new AppError('NOT_FOUND');
        const { link, price, isArchived } = found;
        const closed = whyClosed(link, { isArchived, price, now: clock.now() });
        if (closed) throw new AppError('PAYMENT_LINK_INACTIVE', { message: closed });
        requireLabels(found, labels);
        const open = await openOf(found);
        return labels === NO_LABELS ? open : { ...open, sale: { ...open.sale, labels } };
      };
      const requireOneLeft = async () => {
        const link = (found ?? (await linkAt(publicToken)))?.link;
        if (link && link.maxPayments !== null)
          requireLeft(link, await countHeld(parts.db, link, clock.now()));
      };
      const readSold = async (terms: SoldTerms): Promise<Sale> => {
        const link = await findLinkSold(parts.db, publicToken);
        if (!link) throw new AppError('NOT_FOUND');
        return saleOf(link, terms, labels);
      };
      const forget = () => linkAt.forget(publicToken);
      return { kind: 'sale', route, labels, read, readSold, forget, requireLeft: requireOneLeft };
    },
  };
}

const routeOf = (publicToken: string) => `link:${publicToken}`;

/** Returns the sale that a link offers to an anonymous buyer. */
function openLink(found: PublicLink, { payTo, whyNotSponsored }: Seller, publicUrl: string): OpenSale {
  const { link, price, lines } = found;
  const amountCents = amountOfLines(lines);
  return {
    sale: saleOf(link, { amountCents, payTo }, NO_LABELS),
    resource: {
      url: `${publicUrl}/pay/${link.publicToken}`,
      description: descriptionOf(found),
      mimeType: 'application/json',
    },
    settleAt: defaultSettleAt(amountCents, price.creditAmount !== null),
    whyNotSponsored,
    templates: new Map(),
  };
}

type SoldLink = Pick<PublicLink['link'], 'merchantId' | 'projectId' | 'publicToken' | 'id'>;

function saleOf(link: SoldLink, terms: SoldTerms, labels: SaleLabels): Sale {
  const { merchantId, projectId, publicToken, id: linkId } = link;
  return {
    merchantId,
    projectId,
    ...terms,
    labels,
    route: routeOf(publicToken),
    what: { kind: 'link', linkId },
  };
}

/** Reads from the URL what the page's form asks people for. */
function readLabels(query: Record<string, string>): SaleLabels {
  if (!query.client_reference_id && !query.email) return NO_LABELS;
  const labels = {
    ...(query.client_reference_id && { client_reference_id: query.client_reference_id }),
    ...(query.email && { email: query.email }),
  };
  check(labels);
  return { clientReferenceId: labels.client_reference_id ?? null, customerEmail: labels.email ?? null };
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
