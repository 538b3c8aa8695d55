import type { FastifyReply } from 'fastify';
import type { InvoiceDocument } from '../../documents/layouts/invoice-document.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { Page } from '../parts/page.ts';
import { type PageScope, pageRoute, type Redirect } from '../parts/page-route.ts';
import type { PlanDesk } from '../portal/choose-plan.ts';
import { isCsrfToken, readCookie } from '../portal/cookie.ts';
import { findVisitor } from '../portal/enter-portal.ts';
import { readVisit } from '../portal/read-visit.ts';
import { outdatedPage, visitOverPage } from './closed-pages.ts';
import { framed } from './frame.ts';
import { notFound } from './not-found-page.ts';
import { translatorOf } from './translator.ts';
import type { VisitCall } from './visit.ts';

export interface PortalPageParts extends PlanDesk {
  secrets: SecretBox;
  network: InvoiceDocument['network'];
}

export interface PortalPageSpec {
  method: 'GET' | 'POST';
  path: string;
  handle(call: VisitCall): Promise<Page | Redirect | FastifyReply>;
}

/**
 * A page for the signed-in customer, authenticated by the same cookie as the API. A form must contain the CSRF token
 * of this visit. Anything that is not theirs is a 404.
 */
export function portalPageRoute(scope: PageScope, parts: PortalPageParts, spec: PortalPageSpec): void {
  const { db, clock, publicUrl, network } = parts;
  const isChange = spec.method === 'POST';
  const isSandbox = network === 'sandbox';
  pageRoute(scope, {
    method: spec.method,
    path: spec.path,
    async handle(call) {
      const translator = translatorOf(call);
      const now = clock.now();
      const cookie = readCookie(call.request.headers, publicUrl());
      const visitor = await findVisitor(db, cookie, now).catch(noneWithoutVisit);
      if (!visitor) return visitOverPage(translator, { wasChange: isChange });
      if (isChange && !isCsrfToken(call.form.csrf ?? '', cookie!)) return outdatedPage(translator);
      const visit = await readVisit(db, visitor, cookie!, now);
      const inside: VisitCall = { ...call, visitor, visit, translator, now, isSandbox };
      try {
        if (call.params.id !== undefined && !isUuid(call.params.id)) throw new AppError('NOT_FOUND');
        return await spec.handle(inside);
      } catch (error) {
        if (!isUnknown(error)) throw error;
        return framed(inside, notFound(translator, error.status));
      }
    },
  });
}

/** No visit is an answer too; anything else that goes wrong is not. */
export function noneWithoutVisit(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'PORTAL_SESSION_REQUIRED') return undefined;
  throw error;
}

/** An id that is not theirs, or an address that no page of ours has given out. */
function isUnknown(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'NOT_FOUND' || error.code === 'BAD_REQUEST');
}
