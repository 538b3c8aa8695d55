import type { Database } from '../../platform/db/database.ts';
import { answerList, Page, pageQuery } from '../../platform/http/list.ts';
import { ChangedMetadata, MetadataTerms, NewMetadata } from '../../platform/http/metadata-schema.ts';
import type { App } from '../../platform/http/route.ts';
import { Email, Flag, Name, Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newMetadata } from '../../platform/lib/metadata.ts';
import { AddressBody, Country, CustomerTaxIdsBody } from '../parties/party-schema.ts';
import { billingRoute } from '../projects/billing-route.ts';
import { createCustomer } from './create-customer.ts';
import { UNKNOWN } from './customer.ts';
import { emailSourceOf } from './email-source-of.ts';
import { patchCustomer } from './patch-customer.ts';
import { CustomerView, presentCustomer } from './present.ts';
import { findCustomer, listCustomers } from './queries.ts';
import { readTaxedAs } from './read-taxed-as.ts';

const Language = Nullable({
  ...Text({ max: 35, description: 'A language tag as in BCP 47, such as en or de-AT.' }),
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  examples: ['en'],
});

const person = {
  email: Optional(Nullable(Email())),
  name: Optional(Nullable(Name())),
  language: Optional(Language),
  address: Optional(Nullable(AddressBody)),
  country: Optional(Nullable(Country())),
  isBusiness: Optional(Flag('Whether they buy for a business, which decides about tax.')),
  taxIds: Optional(CustomerTaxIdsBody),
};

const CreateCustomerBody = Shape('CreateCustomerRequest', {
  projectId: Uuid(),
  externalCustomerId: Optional(
    Nullable(Text({ description: 'Your own id for the customer, unique in the project.' })),
  ),
  ...person,
  metadata: NewMetadata,
});

const PatchCustomerBody = Shape('UpdateCustomerRequest', { ...person, metadata: ChangedMetadata });

const ListCustomersQuery = Shape(undefined, {
  ...pageQuery,
  projectId: Optional(Uuid()),
  externalCustomerId: Optional(Text()),
  email: Optional(Text({ max: 254, description: 'Exactly this address, case-insensitive.' })),
  metadata: MetadataTerms,
});

export interface CustomerRoutes {
  db: Database;
  clock: Clock;
}

export function customerRoutes(app: App, { db, clock }: CustomerRoutes): void {
  const tag = 'Customers';

  billingRoute(app, {
    method: 'POST',
    path: '/customers',
    id: 'createCustomer',
    sdk: 'customers.create',
    // A mailbox signs in as the customer and names where their refund goes: whose it is, is not an assistant's to say.
    assistant: { write: { refusedWith: { email: ['externalCustomerId'] } } },
    tag,
    summary: 'Create a customer',
    scopes: ['billing:write'],
    verified: true,
    body: CreateCustomerBody,
    idempotency: 'text',
    success: { status: 201, schema: CustomerView, description: 'The new customer.' },
    errors: ['BAD_REQUEST', 'CUSTOMER_EXISTS', 'INVALID_STATE'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId } = principal;
      const now = clock.now();
      const request = { merchantId, operation: 'createCustomer', key: idempotencyKey, body, now };
      const { projectId, externalCustomerId = null, email = null, name = null, language = null } = body;
      return withIdempotency(db, request, async (tx) => {
        const metadata = newMetadata(body.metadata);
        const taxed = await readTaxedAs(UNKNOWN, body);
        const emailSource = emailSourceOf(principal);
        const person = { externalCustomerId, email, emailSource, name, language, metadata, taxed };
        const input = { merchantId, projectId, ...person, now };
        return { status: 201, text: serialize(presentCustomer(await createCustomer(tx, input))) };
      });
    },
  });

  billingRoute(app, {
    method: 'GET',
    path: '/customers',
    id: 'listCustomers',
    sdk: 'customers.list',
    assistant: 'read',
    tag,
    summary: 'List customers',
    scopes: ['billing:read'],
    query: ListCustomersQuery,
    csv: true,
    success: { status: 200, schema: Page('CustomerPage', CustomerView), description: 'Newest first.' },
    errors: ['BAD_REQUEST'],
    handle: (call) =>
      answerList(
        call,
        CustomerView,
        (range) => listCustomers(db, call.principal.merchantId, call.query, range),
        presentCustomer,
      ),
  });

  billingRoute(app, {
    method: 'GET',
    path: '/customers/{customerId}',
    id: 'getCustomer',
    sdk: 'customers.retrieve',
    assistant: 'read',
    tag,
    summary: 'Get a customer',
    scopes: ['billing:read'],
    success: { status: 200, schema: CustomerView, description: 'The customer with both balances.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const customer = await findCustomer(db, {
        merchantId: principal.merchantId,
        id: params.customerId!,
      });
      if (!customer) throw new AppError('NOT_FOUND');
      return presentCustomer(customer);
    },
  });

  billingRoute(app, {
    method: 'PATCH',
    path: '/customers/{customerId}',
    id: 'updateCustomer',
    sdk: 'customers.update',
    assistant: { write: { refused: ['email'] } },
    tag,
    summary: 'Update a customer',
    description: 'Changes only the fields you send; null clears. The externalCustomerId stays.',
    scopes: ['billing:write'],
    body: PatchCustomerBody,
    success: { status: 200, schema: CustomerView, description: 'The customer as it is now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, params, body }) {
      const { merchantId, actor } = principal;
      const input = {
        merchantId,
        id: params.customerId!,
        actor,
        emailSource: emailSourceOf(principal),
        change: body,
        now: clock.now(),
      };
      return presentCustomer(await db.transaction((tx) => patchCustomer(tx, input)));
    },
  });
}
