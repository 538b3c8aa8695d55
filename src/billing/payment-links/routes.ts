import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { ExpandQuery, type Expansions, presentExpanded } from '../../platform/http/expand.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import { MetadataTerms } from '../../platform/http/metadata-schema.ts';
import { type Answer, type App, serializer } from '../../platform/http/route.ts';
import { List, OneOf, Optional, Shape, Text, type TSchema, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { loadPrices } from '../catalog/load-catalog.ts';
import { presentProduct } from '../catalog/present.ts';
import { CreateLinkBody, LinkSetup, SetUpLinkBody, UpdateLinkBody } from './bodies.ts';
import { changeLink, deleteLink } from './change-link.ts';
import { createLink } from './create-link.ts';
import { LINK_STATUSES, type PaymentLink, whyClosed } from './link.ts';
import { ExpandedLinkView, LinkView, PublicLinkView, presentLink } from './present.ts';
import type { PublicLink, PublicLinkCache } from './public-link-cache.ts';
import { findLink, listLinks } from './queries.ts';
import { setUpLink } from './set-up-link.ts';

const expand = ExpandQuery(['price', 'price.product']);

const ListQuery = Shape(undefined, {
  ...pageQuery,
  expand,
  projectId: Optional(Uuid()),
  priceId: Optional(Uuid()),
  status: Optional(List(OneOf(LINK_STATUSES), { max: LINK_STATUSES.length })),
  metadata: MetadataTerms,
});

const CREATE_ERRORS = ['BAD_REQUEST', 'INVALID_STATE'] as const;

export interface LinkRoutes {
  db: Database;
  clock: Clock;
  linkCache: PublicLinkCache;
  allowLoopback: boolean;
  publicUrl(): string;
}

export function linkRoutes(app: App, parts: LinkRoutes): void {
  const { db, clock, linkCache, allowLoopback, publicUrl } = parts;
  const present = (link: PaymentLink) => presentLink(link, publicUrl());
  const expansionsOf = (merchantId: string): Expansions<PaymentLink> => ({
    price: {
      idOf: ({ priceId }) => priceId,
      load: (ids, inner) => loadPrices(db, merchantId, ids, inner),
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/payment-links',
    id: 'createPaymentLink',
    sdk: 'paymentLinks.create',
    assistant: 'write',
    tag: 'Payment links',
    summary: 'Create a payment link',
    description: 'For an existing price. Project and price of a link never change.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateLinkBody,
    idempotency: 'text',
    success: { status: 201, schema: LinkView, description: 'The new link.' },
    errors: CREATE_ERRORS,
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createPaymentLink', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const { projectId, priceId, metadata, ...terms } = body;
        const sold = { merchantId, projectId, priceId };
        const link = await createLink(tx, { ...sold, terms, metadata, allowLoopback, now });
        return { status: 201, text: serialize(present(link)) };
      });
    },
  });

  billingRoute(app, {
    method: 'POST',
    path: '/payment-links/setup',
    id: 'setUpPaymentLink',
    sdk: 'paymentLinks.setUp',
    assistant: { write: { refused: ['trialDays'] } },
    tag: 'Payment links',
    summary: 'Set up a payment link in one step',
    description: 'Creates product, price and link together, or nothing.',
    scopes: ['billing:write'],
    verified: true,
    body: SetUpLinkBody,
    idempotency: 'text',
    success: { status: 201, schema: LinkSetup, description: 'All three.' },
    errors: CREATE_ERRORS,
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'setUpPaymentLink', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const { projectId, productName, unitAmountCents, currency: _currency, ...rest } = body;
        const { billingMode, creditAmount, recurringInterval, ...more } = rest;
        const { recurringIntervalCount, trialDays, ...others } = more;
        const { metadata, ...terms } = others;
        const price = { billingMode, creditAmount, recurringInterval, recurringIntervalCount, trialDays };
        const input = {
          merchantId,
          projectId,
          productName,
          unitAmountCents,
          price,
          terms,
          metadata,
          allowLoopback,
          now,
        };
        const made = await setUpLink(tx, input);
        const text = serialize({
          product: presentProduct(made.product),
          price: made.price,
          paymentLink: present(made.link),
        });
        return { status: 201, text };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/payment-links',
    id: 'listPaymentLinks',
    sdk: 'paymentLinks.list',
    assistant: 'read',
    tag: 'Payment links',
    summary: 'List payment links',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: { status: 200, schema: Page('PaymentLinkPage', ExpandedLinkView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle(call) {
      const { principal, query } = call;
      return answerList(
        call,
        LinkView,
        (range) => listLinks(db, principal.merchantId, query, range),
        present,
        expansionsOf(principal.merchantId),
      );
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/payment-links/{paymentLinkId}',
    id: 'getPaymentLink',
    sdk: 'paymentLinks.retrieve',
    assistant: 'read',
    tag: 'Payment links',
    summary: 'Get a payment link, or read a public one',
    description:
      'With an id (a UUID): the link, for its owner’s key. With a public token: what a buyer may see, without a key. Reading creates nothing.',
    scopes: ['billing:read'],
    params: {
      paymentLinkId: Text({ max: 64, description: 'The id, with a key; or the public token, without one.' }),
    },
    query: Shape(undefined, { expand }),
    keyless: (params) => !isUuid(params.paymentLinkId!),
    success: { status: 200, schema: EitherView, description: 'The link.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'PAYMENT_LINK_INACTIVE'],
    handle({ principal, params, query }) {
      const id = params.paymentLinkId!;
      if (isUuid(id)) return readLink({ merchantId: principal.merchantId, id }, query.expand);
      if (query.expand) throw badField('expand', 'cannot be combined with a public token');
      const found = linkCache.find(id);
      return found instanceof Promise ? found.then(publicAnswer) : publicAnswer(found);
    },
  });

  async function readLink(ref: Ref, included: readonly string[] | undefined): Promise<Answer> {
    const link = await findLink(db, ref);
    if (!link) throw new AppError('NOT_FOUND');
    const answer = await presentExpanded(link, present, included, expansionsOf(ref.merchantId));
    return { status: 200, text: serializeLink(answer) };
  }

  function publicAnswer(found: PublicLink | undefined): Answer {
    if (!found) throw new AppError('NOT_FOUND');
    const { link, price, isArchived, text } = found;
    const closed = whyClosed(link, { isArchived, price, now: clock.now() });
    if (closed) throw new AppError('PAYMENT_LINK_INACTIVE', { message: closed });
    return { status: 200, text };
  }

  billingRoute(app, {
    method: 'PATCH',
    path: '/payment-links/{paymentLinkId}',
    id: 'updatePaymentLink',
    sdk: 'paymentLinks.update',
    assistant: 'write',
    tag: 'Payment links',
    summary: 'Update a payment link',
    description: 'Activates or deactivates it and changes its terms. Project and price stay.',
    scopes: ['billing:write'],
    verified: true,
    body: UpdateLinkBody,
    success: { status: 200, schema: LinkView, description: 'The link as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND', 'INVALID_STATE'],
    async handle({ principal, params, body }) {
      const ref = { merchantId: principal.merchantId, id: params.paymentLinkId! };
      const input = { ref, change: body, allowLoopback, now: clock.now() };
      const link = await db.transaction((tx) => changeLink(tx, input));
      linkCache.forget(link.publicToken);
      return present(link);
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/payment-links/{paymentLinkId}',
    id: 'deletePaymentLink',
    sdk: 'paymentLinks.delete',
    assistant: { write: { destructive: true } },
    tag: 'Payment links',
    summary: 'Delete an inactive payment link',
    scopes: ['billing:write'],
    verified: true,
    success: { status: 204, description: 'Deleted.' },
    errors: ['NOT_FOUND', 'PAYMENT_LINK_ACTIVE'],
    async handle({ principal, params }) {
      const ref = { merchantId: principal.merchantId, id: params.paymentLinkId! };
      const { publicToken } = await db.transaction((tx) => deleteLink(tx, ref, clock.now()));
      linkCache.forget(publicToken);
    },
  });
}

const EitherView = { oneOf: [ExpandedLinkView, PublicLinkView] } as unknown as TSchema;
const serializeLink = serializer(ExpandedLinkView);
