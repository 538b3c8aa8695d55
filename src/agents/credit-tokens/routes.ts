import { CustomerView, presentCustomer } from '../../accounts/customers/present.ts';
import { billingRoute } from '../../accounts/projects/billing-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { SECRETS } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Flag, Nullable, Shape, Text } from '../../platform/http/schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { revokeCreditToken } from './revoke-credit-token.ts';
import { verifyCreditToken } from './verify-credit-token.ts';

const VerifyBody = Shape('VerifyCreditTokenRequest', {
  token: Text({ max: 200, description: 'What the program sent you: `creditToken` of its receipt.' }),
});

const VerifiedView = Shape('CreditTokenVerification', {
  isValid: Flag('False: forged, revoked, or of another merchant.'),
  customer: Nullable(CustomerView),
});

export interface CreditTokenRoutes {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
}

export function creditTokenRoutes(app: App, parts: CreditTokenRoutes): void {
  const { db, clock } = parts;
  const tag = 'Customers';

  billingRoute(app, {
    method: 'POST',
    path: '/credit-tokens/verify',
    id: 'verifyCreditToken',
    sdk: 'creditTokens.verify',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Verify a credit token',
    description:
      'Whose credits a token spends. Programs get one when they buy credits from a paywall, and send it to your server, which records usage for that customer. Changes nothing.',
    scopes: ['billing:read'],
    body: VerifyBody,
    success: { status: 200, schema: VerifiedView, description: 'The customer with both balances.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal, body }) {
      const customer = await verifyCreditToken(parts, principal.merchantId, body.token);
      return { isValid: customer !== undefined, customer: customer ? presentCustomer(customer) : null };
    },
  });

  billingRoute(app, {
    method: 'DELETE',
    path: '/customers/{customerId}/credit-token',
    id: 'revokeCreditToken',
    sdk: 'creditTokens.revoke',
    assistant: { withheld: SECRETS },
    tag,
    summary: 'Revoke a credit token',
    description:
      'For a token that leaked. The credits stay, and the buyer gets a new token with their next purchase: a payment from before, sent again, is answered with 409.',
    scopes: ['billing:write'],
    success: { status: 204, description: 'Revoked.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const { merchantId, actor } = principal;
      const input = { merchantId, customerId: params.customerId!, actor, now: clock.now() };
      await db.transaction((tx) => revokeCreditToken(tx, input));
    },
  });
}
