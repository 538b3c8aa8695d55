import { findClaimedRefund, hashToken } from '../../payments/refunds/claim.ts';
import { RECEIVER_PROBLEMS } from '../../payments/refunds/inspect-receiver.ts';
import { claimRefund } from '../../payments/refunds/public-refund.ts';
import type { Refund } from '../../payments/refunds/refund.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { LiveVersions } from '../../platform/live/live-versions.ts';
import { answerLive } from '../../platform/live/stream.ts';
import type { Page } from '../parts/page.ts';
import { type PageCall, type PageScope, pageRoute, type Redirect } from '../parts/page-route.ts';
import type { Typed } from './address-form.ts';
import { FORM_PROBLEMS, type FormProblem } from './messages/messages.ts';
import { problemOf } from './problem-of.ts';
import { type RefundPageParts, refundPage } from './refund-page.ts';

/** The page behind a claim link. Anyone with the link can see it, and name the address. */
export function refundPages(scope: PageScope, parts: RefundPageParts & { live: LiveVersions }): void {
  const path = '/refunds/:token';
  pageRoute(scope, {
    method: 'GET',
    path,
    handle: (call) => show(parts, call),
  });
  pageRoute(scope, { method: 'POST', path, handle: (call) => nameAddress(parts, call) });
  pageRoute(scope, {
    method: 'GET',
    path: `${path}/live`,
    handle: ({ params, request, reply }) =>
      answerLive(parts.live, { kind: 'refund', id: hashToken(params.token!) }, request, reply),
  });
}

async function show(parts: RefundPageParts, { params, language, query }: PageCall): Promise<Page> {
  const token = params.token!;
  const refund = await findClaimedRefund(parts.db, token);
  return refundPage(parts, refund, { token, language, typed: typedIn(query, refund) });
}

/**
 * An address that is refused is explained next to the field, at an address of its own: so the browser's Back and Reload
 * send no form again. A refund that has moved on shows its new state.
 */
async function nameAddress(parts: RefundPageParts, { params, form, language }: PageCall): Promise<Redirect> {
  const token = params.token!;
  const { address } = form;
  const refund = await findClaimedRefund(parts.db, token);
  const problem = problemOf(address) ?? (await claim(parts, token, address!));
  const query = new URLSearchParams({ lang: language });
  if (problem) {
    query.set('problem', problem);
    query.set('at', `${refund.sequence}`);
    if (address !== undefined) query.set('address', address.slice(0, MAX_TYPED));
  }
  return { redirectTo: `/refunds/${token}?${query}` };
}

const MAX_TYPED = 100;

/** Saves it, or says what is wrong with it. */
async function claim(
  parts: RefundPageParts,
  token: string,
  address: string,
): Promise<FormProblem | undefined> {
  try {
    await claimRefund(parts, token, address, undefined);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'BAD_REQUEST') return reasonOf(error);
    if (error.code === 'SERVICE_UNAVAILABLE') return 'unavailable';
    if (error.code !== 'INVALID_STATE') throw error;
  }
  return undefined;
}

/** Returns the refused input, unless the refund has changed since. */
function typedIn({ problem, at, address }: PageCall['query'], { sequence }: Refund): Typed {
  if (at !== `${sequence}`) return { address: undefined, problem: undefined };
  return { address, problem: FORM_PROBLEMS.find((known) => known === problem) };
}

function reasonOf({ reason }: AppError): FormProblem {
  return RECEIVER_PROBLEMS.find((problem) => problem === reason) ?? 'no_wallet';
}
