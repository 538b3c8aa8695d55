import { VERIFIED } from '../../accounts/merchants/merchant.ts';
import type { EnsureWatched } from '../../chain/solana/watched-account.ts';
import type { Environment } from '../../platform/access/key.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Answer, serializer } from '../../platform/http/route.ts';
import type { Static } from '../../platform/http/schema.ts';
import { withIdempotency } from '../../platform/idempotency/with-idempotency.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Language } from '../../platform/lib/language.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { Turnstile } from '../../platform/lib/turnstile.ts';
import { placesOf } from '../../platform/limits/visitor-places.ts';
import { withDestination } from '../checkout-sessions/destination.ts';
import { SESSION_LIFE_MS } from '../checkout-sessions/session.ts';
import type { CompleteFree } from '../checkout-sessions/session-creator.ts';
import { type CheckOutBody, CheckOutView } from './bodies.ts';
import { checkOut } from './create-link-session.ts';
import { mailTrialLink } from './mail-trial-link.ts';
import { findByToken, type LinkDisplay } from './queries.ts';

export interface StartCheckout {
  db: Database;
  clock: Clock;
  ensureWatched: EnsureWatched;
  environment: Environment;
  publicUrl(): string;
  /** Completes what costs nothing. */
  completeFree: CompleteFree;
  secrets: SecretBox;
}

const serialize = serializer(CheckOutView);

/** A buyer confirms a link, on its page or through the API: one session per key, and the answer says where to pay. */
export async function startCheckout(
  { db, clock, ensureWatched, environment, publicUrl, completeFree, secrets }: StartCheckout,
  publicToken: string,
  body: Static<typeof CheckOutBody>,
  /** IP address of the visitor who opens it. */
  ip: string,
  /** Language of the page, and of the e-mail that it may send. */
  language: Language = 'en',
): Promise<Answer> {
  const found = await findByToken(db, publicToken);
  if (!found) throw new AppError('NOT_FOUND');
  requireVerifiedSeller(found, environment);
  const { merchantId, id, projectId } = found.link;
  const { idempotencyKey, ...labels } = body;
  const now = clock.now();
  const watchUntil = new Date(now.getTime() + SESSION_LIFE_MS);
  const request = {
    merchantId,
    operation: `checkOutPaymentLink:${id}`,
    key: idempotencyKey ?? undefined,
    body: labels,
    now,
  };
  const begin = (destination: string | undefined) =>
    withIdempotency(db, request, async (tx) => {
      const session = await checkOut(tx, {
        ref: { merchantId, id },
        hasTrial: found.hasTrial,
        clientReferenceId: labels.clientReferenceId ?? null,
        customerEmail: labels.customerEmail ?? null,
        customerName: labels.customerName ?? null,
        amountCents: labels.amountCents ?? null,
        visitor: { ip, places: placesOf(db) },
        destination,
        publicUrl: publicUrl(),
        now,
      });
      // Its first days are free: the trial starts now, or in the mailbox of the address.
      if (session.amountCents === 0n) {
        if (tx.queuesEmails) await mailTrialLink(tx, { secrets, publicUrl }, session, language);
        else await completeFree(tx, session, now);
      }
      const { id: sessionId, checkoutUrl, expiresAt } = session;
      return { status: 201, text: serialize({ sessionId, checkoutUrl, expiresAt }) };
    }).catch(explainToPayer);
  const start = () =>
    withDestination(db, ensureWatched, { merchantId, projectId }, watchUntil, begin, 'payer');
  // Buyers of a limited link wait for each other in any case: here, where no connection waits with them.
  return found.link.maxPayments === null ? start() : LIMITED.run(id, start);
}

const LIMITED = new Turnstile({ atOnce: 3, atOnceOf: 1, waiting: 1_000, waitingOf: 200 });

/** Throws on mainnet for a merchant that the operator has not verified: they cannot request payments. */
export function requireVerifiedSeller({ verificationStatus }: LinkDisplay, environment: Environment): void {
  if (environment !== 'mainnet' || verificationStatus === VERIFIED) return;
  const message = 'The seller cannot take payments at the moment. Nothing was charged.';
  throw new AppError('MERCHANT_NOT_VERIFIED', { message });
}

/** The reader may have filled in a form, and knows nothing of headers. */
function explainToPayer(error: unknown): never {
  if (error instanceof AppError && error.code === 'IDEMPOTENCY_CONFLICT') {
    const message = 'idempotencyKey was already used with other details. To buy again, start over.';
    throw new AppError('IDEMPOTENCY_CONFLICT', { message });
  }
  throw error;
}
