import { SCOPES } from '../../platform/access/key.ts';
import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Principal } from '../../platform/access/principal.ts';
import type { Database } from '../../platform/db/database.ts';
import { SECRETS } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import { Int32, Name, Nullable, Optional, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { BrandColor } from './brand-color.ts';
import { generateWebhookSecret, setBrand, setTimeZone, setWebhookUrl } from './change-merchant.ts';
import { BrandView, LogoUrl, presentBrand, presentProfile, WebhookSecret } from './present.ts';
import { findMerchant } from './queries.ts';
import { readBrand } from './read-brand.ts';
import type { WebhookRules } from './webhook-url.ts';

const Profile = Shape('MerchantProfile', {
  id: Uuid(),
  name: Nullable(Text()),
  payoutAddress: Nullable(Text({ description: 'Where payments arrive: a Solana address of the merchant.' })),
  webhookUrl: Nullable(Text({ max: 2048 })),
  webhookSecret: Nullable(
    Text({
      description:
        'Signs webhooks. Only for a key with all four scopes, and for a member after a confirmation; null otherwise.',
    }),
  ),
  rawApiKey: Nullable(Text({ description: 'Always null: a raw key is shown once, when it is generated.' })),
  verificationStatus: Int32({ description: '0 unverified, 1 pending, 2 verified, 3 rejected.' }),
  logoUrl: LogoUrl,
  timeZone: Text({
    max: 64,
    description: 'Reports and the dashboard show the days of this time zone. UTC until it is set.',
  }),
});

const ProfileBody = Shape('UpdateProfileRequest', {
  timeZone: Text({ max: 64, description: 'Its name in the IANA database, such as Europe/Berlin.' }),
});

const BrandBody = Shape('UpdateBrandRequest', {
  name: Optional(Name({ description: 'What customers see.' })),
  brandColor: Optional(Nullable(BrandColor)),
});

const WebhookBody = Shape('UpdateWebhookRequest', {
  webhookUrl: {
    ...Text({
      max: 2048,
      description:
        'https, except where the operator allows http. Never an address that cannot be reached from outside: loopback, private, link-local.',
    }),
    format: 'uri',
  },
});

export interface MerchantRoutes {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  webhookRules: WebhookRules;
  publicUrl(): string;
}

export function merchantRoutes(app: App, parts: MerchantRoutes): void {
  const { db, clock, secrets, webhookRules, publicUrl } = parts;
  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/me',
    id: 'getProfile',
    sdk: 'merchant.retrieve',
    assistant: 'read',
    tag: 'Merchant',
    summary: 'Get the merchant profile',
    scopes: [],
    success: { status: 200, schema: Profile, description: 'The merchant the key belongs to.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal }) {
      const merchant = await findMerchant(db, principal.merchantId);
      if (!merchant) throw new AppError('NOT_FOUND');
      return presentProfile(merchant, maySeeSecret(principal) ? secrets : undefined, publicUrl());
    },
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/b2b/merchants/me',
    id: 'updateProfile',
    sdk: 'merchant.update',
    assistant: 'write',
    tag: 'Merchant',
    summary: 'Change the time zone',
    scopes: ['billing:write', 'payments:write'],
    body: ProfileBody,
    success: { status: 200, schema: Profile, description: 'The changed profile.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, body }) {
      const change = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      const merchant = await db.transaction((tx) => setTimeZone(tx, change, body.timeZone));
      app.authenticator.forget(principal.merchantId);
      return presentProfile(merchant, maySeeSecret(principal) ? secrets : undefined, publicUrl());
    },
  });

  keyedRoute(app, {
    method: 'GET',
    path: '/api/b2b/merchants/brand',
    id: 'getBrand',
    sdk: 'merchant.retrieveBrand',
    assistant: 'read',
    tag: 'Merchant',
    summary: 'Get name, brand colour and logo',
    scopes: [],
    success: { status: 200, schema: BrandView, description: 'What customers see.' },
    errors: [],
    handle: async ({ principal }) => presentBrand(await readBrand(db, principal.merchantId), publicUrl()),
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/b2b/merchants/brand',
    id: 'updateBrand',
    sdk: 'merchant.updateBrand',
    assistant: 'write',
    tag: 'Merchant',
    summary: 'Change name and brand colour',
    description: 'What customers see. Changes only the fields you send; null clears the colour.',
    scopes: ['billing:write', 'payments:write'],
    body: BrandBody,
    success: { status: 200, schema: BrandView, description: 'As customers see it now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, body }) {
      const change = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      return presentBrand(await db.transaction((tx) => setBrand(tx, change, body)), publicUrl());
    },
  });

  keyedRoute(app, {
    method: 'PATCH',
    path: '/api/b2b/merchants/webhook',
    id: 'updateWebhook',
    sdk: 'merchant.updateWebhook',
    assistant: { withheld: SECRETS },
    tag: 'Merchant',
    summary: 'Set the webhook URL',
    description:
      'Events carry the names and e-mail addresses of customers, so this requires all four scopes or an owner who has just confirmed.',
    scopes: SCOPES,
    ownerOnly: true,
    stepUp: true,
    verified: true,
    body: WebhookBody,
    success: { status: 204, description: 'Deliveries now go to this URL.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, body }) {
      const change = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      await db.transaction((tx) => setWebhookUrl(tx, change, body.webhookUrl, webhookRules));
    },
  });

  keyedRoute(app, {
    method: 'POST',
    path: '/api/b2b/merchants/generate-webhook-secret',
    id: 'generateWebhookSecret',
    sdk: 'merchant.generateWebhookSecret',
    assistant: { withheld: SECRETS },
    tag: 'Merchant',
    summary: 'Change the webhook secret',
    description: 'For 24 hours every webhook carries two signatures, one with each secret.',
    scopes: SCOPES,
    stepUp: true,
    verified: true,
    idempotency: 'text',
    success: { status: 200, schema: WebhookSecret, description: 'The new secret.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    handle({ principal, body, idempotencyKey, serialize }) {
      const { merchantId, actor } = principal;
      const now = clock.now();
      const request = {
        merchantId,
        operation: 'generateWebhookSecret',
        key: idempotencyKey,
        body: body ?? {},
        now,
      };
      return withIdempotency(db, { ...request, keepAnswer: false }, async (tx) => {
        const secret = await generateWebhookSecret(tx, { merchantId, actor, now }, secrets);
        return { status: 200, text: serialize(secret) };
      });
    },
  });
}

function maySeeSecret({ scopes, member }: Principal): boolean {
  return scopes.length === SCOPES.length && (member?.isSteppedUp ?? true);
}
