import { keyedRoute } from '../../platform/access/keyed-route.ts';
import type { Database } from '../../platform/db/database.ts';
import { FILE } from '../../platform/http/assistant.ts';
import type { App } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { MAX_IMAGE_BYTES, UPLOAD_TYPES } from '../images/image.ts';
import { newImage } from '../images/store-image.ts';
import { changeLogo } from './change-logo.ts';
import { BrandView, presentBrand } from './present.ts';

export interface MerchantLogoRoutes {
  db: Database;
  clock: Clock;
  publicUrl(): string;
}

export function merchantLogoRoutes(app: App, { db, clock, publicUrl }: MerchantLogoRoutes): void {
  keyedRoute(app, {
    method: 'PUT',
    path: '/api/b2b/merchants/brand/logo',
    id: 'setLogo',
    sdk: 'merchant.setLogo',
    assistant: { withheld: FILE },
    tag: 'Merchant',
    summary: 'Set the logo',
    description:
      'The body is the image itself: PNG, JPEG or WebP, at most 256 KiB, 16 to 2048 pixels on each side. Its type is read from its content. The same image again changes nothing.',
    scopes: ['billing:write', 'payments:write'],
    upload: { types: UPLOAD_TYPES, limitBytes: MAX_IMAGE_BYTES },
    success: { status: 200, schema: BrandView, description: 'As customers see it now.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal, upload }) {
      const logo = newImage(upload);
      const change = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      return presentBrand(await db.transaction((tx) => changeLogo(tx, change, logo)), publicUrl());
    },
  });

  keyedRoute(app, {
    method: 'DELETE',
    path: '/api/b2b/merchants/brand/logo',
    id: 'removeLogo',
    sdk: 'merchant.removeLogo',
    assistant: { withheld: FILE },
    tag: 'Merchant',
    summary: 'Remove the logo',
    description: 'Pages show the first letter of the name instead. Also 204 if none is set.',
    scopes: ['billing:write', 'payments:write'],
    success: { status: 204, description: 'No logo is set.' },
    errors: ['BAD_REQUEST', 'NOT_FOUND'],
    async handle({ principal }) {
      const change = { merchantId: principal.merchantId, actor: principal.actor, now: clock.now() };
      await db.transaction((tx) => changeLogo(tx, change, null));
    },
  });
}
