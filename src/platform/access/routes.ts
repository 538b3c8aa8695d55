import type { Database } from '../db/database.ts';
import { SECRETS } from '../http/assistant.ts';
import type { App } from '../http/route.ts';
import { Flag, List, Name, Nullable, OneOf, Optional, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import { withIdempotency } from '../idempotency/with-idempotency.ts';
import type { Clock } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { MAX_ADDRESSES } from './allowed-addresses.ts';
import { generateKey } from './generate-key.ts';
import { type Environment, SCOPES, type Scope } from './key.ts';
import { keyedRoute } from './keyed-route.ts';
import { presentGeneratedKey, presentKey } from './present.ts';
import { type Principal, requireOwner } from './principal.ts';
import { listKeys } from './queries.ts';
import { revokeKey } from './revoke-key.ts';

const keyFields = {
  id: Uuid(),
  name: Nullable(Text()),
  prefix: Text({ description: 'The first characters of the key, to recognize it by.' }),
  scopes: List(OneOf(SCOPES)),
  allowedAddresses: Nullable({
    ...List(Text()),
    description: 'Addresses and CIDR ranges it may be used from; null for anywhere.',
  }),
  environment: OneOf(['mainnet', 'devnet']),
  expiresAt: Nullable(Timestamp()),
};

const ApiKey = Shape('ApiKey', {
  ...keyFields,
  lastUsedAt: Nullable(Timestamp('Updated at most once a minute.')),
  revokedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
});

const GeneratedApiKey = Shape(
  'GeneratedApiKey',
  {
    ...keyFields,
    apiKey: Text({ description: 'The key itself. It is shown only once.' }),
    rawApiKey: Text({ description: 'The same string as apiKey.' }),
    createdAt: Timestamp(),
  },
  { description: 'A new key, with its secret.' },
);

const GenerateKeyBody = Shape('GenerateKeyRequest', {
  name: Optional(Nullable(Name())),
  scopes: Optional({ ...List(OneOf(SCOPES), { min: 1, max: 4 }), uniqueItems: true }),
  allowedAddresses: Optional(
    Nullable({
      ...List(Text({ max: 49 }), { min: 1, max: MAX_ADDRESSES }),
      uniqueItems: true,
      description:
        'IPv4 and IPv6 addresses and CIDR ranges it may be used from; a call from elsewhere is 403. Default: those of the creating key, or anywhere.',
    }),
  ),
  expiresAt: Optional(Nullable(Timestamp())),
  revokeExisting: Optional(Flag('Also revokes every key the merchant has now, including the calling one.')),
});

/** A key that holds every scope may do what only owners may: no other member gets one by way of a key. */
function requireMayMint(principal: Principal, scopes: readonly Scope[] = SCOPES): void {
  if (scopes.length === SCOPES.length) requireOwner(principal);
}

export interface AccessRoutes {
  db: Database;
  clock: Clock;
  environment: Environment;
}

export function accessRoutes(app: App, { db, clock, environment }: AccessRoutes): void {
  keyedRoute(app, {
    method: 'POST',
    path: '/api/b2b/merchants/generate-key',
    id: 'generateApiKey',
    sdk: 'apiKeys.generate',
    assistant: { withheld: SECRETS },
    tag: 'API keys',
    summary: 'Generate an API key',
    description:
      'The raw key is in this response and nowhere else. A new key never has more scopes, more allowed addresses or a later expiry than the key that creates it. A key with all four scopes may change the payout address, so among members only an owner can create one. Not repeatable: the response is not stored.',
    scopes: SCOPES,
    stepUp: true,
    verified: true,
    body: GenerateKeyBody,
    bodyOptional: true,
    idempotency: 'text',
    success: { status: 200, schema: GeneratedApiKey, description: 'The new key.' },
    errors: ['BAD_REQUEST'],
    async handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId, actor } = principal;
      const now = clock.now();
      requireMayMint(principal, body.scopes);
      const request = { merchantId, operation: 'generateApiKey', key: idempotencyKey, body, now };
      const answer = await withIdempotency(db, { ...request, keepAnswer: false }, async (tx) => {
        const key = await generateKey(tx, {
          ...body,
          merchantId,
          actor,
          environment,
          ceiling: principal,
          now,
        });
        return { status: 200, text: serialize(presentGeneratedKey(key, environment)) };
      });
      if (body.revokeExisting) app.authenticator.forget(merchantId);
      return answer;
    },
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/keys',
    id: 'listApiKeys',
    sdk: 'apiKeys.list',
    assistant: { withheld: SECRETS },
    tag: 'API keys',
    summary: 'List API keys',
    scopes: SCOPES,
    success: {
      status: 200,
      schema: List(ApiKey),
      description: 'Every key, newest first, revoked ones included.',
    },
    errors: [],
    async handle({ principal }) {
      return (await listKeys(db, principal.merchantId)).map((key) => presentKey(key, environment));
    },
  });

  keyedRoute(app, {
    method: 'DELETE',
    path: '/api/b2b/merchants/keys/{keyId}',
    id: 'revokeApiKey',
    sdk: 'apiKeys.revoke',
    assistant: { withheld: SECRETS },
    tag: 'API keys',
    summary: 'Revoke an API key',
    scopes: SCOPES,
    stepUp: true,
    success: { status: 204, description: 'The key no longer works.' },
    errors: ['NOT_FOUND'],
    async handle({ principal, params }) {
      const { keyId } = params;
      if (!keyId) throw new AppError('NOT_FOUND');
      const { merchantId, actor } = principal;
      await db.transaction((tx) => revokeKey(tx, { merchantId, keyId, actor, now: clock.now() }));
      app.authenticator.forget(merchantId);
    },
  });
}
