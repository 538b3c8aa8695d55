import { findProject } from '../../accounts/projects/queries.ts';
import { findPrice } from '../../billing/catalog/queries.ts';
import { linesForAnyone } from '../../billing/checkout-sessions/lines-for-anyone.ts';
import { amountOfLines } from '../../billing/invoices/invoice.ts';
import { NO_LABELS, type Sale } from '../../payments/offers/sale.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { X402Parts } from './parts.ts';
import type { Paywall } from './paywall.ts';
import { findPaywallByToken } from './paywall-queries.ts';
import { defaultSettleAt, type OpenSale, requireSeller, type SalePlace, type SoldTerms } from './place.ts';
import { remember } from './remember.ts';

/** The hosted paywalls. */
export function paywallPlaces(parts: X402Parts): (token: string) => SalePlace {
  const openOf = remember(parts.saleVersionOf, (token) => readPaywall(parts, token));
  return (token) => ({
    kind: 'sale',
    route: routeOf(token),
    labels: NO_LABELS,
    hasCreditTokens: true,
    read: () => openOf(token),
    readSold: (terms) => readSold(parts, token, terms),
    forget: () => openOf.forget(token),
  });
}

const routeOf = (token: string) => `paywall:${token}`;

/** Includes deleted ones. */
async function readSold({ db }: X402Parts, token: string, terms: SoldTerms): Promise<Sale> {
  const paywall = await findPaywallByToken(db, token, { isDeletedFound: true });
  if (!paywall) throw new AppError('NOT_FOUND');
  return saleOf(paywall, terms);
}

function saleOf({ merchantId, projectId, priceId, id, token }: Paywall, terms: SoldTerms): Sale {
  const what = { kind: 'paywall' as const, paywallId: id, priceId };
  return { merchantId, projectId, ...terms, labels: NO_LABELS, route: routeOf(token), what };
}

async function readPaywall(parts: X402Parts, token: string): Promise<OpenSale> {
  const paywall = await findPaywallByToken(parts.db, token);
  if (!paywall) throw new AppError('NOT_FOUND');
  const { merchantId, projectId, priceId, resourceUrl, description, mimeType } = paywall;
  const price = (await findPrice(parts.db, { merchantId, id: priceId }))!;
  const project = (await findProject(parts.db, { merchantId, id: projectId }))!;
  if (project.archivedAt !== null || !price.isActive || !price.productIsActive)
    throw new AppError('PAYMENT_LINK_INACTIVE', { message: 'This is no longer sold.' });
  const { payTo, whyNotSponsored } = await requireSeller(parts, merchantId, projectId);
  const isCredits = price.creditAmount !== null;
  const amountCents = amountOfLines(await linesForAnyone(parts.db, project, price));
  return {
    sale: saleOf(paywall, { payTo, amountCents }),
    resource: { url: resourceUrl ?? `${parts.publicUrl()}/paywalls/${token}`, description, mimeType },
    whyNotSponsored,
    templates: new Map(),
    // Credits come with the final payment: an earlier answer would promise what is not there yet.
    settleAt: (isCredits ? null : paywall.settleAt) ?? defaultSettleAt(amountCents, isCredits),
  };
}
