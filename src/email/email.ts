import type { Cents } from '../platform/lib/money.ts';
import type { AddressEmailKind, AddressFacts, SignInFacts, SignInKind } from './portal-email.ts';
import type { TrialLinkFacts, TrialLinkKind } from './trial-email.ts';

export type EmailKind =
  | 'renewal'
  | 'reminder'
  | 'past_due'
  | 'canceled'
  | 'receipt'
  | 'trial_started'
  | 'trial_ending'
  | 'trial_reminder'
  | 'invoice'
  | 'invoice_reminder'
  | 'invoice_overdue'
  | 'rest_reminder';

/** The facts of an e-mail, as of the moment they became true. */
export interface Facts {
  /** The invoice's, as printed. */
  number: string;
  items: { description: string; amountCents: Cents }[];
  /** Account credit that paid a part of it. */
  creditCents: Cents;
  /** Absent from before there were discounts. */
  discountCents?: Cents;
  /** Absent from before there was tax. */
  taxes?: {
    text: string;
    /** Absent if it is 0 or, in older rows, part of the text. */
    percent?: number;
    /** The law decided it and not a rate of the merchant’s, so its name is ours to translate. */
    isReverseCharge?: boolean;
    isContained: boolean;
    taxCents: Cents;
  }[];
  totalCents: Cents;
  /** The amount the merchant has waived. Absent in older rows. */
  waivedCents?: Cents;
  /** The amount that is still missing. */
  dueCents: Cents;
  dueAt: Date | null;
  /** An unpaid renewal ends the subscription at this moment; or when a trial ends. */
  endsAt: Date | null;
  /** Its due date had passed. Absent where no text asks. */
  isOverdue?: boolean;
  paidAt: Date | null;
  payUrl: string | null;
  txSignature: string | null;
  /** A note of the merchant to the customer. */
  memo?: string | null;
}

export interface NewEmail {
  merchantId: string;
  projectId: string;
  customerId: string;
  kind: EmailKind;
  invoiceId: string;
  /** Distinguishes the reminders of one invoice; 1 for e-mails that are written once. */
  number: number;
  facts: Facts;
}

export type RefundEmailKind = 'refund_claim' | 'refund_sent';

/** The facts of an e-mail about money that is sent back. */
export interface RefundFacts {
  /** The refund's, as printed. */
  number: string;
  amountCents: Cents;
  /** Until when the address can be given. */
  expiresAt: Date;
  /** The page for giving it. Stored apart and sealed, and forgotten as soon as the e-mail is sent or dropped. */
  claimUrl?: string;
  address: string | null;
  sentAt: Date | null;
  /** The number as printed. */
  creditNoteNumber: string | null;
  txSignature: string | null;
}

export interface NewRefundEmail {
  merchantId: string;
  projectId: string;
  customerId: string;
  kind: RefundEmailKind;
  refundId: string;
  facts: Omit<RefundFacts, 'claimUrl'>;
  sealedLink: Buffer | null;
}

export type PlanEmailKind =
  | 'plan_changed'
  | 'plan_change_planned'
  | 'plan_change_to_pay'
  | 'plan_change_withdrawn'
  | 'cancellation_set'
  | 'subscription_ended'
  | 'cancellation_undone';

/** The facts of an e-mail about a subscription that was changed. */
export interface PlanFacts {
  /** The plan it is about: the new one of a change. */
  plan: string;
  /** When it takes effect, or until when it can be paid. */
  at: Date;
  /** The amount that has to be paid first, and the page for paying it. */
  dueCents: Cents;
  payUrl: string | null;
}

export interface NewPlanEmail {
  merchantId: string;
  projectId: string;
  customerId: string;
  kind: PlanEmailKind;
  subscriptionId: string;
  /** Sequence number of the change of the subscription that it is about. */
  number: number;
  facts: PlanFacts;
}

/** The facts owners get when money will go to another address. */
export interface PayoutFacts {
  from: string | null;
  to: string | null;
  /** Null for the merchant's own address. */
  projectName: string | null;
  /** The actor as the audit log names them. */
  actor: string;
  at: Date;
  /** Another merchant proved by signature that the wallet is theirs. */
  isTakenOver?: boolean;
  /** Set while the change is pending, or if it was canceled while pending. */
  takesEffectAt?: Date;
  isCanceled?: boolean;
}

/** The facts owners get when payout address changes will be delayed for a shorter time. */
export interface DelayFacts {
  /** In hours, as `to`. */
  from: number;
  to: number;
  /** The actor as the audit log names them. */
  actor: string;
  at: Date;
  takesEffectAt: Date;
  isCanceled?: boolean;
}

/** The facts owners get when events will be sent to another server. */
export interface WebhookFacts {
  from: string | null;
  to: string | null;
  /** The actor as the audit log names them. */
  actor: string;
  at: Date;
}

/** The facts owners get when the service lost the key that sealed their secrets. */
export interface SecretFacts {
  /** URLs of webhooks that have a new secret. */
  webhooks: string[];
  /** Names of notifications that were removed. */
  notifications: string[];
  actor: string;
  at: Date;
}

/** The facts owners get when the wallet that sponsors network fees runs low. */
export interface SponsorFacts {
  address: string;
  /** Lamports are text because they are large numbers. */
  balanceLamports: string;
  /** With less than this, nothing more is paid. */
  minLamports: string;
  at: Date;
}

export type OwnerContent =
  | { kind: 'payout_address_changed'; facts: PayoutFacts }
  | { kind: 'payout_delay_changed'; facts: DelayFacts }
  | { kind: 'webhook_url_changed'; facts: WebhookFacts }
  | { kind: 'secrets_replaced'; facts: SecretFacts }
  | { kind: 'sponsor_low'; facts: SponsorFacts };

export interface RefundContent {
  kind: RefundEmailKind;
  facts: RefundFacts;
}

/** To a customer of an invoice, a refund, a subscription or their portal, or to a member. */
export type EmailContent =
  | { kind: EmailKind; facts: Facts }
  | RefundContent
  | { kind: PlanEmailKind; facts: PlanFacts }
  | { kind: SignInKind; facts: SignInFacts }
  | { kind: AddressEmailKind; facts: AddressFacts }
  | { kind: TrialLinkKind; facts: TrialLinkFacts }
  | OwnerContent;

export function isOfRefund(kind: EmailContent['kind']): kind is RefundEmailKind {
  return kind === 'refund_claim' || kind === 'refund_sent';
}

const PLAN_KINDS: readonly string[] = [
  'plan_changed',
  'plan_change_planned',
  'plan_change_to_pay',
  'plan_change_withdrawn',
  'cancellation_set',
  'subscription_ended',
  'cancellation_undone',
] satisfies PlanEmailKind[];

export function isOfPlan(kind: EmailContent['kind']): kind is PlanEmailKind {
  return PLAN_KINDS.includes(kind);
}

const OWNER_KINDS: readonly string[] = [
  'payout_address_changed',
  'payout_delay_changed',
  'webhook_url_changed',
  'secrets_replaced',
  'sponsor_low',
] satisfies OwnerContent['kind'][];

export function isForOwners(kind: EmailContent['kind']): kind is OwnerContent['kind'] {
  return OWNER_KINDS.includes(kind);
}

/** An e-mail claimed by a worker, with the current names of sender and recipient. */
export type ClaimedEmail = Claim & EmailContent;

interface Claim {
  merchantId: string;
  id: string;
  /** Identifies this attempt: proof that the result comes from the current lease holder. */
  leaseId: string;
  leaseUntil: Date;
  /** 1 for the first attempt. */
  attempt: number;
  createdAt: Date;
  senderName: string;
  /** `#rrggbb` of the sender, where they have chosen one. */
  brandColor: string | null;
  /** File of the sender's logo, if they have one. */
  logoFile: string | null;
  /** Reply-to address, if the sender has set one. */
  replyTo: string | null;
  recipientName: string | null;
  /** Null if the customer removed it, or the member is gone. */
  email: string | null;
  language: string | null;
  /** The link the e-mail opens, readable only with the secret key. */
  sealedLink: Buffer | null;
  /** The invoice it is about. */
  invoiceId: string | null;
  /** Null while what it asks for is still to be done. */
  whyOutdated: string | null;
  /** Project of the portal the customer can sign in to by e-mail; null if they cannot. */
  portalProjectId: string | null;
}

/** An attempt, from connecting to the server's last word. */
export const TIMEOUT_MS = 20_000;

/** How long a worker may hold an e-mail. Longer than an attempt can take, so only a dead worker loses one. */
export const LEASE_MS = 60_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long after the one before each attempt comes: about a day in all. */
const DELAYS_MS = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR] as const;
export const MAX_ATTEMPTS = DELAYS_MS.length;

/** An e-mail that could not be sent for so long, because no worker had a mail server, would only confuse. */
export const STALE_MS = 48 * HOUR;
/** Lifetime of the link in a sign-in e-mail: after that, it is not sent. */
export const STALE_SIGN_IN_MS = 15 * MINUTE;
export const STALE_CONFIRMATION_MS = 24 * HOUR;

export interface RetryDecision {
  status: 'sent' | 'retrying' | 'dead';
  error: string | null;
  nextAttemptAt: Date | null;
}

/** Decides what follows from an attempt that ended at `now`; `error` is null when the server took the e-mail. */
export function decideRetry(attempt: number, error: string | null, now: Date): RetryDecision {
  if (error === null) return { status: 'sent', error, nextAttemptAt: null };
  if (attempt >= MAX_ATTEMPTS) return { status: 'dead', error, nextAttemptAt: null };
  return { status: 'retrying', error, nextAttemptAt: new Date(now.getTime() + DELAYS_MS[attempt]!) };
}
