import { Country } from '../../accounts/parties/party-schema.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { TAX } from '../../platform/http/assistant.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Name, OneOf, Optional, Percent, Shape, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { createTaxRate } from './create-tax-rate.ts';
import { patchTaxRate } from './patch-tax-rate.ts';
import { CATEGORY, presentTaxRate, TaxRateView } from './present.ts';
import { findTaxRate, listTaxRates } from './queries.ts';
import { TAX_CATEGORIES } from './tax-rate.ts';

const DEFAULT =
  'Prices without a rate of their own get it for buyers in its country. A country has one default.';

const CreateBody = Shape(
  'CreateTaxRateRequest',
  {
    projectId: Uuid(),
    name: Name({ description: 'As customers read it, such as VAT.' }),
    percent: Percent('0 to 100, with at most four decimals.'),
    country: Country(),
    category: Optional(OneOf(TAX_CATEGORIES, `${CATEGORY} The default is S, or Z for 0 %.`)),
    isDefault: Optional(Flag(DEFAULT)),
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      name: 'VAT',
      percent: 19,
      country: 'DE',
      isDefault: true,
    },
  },
);

const PatchBody = Shape('UpdateTaxRateRequest', {
  name: Optional(Name()),
  isDefault: Optional(Flag(DEFAULT)),
  isActive: Optional(Flag('false archives it: prices that have it keep it, and no other price gets it.')),
});

const ListQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  country: Optional(Country()),
  isActive: Optional(Flag()),
});

export function taxRateRoutes(app: App, { db, clock }: { db: Database; clock: Clock }): void {
  const tag = 'Tax';

  billingRoute(app, {
    method: 'POST',
    path: '/tax-rates',
    id: 'createTaxRate',
    sdk: 'taxRates.create',
    assistant: { withheld: TAX },
    tag,
    summary: 'Create a tax rate',
    description:
      'Its percentage, country and category never change: for another percentage, create another rate.',
    scopes: ['billing:write'],
    verified: true,
    body: CreateBody,
    idempotency: 'text',
    success: { status: 201, schema: TaxRateView, description: 'The new tax rate.' },
    errors: ['BAD_REQUEST', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createTaxRate', key: idempotencyKey, body, now };
      return withIdempotency(db, request, async (tx) => {
        const rate = await createTaxRate(tx, { ...body, merchantId, now });
        return { status: 201, text: serialize(presentTaxRate(rate)) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/tax-rates',
    id: 'listTaxRates',
    sdk: 'taxRates.list',
    assistant: 'read',
    tag,
    summary: 'List tax rates',
    scopes: ['billing:read'],
    query: ListQuery,
    csv: true,
    success: { status: 200, schema: Page('TaxRatePage', TaxRateView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        TaxRateView,
        (range) => listTaxRates(db, call.principal.merchantId, call.query, range),
        presentTaxRate,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/tax-rates/{taxRateId}',
    id: 'getTaxRate',
    sdk: 'taxRates.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a tax rate',
    scopes: ['billing:read'],
    success: { status: 200, schema: TaxRateView, description: 'The tax rate, archived or not.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const rate = await findTaxRate(db, { merchantId: principal.merchantId, id: params.taxRateId! });
      if (!rate) throw new AppError('NOT_FOUND');
      return presentTaxRate(rate);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/tax-rates/{taxRateId}',
    id: 'updateTaxRate',
    sdk: 'taxRates.update',
    assistant: { withheld: TAX },
    tag,
    summary: 'Update or archive a tax rate',
    scopes: ['billing:write'],
    body: PatchBody,
    success: { status: 200, schema: TaxRateView, description: 'The tax rate as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, id: params.taxRateId!, actor, change: body, now: clock.now() };
      return presentTaxRate(await db.transaction((tx) => patchTaxRate(tx, input)));
    },
  });
}
