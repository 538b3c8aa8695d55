import { AppError } from '../../platform/lib/errors.ts';
import type { LiveVersions } from '../../platform/live/live-versions.ts';
import { answerLive } from '../../platform/live/stream.ts';
import { findClaimedRefund, hashToken } from '../../settlement/refunds/claim.ts';
import { RECEIVER_PROBLEMS } from '../../settlement/refunds/inspect-receiver.ts';
import { claimRefund } from '../../settlement/refunds/public-refund.ts';
import type { Page } from '../pages/page.ts';
import { type PageCall, type PageScope, pageRoute, type Redirect } from '../pages/page-route.ts';
import type { Typed } from './address-form.ts';
import type { FormProblem } from './messages/messages.ts';
import { problemOf } from './problem-of.ts';
import { type RefundPageParts, refundPage } from './refund-page.ts';

/** The page behind a claim link. Anyone with the link can see it, and name the address. */
export function refundPages(scope: PageScope, parts: RefundPageParts & { live: LiveVersions }): void {
  const path = '/refunds/:token';
  pageRoute(scope, {
    method: 'GET',
    path,
    handle: (call) => show(parts, call, { address: undefined, problem: undefined }),
  });
  pageRoute(scope, { method: 'POST', path, handle: (call) => nameAddress(parts, call) });
  pageRoute(scope, {
    method: 'GET',
    path: `${path}/live`,
    handle: ({ params, request, reply }) =>
      answerLive(parts.live, { kind: 'refund', id: hashToken(params.token!) }, request, reply),
  });
}

async function show(parts: RefundPageParts, { params, language }: PageCall, typed: Typed): Promise<Page> {
  const token = params.token!;
  return refundPage(parts, await findClaimedRefund(parts.db, token), { token, language, typed });
}

/** An address that is refused is explained next to the field; a refund that has moved on shows its new state. */
async function nameAddress(parts: RefundPageParts, call: PageCall): Promise<Page | Redirect> {
  const { params, form, language } = call;
  const token = params.token!;
  const { address } = form;
  await findClaimedRefund(parts.db, token);
  const problem = problemOf(address);
  if (problem || address === undefined) return show(parts, call, { address, problem });
  try {
    await claimRefund(parts, token, address, undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'BAD_REQUEST') return show(parts, call, { address, problem: reasonOf(error) });
    if (error.code === 'SERVICE_UNAVAILABLE') return show(parts, call, { address, problem: 'unavailable' });
    if (error.code !== 'INVALID_STATE') throw error;
  }
  return { redirectTo: `/refunds/${token}?lang=${language}` };
}

function reasonOf({ reason }: AppError): FormProblem {
  return RECEIVER_PROBLEMS.find((problem) => problem === reason) ?? 'no_wallet';
}
