import type { SponsorMode } from '../../accounts/merchants/sponsor-fees.ts';
import { readIntentBrand } from '../../billing/checkout-sessions/read-intent-brand.ts';
import type { Intent } from '../../intents/intent.ts';
import { paymentUrlOf } from '../../intents/payment-url.ts';
import { requestReferenceCheck } from '../../intents/reference-checks.ts';
import { dueBaseUnits, isWaiting } from '../../payments/public-payments/read-public-intent.ts';
import type { CountReservation } from '../../payments/reserved-amounts/reservation-limit.ts';
import { findReservedAmount, mayReserve } from '../../payments/reserved-amounts/reserve-amount.ts';
import { offerSponsorship } from '../../payments/sponsor/offer-sponsorship.ts';
import type { Sponsor } from '../../payments/sponsor/sponsor.ts';
import { type ArrivedToken, listOtherTokens } from '../../payments/transfers/exception-queries.ts';
import { explainFailureOf, type Failure } from '../../payments/transfers/explain-failure.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import type { LiveVersions } from '../../platform/live/live-versions.ts';
import type { TestPaymentParts } from './make-test-payment.ts';
import { isAsking, type PaymentView, type Terms, viewPayment } from './payment-view.ts';
import { findUnderway } from './queries.ts';

export interface CheckoutParts {
  db: Database;
  clock: Clock;
  live: LiveVersions;
  network: 'sandbox' | 'devnet' | 'mainnet';
  mint: string;
  /** Absent where no fee payer is set. */
  sponsor: Sponsor | undefined;
  publicUrl(): string;
  countReservation: CountReservation;
  /** Absent elsewhere than in the sandbox. */
  trial: TestPaymentParts['trial'] | undefined;
}

/** A request for money with all that a page shows of it. */
export interface Payment {
  intent: Intent;
  view: PaymentView;
  /** Name of the seller. */
  merchant: string;
  brandColor: string | null;
  logoFile: string | null;
  /** Signature of the newest transaction toward it, final or not. */
  signature: string | null;
  /** The payer has named a payment that arrived without a reference. */
  isClaimed: boolean;
  /** Tokens that we do not count, which wait for the merchant's decision. */
  otherTokens: readonly ArrivedToken[];
  /** Reason why the last attempt brought nothing; null if none did, or that is not known. */
  failure: Failure | null;
  /** Address at which buyers can write to the seller, if the seller has set one. */
  supportEmail: string | null;
  /** Base units that still have to arrive. */
  dueBaseUnits: BaseUnits;
  /** Solana Pay's address for what is due; absent when nothing is, or when no transfer can carry it. */
  paymentUrl: string | undefined;
  /** The amount that names it, once its payer has asked for one. */
  reservedBaseUnits: BaseUnits | undefined;
  /** An amount can be reserved for it. */
  isReservable: boolean;
  /** Mode in which network fees are paid, for wallets of this browser that can sign without sending. */
  feesPaid: SponsorMode;
  /** Version of this state, for the live stream to compare with. */
  version: string;
  now: Date;
  /** Due date of a manual invoice, which can be paid after it too. */
  dueAt?: Date;
}

/** Opening the page of an unpaid payment also requests a check of the chain, because the payer may have paid. */
export async function readPayment(parts: CheckoutParts, intent: Intent, terms: Terms = {}): Promise<Payment> {
  const { db, clock, live } = parts;
  const now = clock.now();
  const [
    underway,
    otherTokens,
    failure,
    { name, brandColor, logoFile, supportEmail },
    version,
    sponsorship,
    reserved,
  ] = await Promise.all([
    findUnderway(db, intent.merchantId, intent.id),
    listOtherTokens(db, intent.merchantId, intent.id),
    explainFailureOf(db, intent),
    readIntentBrand(db, intent),
    live.read({ kind: 'intent', id: intent.id }),
    isWaiting(intent, now) && offerSponsorship(parts, intent, now),
    readReserved(parts, intent, now),
    isWaiting(intent, now) && requestReferenceCheck(db, intent, now),
  ]);
  const merchant = name ?? new URL(parts.publicUrl()).host;
  const view = viewPayment(intent, underway.seenBaseUnits, now, terms);
  return {
    intent,
    view,
    merchant,
    brandColor,
    logoFile,
    signature: underway.signature ?? intent.txSignature,
    otherTokens,
    failure,
    supportEmail,
    isClaimed: underway.isClaimed && isWaiting(intent, now),
    dueBaseUnits: dueBaseUnits(intent),
    paymentUrl: isAsking(view) ? paymentUrlOf(intent, parts, merchant) : undefined,
    ...reserved,
    feesPaid:
      typeof sponsorship !== 'object' ? 'never' : sponsorship.isOnlyWhenNeeded ? 'when_needed' : 'always',
    version: version!,
    now,
  };
}

async function readReserved({ db }: CheckoutParts, intent: Intent, now: Date) {
  const isReservable = isWaiting(intent, now) && (await mayReserve(db, intent));
  return { isReservable, reservedBaseUnits: isReservable ? await findReservedAmount(db, intent) : undefined };
}
