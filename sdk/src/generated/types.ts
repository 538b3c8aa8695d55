/** Written by `npm run sdk` from openapi.json: change that, not this. */

/** An integer of 64 bits, exact: a number where a number holds it exactly, otherwise a bigint. Give either. */
export type Int64 = number | bigint;

/** Every code the service answers with; a newer one may know more. */
export type ErrorCode =
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'SIGN_IN_REQUIRED'
  | 'SIGN_IN_FAILED'
  | 'PORTAL_SESSION_REQUIRED'
  | 'PAIRING_CODE_INVALID'
  | 'TILL_NOT_PAIRED'
  | 'INSUFFICIENT_BALANCE'
  | 'INSUFFICIENT_SCOPE'
  | 'INSUFFICIENT_ROLE'
  | 'STEP_UP_REQUIRED'
  | 'PASSKEY_REQUIRED'
  | 'MERCHANT_NOT_VERIFIED'
  | 'PROJECT_VOLUME_LIMIT_EXCEEDED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'ORDER_ALREADY_PAID'
  | 'TERMINAL_BUSY'
  | 'TERMINAL_INACTIVE'
  | 'INVALID_STATE'
  | 'PAYMENT_LINK_ACTIVE'
  | 'PROJECT_NOT_EMPTY'
  | 'PREVIEW_STALE'
  | 'PROMOTION_CODE_EXISTS'
  | 'CUSTOMER_EXISTS'
  | 'LOOKUP_KEY_TAKEN'
  | 'MEMBER_EXISTS'
  | 'LAST_OWNER'
  | 'PAYOUT_ADDRESS_TAKEN'
  | 'WEBHOOK_NOT_CONFIGURED'
  | 'DELIVERY_PRUNED'
  | 'PAYMENT_LINK_INACTIVE'
  | 'PORTAL_LINK_EXPIRED'
  | 'MERCHANT_MOVED'
  | 'MEMBER_LINK_EXPIRED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'PROJECT_REQUEST_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'MERCHANT_MOVING'
  | 'SERVICE_UNAVAILABLE';

export interface MerchantProfile {
  id: string;
  name: string | null;
  /** Where payments arrive: a Solana address of the merchant. */
  payoutAddress: string | null;
  webhookUrl: string | null;
  /** Signs webhooks. Only for a key with all four scopes, and for a member after a confirmation; null otherwise. */
  webhookSecret: string | null;
  /** Always null: a raw key is shown once, when it is generated. */
  rawApiKey: string | null;
  /** 0 unverified, 1 pending, 2 verified, 3 rejected. */
  verificationStatus: number;
  /** The image that customers see. Null: none. */
  logoUrl: string | null;
  /** Reports and the dashboard show the days of this time zone. UTC until it is set. */
  timeZone: string;
}

export interface UpdateProfileRequest {
  /** Its name in the IANA database, such as Europe/Berlin. */
  timeZone: string;
}

export interface Brand {
  name: string | null;
  /** `#rrggbb`: the colour of hosted pages. */
  brandColor: string | null;
  /** The image that customers see. Null: none. */
  logoUrl: string | null;
}

export interface UpdateBrandRequest {
  /** What customers see. */
  name?: string | undefined;
  /** `#rrggbb`. */
  brandColor?: string | null | undefined;
}

export interface UpdateWebhookRequest {
  /** https, except where the operator allows http. Never an address that cannot be reached from outside: loopback, private, link-local. */
  webhookUrl: string;
}

export interface WebhookSecret {
  /** The new secret. */
  webhookSecret: string;
  /** Until then webhooks are signed with the old secret too. */
  previousSecretExpiresAt: string;
}

export interface PayoutAddress {
  /** Where payments arrive; null: nobody can pay yet. */
  payoutAddress: string | null;
  /** No private key exists for it: the vault of a multisig, or another address of a program. */
  isOffCurve: boolean;
  /** When you last proved by signature that the wallet is yours. */
  verifiedAt: string | null;
  /** Another merchant used it before you did, and owns what arrives without a payment intent. */
  isShared: boolean;
  /** How long a change of a payout address, the merchant’s or a project’s, is delayed. */
  payoutChangeDelayHours: number;
  pendingChange: {
    /** Cancels it: `DELETE /api/b2b/merchants/payout-changes/{payoutChangeId}`. */
    id: string;
    /** What will change: a payout address, or the delay itself. */
    kind: 'address' | 'delay';
    /** The project whose address will change; null: the merchant’s own. */
    projectId: string | null;
    /** The new address; null: the project returns to the merchant’s own. */
    payoutAddress: string | null;
    /** The new delay. */
    payoutChangeDelayHours: number | null;
    /** As the audit log names them. */
    requestedBy: string;
    requestedAt: string;
    /** Until then it can be canceled. */
    takesEffectAt: string;
  } | null;
  pendingDelayChange: {
    /** Cancels it: `DELETE /api/b2b/merchants/payout-changes/{payoutChangeId}`. */
    id: string;
    /** What will change: a payout address, or the delay itself. */
    kind: 'address' | 'delay';
    /** The project whose address will change; null: the merchant’s own. */
    projectId: string | null;
    /** The new address; null: the project returns to the merchant’s own. */
    payoutAddress: string | null;
    /** The new delay. */
    payoutChangeDelayHours: number | null;
    /** As the audit log names them. */
    requestedBy: string;
    requestedAt: string;
    /** Until then it can be canceled. */
    takesEffectAt: string;
  } | null;
}

export interface UpdatePayoutAddressRequest {
  /** A Solana address, base58. */
  payoutAddress: string;
}

export interface UpdatePayoutDelayRequest {
  /** 0: changes take effect immediately. */
  payoutChangeDelayHours: number;
}

export interface CreatePayoutChallengeRequest {
  /** The address of the wallet that will sign. */
  payoutAddress: string;
}

export interface PayoutChallenge {
  payoutAddress: string;
  /** What the wallet signs, byte for byte, in UTF-8. */
  message: string;
  expiresAt: string;
}

export interface VerifyPayoutAddressRequest {
  /** The address the challenge was created for. */
  payoutAddress: string;
  /** The wallet’s ed25519 signature of the message, base58. */
  signature: string;
}

export interface VerifiedPayoutAddress {
  payoutAddress: string;
  isOffCurve: boolean;
  verifiedAt: string;
}

export interface GenerateKeyRequest {
  name?: string | null | undefined;
  scopes?: readonly ('billing:read' | 'billing:write' | 'payments:read' | 'payments:write')[] | undefined;
  /** IPv4 and IPv6 addresses and CIDR ranges it may be used from; a call from elsewhere is 403. Default: those of the creating key, or anywhere. */
  allowedAddresses?: readonly string[] | null | undefined;
  expiresAt?: string | Date | null | undefined;
  /** Also revokes every key the merchant has now, including the calling one. */
  revokeExisting?: boolean | undefined;
}

/** A new key, with its secret. */
export interface GeneratedApiKey {
  id: string;
  name: string | null;
  /** The first characters of the key, to recognize it by. */
  prefix: string;
  scopes: ('billing:read' | 'billing:write' | 'payments:read' | 'payments:write')[];
  /** Addresses and CIDR ranges it may be used from; null for anywhere. */
  allowedAddresses: string[] | null;
  environment: 'mainnet' | 'devnet';
  expiresAt: string | null;
  /** The key itself. It is shown only once. */
  apiKey: string;
  /** The same string as apiKey. */
  rawApiKey: string;
  createdAt: string;
}

export interface ApiKey {
  id: string;
  name: string | null;
  /** The first characters of the key, to recognize it by. */
  prefix: string;
  scopes: ('billing:read' | 'billing:write' | 'payments:read' | 'payments:write')[];
  /** Addresses and CIDR ranges it may be used from; null for anywhere. */
  allowedAddresses: string[] | null;
  environment: 'mainnet' | 'devnet';
  expiresAt: string | null;
  /** Updated at most once a minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
  createdAt: string;
}

export interface SignInRequest {
  /** The e-mail address you sign in with. */
  email: string;
  password: string;
  /** For a member with the same password at several merchants. Default: the one signed in to last. */
  merchantId?: string | undefined;
}

export interface Member {
  id: string;
  email: string;
  name: string;
  role: 'owner' | 'developer' | 'viewer';
  /** A member who is not active cannot sign in. */
  isActive: boolean;
  hasPassword: boolean;
  lastSignedInAt: string | null;
  createdAt: string;
}

/** The signed-in member, and what a page needs first. */
export interface DashboardSession {
  member: Member;
  merchant: {
    id: string;
    name: string | null;
    brandColor: string | null;
    /** 0 unverified, 1 pending, 2 verified, 3 rejected. */
    verificationStatus: number;
    /** In which the dashboard shows every time. */
    timeZone: string;
  };
  environment: 'mainnet' | 'devnet';
  network: 'sandbox' | 'devnet' | 'mainnet';
  scopes: ('billing:read' | 'billing:write' | 'payments:read' | 'payments:write')[];
  /** Send it as X-CSRF-Token with every change. */
  csrfToken: string;
  /** Until then no further confirmation is needed; null when one is needed. */
  stepUpUntil: string | null;
  /** When the session ends at the latest. */
  expiresAt: string;
  /** Whether passkeys work here: with a host name and https, or on localhost. */
  passkeysAvailable: boolean;
  /** Whether this service has a mail server. */
  sendsEmails: boolean;
}

/** For `navigator.credentials.get()`, through parseRequestOptionsFromJSON(). */
export interface PasskeyRequestOptions {
  challenge: string;
  timeout: number;
  rpId: string;
  allowCredentials: {
    id: string;
    type: string;
    transports?: string[];
  }[];
  userVerification: string;
}

/** The result of `navigator.credentials.get()`, as its toJSON() writes it. */
export interface PasskeyAssertion {
  id: string;
  rawId: string;
  /** `public-key`. */
  type: string;
  authenticatorAttachment?: string | null | undefined;
  clientExtensionResults?: Record<string, unknown> | undefined;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null | undefined;
  };
}

export interface PasskeySignInRequest {
  credential: PasskeyAssertion;
}

export interface OpenMemberLinkRequest {
  /** The last part of the link’s path. */
  token: string;
}

export interface MemberLink {
  kind: 'setup' | 'invitation' | 'reset';
  merchantName: string | null;
  /** Who it is for; null: send it when using the link. */
  email: string | null;
  role: 'owner' | 'developer' | 'viewer' | null;
  expiresAt: string;
}

export interface UseMemberLinkRequest {
  /** The last part of the link’s path. */
  token: string;
  /** For a setup link, which is not for a known member. */
  email?: string | undefined;
  /** Required for a new member. */
  name?: string | undefined;
  password: string;
}

export interface SignedInDevice {
  id: string;
  /** The calling session. */
  isCurrent: boolean;
  /** How the member signed in. */
  method: 'password' | 'passkey' | 'link';
  address: string;
  userAgent: string | null;
  createdAt: string;
  /** Updated at most once a minute. */
  lastSeenAt: string;
  expiresAt: string;
}

export interface StepUpRequest {
  /** This, or a credential. */
  password?: string | undefined;
  credential?: PasskeyAssertion | undefined;
}

export interface UpdateOwnMemberRequest {
  name: string;
}

export interface ChangePasswordRequest {
  newPassword: string;
}

export interface Passkey {
  id: string;
  name: string;
  /** Synced by a password manager or an account, so it outlives the device. */
  isSynced: boolean;
  createdAt: string;
  lastUsedAt: string | null;
}

/** For `navigator.credentials.create()`, through parseCreationOptionsFromJSON(). */
export interface PasskeyCreationOptions {
  challenge: string;
  rp: {
    id: string;
    name: string;
  };
  user: {
    id: string;
    name: string;
    displayName: string;
  };
  pubKeyCredParams: {
    alg: number;
    type: string;
  }[];
  timeout: number;
  excludeCredentials: {
    id: string;
    type: string;
    transports?: string[];
  }[];
  authenticatorSelection: {
    residentKey: string;
    requireResidentKey: boolean;
    userVerification: string;
  };
  attestation: string;
}

/** The result of `navigator.credentials.create()`, as its toJSON() writes it. */
export interface PasskeyAttestation {
  id: string;
  rawId: string;
  /** `public-key`. */
  type: string;
  authenticatorAttachment?: string | null | undefined;
  clientExtensionResults?: Record<string, unknown> | undefined;
  response: {
    clientDataJSON: string;
    attestationObject: string;
    transports?: readonly string[] | undefined;
  };
}

export interface AddPasskeyRequest {
  /** To recognize it by. Default: Passkey. */
  name?: string | undefined;
  credential: PasskeyAttestation;
}

export interface RenamePasskeyRequest {
  name: string;
}

export interface UpdateMemberRequest {
  role?: 'owner' | 'developer' | 'viewer' | undefined;
  /** False: signed out everywhere, and cannot sign in until it is true again. */
  isActive?: boolean | undefined;
}

export interface ResetLink {
  /** Hand it over to the member. It is shown only once, and works once. */
  url: string;
  expiresAt: string;
}

export interface InviteMemberRequest {
  email: string;
  role: 'owner' | 'developer' | 'viewer';
}

export interface NewInvitation {
  id: string;
  email: string;
  role: 'owner' | 'developer' | 'viewer';
  createdAt: string;
  expiresAt: string;
  /** Hand it over to the invited person. It is shown only once, and works once. */
  url: string;
  /** Whether the mail server accepted the e-mail to the invited person. */
  isMailed: boolean;
}

export interface Invitation {
  id: string;
  email: string;
  role: 'owner' | 'developer' | 'viewer';
  createdAt: string;
  expiresAt: string;
}

export interface SecuritySettings {
  /** Owners who have a passkey cannot sign in or confirm with their password. */
  requirePasskeys: boolean;
}

export interface UpdateSecurityRequest {
  requirePasskeys: boolean;
}

export interface AuditEntry {
  id: string;
  /** `member:<id>`, `key:<id>`, `portal:<session id>` or `operator`. */
  actor: string;
  /** The member’s name, or the key’s. */
  actorName: string | null;
  /** What happened, noun first: `api_key.created`. */
  action: string;
  targetId: string | null;
  /** What changed. Never a secret. */
  detail: Record<string, unknown>;
  createdAt: string;
}

export interface SavedView {
  id: string;
  list:
    | 'audit'
    | 'checkout-sessions'
    | 'customers'
    | 'discounts'
    | 'exceptions'
    | 'intents'
    | 'invoices'
    | 'payment-links'
    | 'products'
    | 'projects'
    | 'refunds'
    | 'request-logs'
    | 'subscriptions'
    | 'tax-rates'
    | 'usage'
    | 'webhook-deliveries';
  name: string;
  /** Its filters as in the address: `status=paid`. */
  query: string;
  /** Whether every member sees it. */
  isShared: boolean;
  /** Whether the caller saved it. */
  isOwn: boolean;
  createdAt: string;
}

export interface SaveViewRequest {
  list:
    | 'audit'
    | 'checkout-sessions'
    | 'customers'
    | 'discounts'
    | 'exceptions'
    | 'intents'
    | 'invoices'
    | 'payment-links'
    | 'products'
    | 'projects'
    | 'refunds'
    | 'request-logs'
    | 'subscriptions'
    | 'tax-rates'
    | 'usage'
    | 'webhook-deliveries';
  name: string;
  /** Its filters as in the address: `status=paid`. */
  query: string;
  /** Whether every member sees it. */
  isShared?: boolean | undefined;
}

export interface UpdateSavedViewRequest {
  name?: string | undefined;
  /** Whether every member sees it. */
  isShared?: boolean | undefined;
}

export interface Terminal {
  id: string;
  name: string | null;
  isActive: boolean;
  createdAt: string;
}

export interface CreateTerminalRequest {
  name?: string | null | undefined;
}

/** A phone or tablet that sells at one terminal. */
export interface Till {
  id: string;
  terminalId: string;
  projectId: string;
  name: string | null;
  tipPercents: number[];
  pairedAt: string;
  /** Updated at most once a minute. */
  lastSeenAt: string;
}

export interface CreateTillRequest {
  /** Where it sells. A terminal has one till at a time. */
  terminalId: string;
  /** Whose catalog it sells from. */
  projectId: string;
  /** Which phone or tablet it is. */
  name?: string | null | undefined;
  /** Tips it offers to customers, as percentages. An empty list offers none. */
  tipPercents?: readonly number[] | undefined;
}

/** A code that pairs one till. */
export interface TillCode {
  id: string;
  terminalId: string;
  projectId: string;
  name: string | null;
  tipPercents: number[];
  /** What is typed on the till. It works once. */
  code: string;
  /** Opens the till with the code filled in: for a QR code. The code is in its fragment. */
  url: string;
  expiresAt: string;
}

export interface CreatePaymentIntentRequest {
  /** In cents, greater than 0. */
  amountCents: Int64;
  /** Your name for what is being paid. */
  orderId: string;
  /** Shows the intent on this terminal. */
  terminalId?: string | null | undefined;
}

export interface PaymentIntent {
  id: string;
  /** The merchant's order. */
  orderId: string | null;
  expectedAmountCents: Int64;
  /** Identifies this intent on chain; the payment includes it. */
  referenceAddress: string | null;
  /** The merchant's payout address when the intent was created. */
  destinationAddress: string | null;
  status: 'pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled' | null;
  expiresAt: string;
  /** What has finally arrived so far. */
  amountReceivedCents: Int64;
  /** How the last final payment came: signed on our page (wallet), sent from anywhere (transfer), or by a program (x402, mpp). */
  paidVia: 'wallet' | 'transfer' | 'x402' | 'mpp' | null;
  /** The wallet it came from. It may be an exchange’s, or belong to a program: the refund says which. Null: unknown, or several. */
  payerAddress: string | null;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** The terminal it was created for. */
  terminalId: string | null;
  /** The latest transaction that brought money. */
  txSignature: string | null;
  /** A Solana Pay URL for what is still due; null when nothing is. For a vault it is a transaction request, otherwise a transfer request. */
  paymentUrl: string | null;
  createdAt: string;
  /** What you waived of it when you accepted less as paid. */
  waivedCents: Int64;
}

export interface PaymentOutcome {
  succeededAt: string | null;
  /** What was sent back of it. */
  refundedCents: Int64;
}

export interface ExpandedPaymentIntent {
  id: string;
  /** The merchant's order. */
  orderId: string | null;
  expectedAmountCents: Int64;
  /** Identifies this intent on chain; the payment includes it. */
  referenceAddress: string | null;
  /** The merchant's payout address when the intent was created. */
  destinationAddress: string | null;
  status: 'pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled' | null;
  expiresAt: string;
  /** What has finally arrived so far. */
  amountReceivedCents: Int64;
  /** How the last final payment came: signed on our page (wallet), sent from anywhere (transfer), or by a program (x402, mpp). */
  paidVia: 'wallet' | 'transfer' | 'x402' | 'mpp' | null;
  /** The wallet it came from. It may be an exchange’s, or belong to a program: the refund says which. Null: unknown, or several. */
  payerAddress: string | null;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** The terminal it was created for. */
  terminalId: string | null;
  /** The latest transaction that brought money. */
  txSignature: string | null;
  /** A Solana Pay URL for what is still due; null when nothing is. For a vault it is a transaction request, otherwise a transfer request. */
  paymentUrl: string | null;
  createdAt: string;
  /** What you waived of it when you accepted less as paid. */
  waivedCents: Int64;
  purchase?: {
    checkoutSessionId: string;
    projectId: string;
    customerId: string | null;
    externalCustomerId: string | null;
    /** The name the customer has now, or the one given at checkout. */
    customerName: string | null;
    customerEmail: string | null;
    invoiceId: string;
    subscriptionId: string | null;
    /** The first line of what is paid for. */
    description: string | null;
    /** How many lines there are. */
    lineCount: number;
  } | null;
  outcome?: PaymentOutcome;
}

export interface UpdatePaymentIntentRequest {
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface DailyStats {
  /** A day of the merchant’s calendar, written as midnight UTC of its date in any time zone. */
  date: string | null;
  volumeCents: Int64;
  refundedCents: Int64;
  transactions: number;
}

export interface MerchantStats {
  /** What succeeded in these 31 days, before refunds. */
  totalVolumeCents: Int64;
  /** What was sent back in these 31 days, of payments that succeeded then or before. */
  totalRefundedCents: Int64;
  /** The volume without what was sent back; negative where more went back than came in. */
  netVolumeCents: Int64;
  /** Intents created in these 31 days. */
  totalTransactions: number;
  /** Intents that succeeded in these 31 days. */
  successfulTransactions: number;
  chartData: DailyStats[] | null;
}

export interface LinkExceptionRequest {
  /** An open or expired intent at the same address. */
  paymentIntentId: string;
  /** Whether the customer gets the usual e-mail if this pays the intent: true unless you say otherwise. An intent without a customer’s e-mail address sends none. */
  sendReceipt?: boolean | undefined;
}

export interface PaymentException {
  id: string;
  /** Why a person should review this money. */
  kind:
    | 'unmatched'
    | 'ambiguous'
    | 'wrong_mint'
    | 'canceled'
    | 'late'
    | 'surplus'
    | 'duplicate_order'
    | 'stray'
    | 'over_refunded';
  /** dust: less than a cent, which needs no action. */
  status: 'open' | 'linked' | 'returned' | 'kept' | 'credited' | 'dust';
  /** Whole cents of USDC. Null with `wrong_mint`: another token has no cents, and nobody says what it is worth. */
  amountCents: Int64 | null;
  /** The exact amount in the token’s smallest unit. */
  amountBaseUnits: string;
  /** How many decimals the token has: `56000000` with 6 of them is 56. Null with `wrong_mint` that was listed before this was kept. */
  decimals: number | null;
  /** Which token arrived. */
  mint: string;
  txSignature: string;
  destinationAddress: string;
  /** The intent it references, if any. */
  paymentIntentId: string | null;
  /** The intent it was linked to. */
  linkedPaymentIntentId: string | null;
  /** The account credit it became for the customer, until it is resolved. */
  balanceEntryId: string | null;
  /** The refund that sends it back; of `over_refunded`, the one that more was sent for than it was for. */
  refundId: string | null;
  /** true if the intent had been paid when this money arrived: it is no part of what the intent received, and can be linked to another one. */
  isAfterPayment: boolean;
  /** How many transfers it stands for. More than 1 only with `wrong_mint`: the same token again for the same intent, of which the first is shown. */
  transferCount: number;
  note: string | null;
  createdAt: string;
  resolvedAt: string | null;
}

export interface MarkReturnedRequest {
  note?: string | null | undefined;
}

export interface KeepExceptionRequest {
  note?: string | null | undefined;
}

export interface CreditExceptionRequest {
  /** Whose account credit it becomes: a customer of the project that the money was paid to, if it was paid to one. Not needed where `balanceEntryId` says that it is that already. If another customer has it now, it moves to this one. */
  customerId?: string | undefined;
  note?: string | null | undefined;
}

export interface PaymentIntentHistoryEntry {
  at: string;
  /** The event of this change; null for the creation, which has none. */
  event: string | null;
  /** The status of the intent from then on. */
  status: 'pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled';
  /** What had finally arrived by then. */
  amountReceivedCents: Int64;
  /** The last transaction that finally paid toward it by then; of `payment_intent.failed`, the attempt. */
  txSignature: string | null;
  /** Of `payment_intent.failed`. failed_on_chain: no money moved. other_token: a token other than USDC arrived, see `exceptions`. elsewhere: it paid another account. Null where it is no longer known. */
  failureReason: 'failed_on_chain' | 'other_token' | 'elsewhere' | null;
}

export interface PaymentIntentTransaction {
  txSignature: string;
  /** What it paid toward this intent, in whole cents. */
  amountCents: Int64;
  /** The same, exactly, in millionths of a USDC. */
  amountBaseUnits: string;
  /** false while the chain could still drop the payment. */
  isFinal: boolean;
  blockTime: string;
}

export interface PaymentIntentHistory {
  entries: PaymentIntentHistoryEntry[];
  transactions: PaymentIntentTransaction[];
  exceptions: PaymentException[];
}

export interface PaymentExceptionSuggestion {
  paymentIntentId: string;
  orderId: string | null;
  status: 'pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled';
  /** What the intent is for. */
  amountCents: Int64;
  /** What it still lacks, with its tip. */
  missingCents: Int64;
  /** How much of it is a tip, which need not be paid. */
  tipCents: Int64;
  customerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  createdAt: string;
  reasons: ('claimed' | 'named' | 'same_amount' | 'less_a_fee' | 'same_sender')[];
  /** True for strong evidence: the payment names it; or it is the only one of this amount, it was there when the money came, and a payer claims it (and nobody for another order) or a part of it came from the same wallet; or it is the only one whose reserved amount has the same digits beyond the cent, and the rest is a fee. At most one is. An amount alone is no evidence. */
  isStrong: boolean;
}

export interface PaymentExceptionSuggestions {
  /** The address the money came from, see `payerKind`. Null if no node can say. */
  payerAddress: string | null;
  /** Kind of that address. wallet: somebody has its key, who may still be an exchange that is not known here. program: no key exists for it, because the money came out of a swap, a bridge, a contract or a multisig’s vault. exchange: a known wallet of an exchange, which many customers share. Send money back to a wallet only, and only if the customer says that it is theirs. */
  payerKind: 'wallet' | 'program' | 'exchange' | null;
  suggestions: PaymentExceptionSuggestion[];
}

export interface Note {
  id: string;
  /** The customer it is about, or null. */
  customerId: string | null;
  /** The payment it is about, or null. */
  paymentIntentId: string | null;
  /** `member:<id>` or `key:<id>`. */
  author: string;
  /** The member’s name, or the key’s. */
  authorName: string | null;
  /** Whether the caller wrote it, and can change and delete it. */
  isOwn: boolean;
  /** Plain text. */
  text: string;
  createdAt: string;
  /** When its author last changed it. */
  editedAt: string | null;
}

export interface CreateNoteRequest {
  /** What it is about: this customer, */
  customerId?: string | undefined;
  /** or this payment. One of the two. */
  paymentIntentId?: string | undefined;
  /** Plain text. */
  text: string;
}

export interface EditNoteRequest {
  /** Plain text. */
  text: string;
}

export interface PublicPaymentIntent {
  merchantName: string | null;
  expectedAmountCents: Int64;
  amountReceivedCents: Int64;
  destinationAddress: string;
  referenceAddress: string;
  status: 'pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled';
  expiresAt: string;
  /** A Solana Pay URL for what is still due; null when nothing is. For a vault it is a transaction request, otherwise a transfer request. */
  paymentUrl: string | null;
}

export interface CheckPaymentRequest {
  /** The signature of your payment, if your wallet shows it: base58. */
  signature?: string | undefined;
}

export interface SendPaymentRequest {
  /** Signed, in base64: the response of a transaction request, with the payer’s signature. */
  transaction: string;
}

export interface SentPayment {
  /** The transaction’s, in base58. */
  signature: string;
}

export interface PaymentTransactionRequest {
  /** The wallet that pays. */
  account: string;
  /** The wallet pays the network fee itself: after a transaction whose fee would have been paid was refused, as one is that the wallet has changed. */
  paysFee?: boolean | undefined;
}

export interface PaymentTransaction {
  /** Unsigned, in base64. */
  transaction: string;
  message: string;
  /** The network fee is paid for the payer. Then the wallet only signs, and the transaction is sent with `…/send`. */
  isSponsored: boolean;
  /** The account that pays the network fee: `account`, or the sponsor’s. */
  feePayer: string;
}

export interface ReservedAmount {
  /** The USDC to send, to the last of six decimals: more than what is due, by less than a cent. */
  amount: string;
  destinationAddress: string;
  /** The token to send: USDC. */
  mint: string;
  /** A Solana Pay URL with address, amount and token alone, for wallets that refuse a reference. */
  paymentUrl: string;
  expiresAt: string;
}

export interface Sponsor {
  /** Whose network fees are paid: nobody’s, those of wallets with next to no SOL, or everybody’s. */
  sponsorFees: 'never' | 'when_needed' | 'always';
  /** Network fees can be paid for payers right now. */
  isOn: boolean;
  /** Why not. Null: they can. */
  reasonOff:
    | 'not_set_up'
    | 'network_unreachable'
    | 'low_balance'
    | 'daily_limit_reached'
    | 'merchant_limit_reached'
    | null;
  /** The wallet that pays the fees; send SOL to it to top it up. */
  address: string | null;
  /** Null: not known. */
  balanceLamports: Int64 | null;
  /** On this UTC day, for all merchants of this service. */
  spentTodayLamports: Int64;
  limitLamportsPerDay: Int64;
  /** For you alone. Null: no limit of your own, because you share it with nobody. */
  merchantLimitLamportsPerDay: Int64 | null;
  /** Your payments on this UTC day whose fee was paid. */
  transactionsTodayCount: number;
}

export interface UpdateSponsorRequest {
  /** Whose network fees are paid: nobody’s, those of wallets with next to no SOL, or everybody’s. */
  sponsorFees: 'never' | 'when_needed' | 'always';
}

export interface PublicRefund {
  merchantName: string | null;
  number: string;
  status: 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';
  amountCents: Int64;
  /** Where the money goes, as far as it is known. */
  address: string | null;
  addressSource: 'merchant' | 'customer' | 'payer' | null;
  /** Once it is, it can no longer be changed. */
  isAddressApproved: boolean;
  /** The address the payment came from, as far as it is known. */
  payerAddress: string | null;
  /** Kind of that address. wallet: somebody has its key, who may still be an exchange that is not known here. program: no key exists for it, because the money came out of a swap, a bridge, a contract or a multisig’s vault. exchange: a known wallet of an exchange, which many customers share. Send money back to a wallet only, and only if the customer says that it is theirs. */
  payerKind: 'wallet' | 'program' | 'exchange' | null;
  /** Signed with the wallet of payerAddress, it proves that the refund may go back there. Null where that is no wallet. */
  proofMessage: string | null;
  txSignature: string | null;
  expiresAt: string;
  succeededAt: string | null;
}

export interface ClaimRefundRequest {
  /** Your wallet’s Solana address. */
  address: string;
  /** Of the message for this address, in base58: needs no approval then. */
  signature?: string | undefined;
}

export interface X402KindExtra {
  feePayer: string;
}

export interface X402Kind {
  x402Version: number;
  scheme: string;
  network: string;
  extra: X402KindExtra;
}

export interface X402Supported {
  kinds: X402Kind[];
  extensions: string[];
  signers: Record<string, string[]>;
}

export interface X402PaymentRequest {
  /** Always 2. */
  x402Version?: number | undefined;
  /** What the client sent in PAYMENT-SIGNATURE, decoded. */
  paymentPayload: Record<string, unknown>;
  /** What your server required. */
  paymentRequirements: Record<string, unknown>;
}

export interface X402Verification {
  isValid: boolean;
  /** The protocol’s code for what is wrong. */
  invalidReason?: string;
  invalidMessage?: string;
  payer: string;
}

export interface X402SettlementExtra {
  paymentIntentId: string;
  invoiceId: string;
}

export interface X402Settlement {
  success: boolean;
  /** The protocol’s code for what is wrong. */
  errorReason?: string;
  errorMessage?: string;
  payer: string;
  /** Its signature; empty where nothing was sent. */
  transaction: string;
  network: string;
  extra?: X402SettlementExtra;
}

export interface SandboxPaymentRequest {
  paymentIntentId?: string | undefined;
  /** Instead of paymentIntentId: the id of a payment intent, a checkout session, an invoice or a subscription (what is due for it, such as its renewal), or a checkout URL. */
  target?: string | undefined;
  /** Default: what is still due. */
  amountCents?: Int64 | undefined;
  /** Default: pay. */
  outcome?: 'pay' | 'fail' | 'wrong_mint' | 'no_reference' | undefined;
}

export interface SandboxPayment {
  signature: string;
}

export interface SandboxRefundPaymentRequest {
  /** Default: what is still due. */
  amountCents?: Int64 | undefined;
}

export interface SandboxClock {
  /** The service’s time. */
  now: string;
  /** The target of a running advance, reported by the process that runs it; null if none is running. */
  advancingTo: string | null;
}

export interface MoveSandboxClockRequest {
  /** How far to advance. */
  advanceSeconds?: number | undefined;
  /** The time to advance to; not before now. */
  to?: string | Date | undefined;
}

export interface SandboxEventRequest {
  /** Which webhook to send. */
  event:
    | 'payment_intent.created'
    | 'payment_intent.succeeded'
    | 'payment_intent.underpaid'
    | 'payment_intent.failed'
    | 'payment_intent.expired'
    | 'payment_intent.updated'
    | 'invoice.created'
    | 'invoice.upcoming'
    | 'invoice.paid'
    | 'invoice.underpaid'
    | 'invoice.refunded'
    | 'invoice.overdue'
    | 'invoice.voided'
    | 'invoice.uncollectible'
    | 'invoice.updated'
    | 'checkout.session.created'
    | 'checkout.session.processing'
    | 'checkout.session.completed'
    | 'checkout.session.expired'
    | 'checkout.session.canceled'
    | 'checkout.session.updated'
    | 'subscription.created'
    | 'subscription.activated'
    | 'subscription.incomplete_expired'
    | 'subscription.trial_will_end'
    | 'subscription.renewal_due'
    | 'subscription.renewed'
    | 'subscription.past_due'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.reactivated'
    | 'customer.created'
    | 'customer.updated'
    | 'customer.deleted'
    | 'customer.balance_credited'
    | 'customer.balance_debited'
    | 'customer.balance_adjusted'
    | 'customer.balance_low'
    | 'customer.balance_depleted'
    | 'refund.created'
    | 'refund.address_received'
    | 'refund.updated'
    | 'refund.processing'
    | 'refund.succeeded'
    | 'refund.canceled'
    | 'refund.expired'
    | 'refund_request.created'
    | 'refund_request.approved'
    | 'refund_request.declined'
    | 'exception.created'
    | 'exception.resolved'
    | 'exception.reopened'
    | 'payout_address.changed'
    | 'webhook_endpoint.test'
    | 'notification.test'
    | 'notification.summary';
  /** Default: true. With false the event is written even without a webhook URL, for clients that pull events. */
  requireUrl?: boolean | undefined;
}

export interface SandboxEvent {
  /** The `id` in the body of the webhook. */
  eventId: string;
}

export interface SandboxResetRequest {
  /** The id of your own merchant: nothing is deleted by mistake. */
  confirmMerchantId: string;
  /** Default: false. With true, products, prices, payment links and terminals stay. */
  keepCatalog?: boolean | undefined;
}

export interface SandboxResetCounts {
  paymentIntents: number;
  checkoutSessions: number;
  invoices: number;
  subscriptions: number;
  customers: number;
  exceptions: number;
  events: number;
  webhookDeliveries: number;
  paymentLinks: number;
  prices: number;
  products: number;
  terminals: number;
}

export interface SandboxReset {
  /** Only payments made from this moment on are detected. */
  resetAt: string;
  deleted: SandboxResetCounts;
}

export interface ProjectSettingsChange {
  /** How long a customer keeps access after an unpaid renewal. */
  gracePeriodDays?: number | undefined;
  /** How long before a period ends its renewal is requested. */
  renewalLeadDays?: number | undefined;
  /** Days before the end of a period on which the customer gets a reminder. */
  reminderDays?: readonly number[] | undefined;
  /** What invoice numbers begin with: letters, digits, _ . and -, a letter or a digit first. */
  invoicePrefix?: string | undefined;
  /** Credits that one unit of a metric costs the customer, by metric: lower case letters, digits and _ . : - */
  usageCredits?: Record<string, number> | undefined;
  /** `customer.balance_low` is sent when a balance falls to this or below. */
  lowBalanceCredits?: Int64 | null | undefined;
  /** Whether the sponsor pays the network fees of this project’s payers: never, only for wallets with next to no SOL, or always. Null: as the merchant has chosen. */
  sponsorFees?: 'never' | 'when_needed' | 'always' | null | undefined;
  /** How much of one payment AI assistants that are connected by MCP may refund in total. 0, the default: nothing. Raising it requires all four scopes. */
  agentRefundLimitCents?: Int64 | undefined;
  /** Sites that may show this project’s checkout and payment links inside their own pages, each as `https://` and a host, with a port if it has one. `http://` is accepted for `localhost` and `127.0.0.1`. */
  embedOrigins?: readonly string[] | undefined;
  /** Where customers can reach you: linked on checkout and payment link pages, and the reply address of e-mails to them. */
  supportEmail?: string | null | undefined;
  /** Your terms, linked on checkout and payment link pages: https. */
  termsUrl?: string | null | undefined;
  /** Whether customers can sign in to their portal by an e-mail that we send them, at `portalSignInUrl`. Requires a mail server. */
  portalSignIn?: boolean | undefined;
  /** How often within 24 hours a customer can change the plan of a subscription in their portal; 10 by default. 0: not at all. */
  portalPlanChangesPerDay?: number | undefined;
}

export interface TaxIdRequest {
  /** `other` is not checked. */
  type: 'eu_vat' | 'gb_vat' | 'ch_vat' | 'no_vat' | 'us_ein' | 'au_abn' | 'ca_gst' | 'in_gst' | 'other';
  /** Its form and its check digits are verified, without asking anyone. */
  value: string;
}

export interface CreateProjectRequest {
  name: string;
  /** Must be the server’s own, which is the default. */
  environment?: 'mainnet' | 'devnet' | undefined;
  /** What customers see; null: the merchant’s name. */
  brandName?: string | null | undefined;
  /** `#rrggbb`. */
  brandColor?: string | null | undefined;
  /** A Solana address, base58; null: the merchant’s own. Requires all four scopes. */
  payoutAddress?: string | null | undefined;
  /** Null: no limit. */
  monthlyVolumeLimitCents?: Int64 | null | undefined;
  /** Null: no limit. */
  monthlyRequestLimit?: Int64 | null | undefined;
  settings?: ProjectSettingsChange | undefined;
  seller?:
    | {
        legalName: string;
        address?:
          | {
              line1: string;
              line2?: string | null | undefined;
              postalCode?: string | null | undefined;
              city?: string | null | undefined;
              state?: string | null | undefined;
            }
          | null
          | undefined;
        /** A country code as in ISO 3166-1, such as DE. */
        country: string;
        taxIds?: readonly TaxIdRequest[] | undefined;
        /** In the register of companies. */
        registrationNumber?: string | null | undefined;
      }
    | null
    | undefined;
}

export interface ProjectSettings {
  /** How long a customer keeps access after an unpaid renewal. */
  gracePeriodDays: number;
  /** How long before a period ends its renewal is requested. */
  renewalLeadDays: number;
  /** Days before the end of a period on which the customer gets a reminder. */
  reminderDays: number[];
  /** What invoice numbers begin with: letters, digits, _ . and -, a letter or a digit first. */
  invoicePrefix: string;
  /** Credits that one unit of a metric costs the customer, by metric: lower case letters, digits and _ . : - */
  usageCredits: Record<string, number>;
  /** `customer.balance_low` is sent when a balance falls to this or below. */
  lowBalanceCredits: Int64 | null;
  /** Whether the sponsor pays the network fees of this project’s payers: never, only for wallets with next to no SOL, or always. Null: as the merchant has chosen. */
  sponsorFees: 'never' | 'when_needed' | 'always' | null;
  /** How much of one payment AI assistants that are connected by MCP may refund in total. 0, the default: nothing. Raising it requires all four scopes. */
  agentRefundLimitCents: Int64;
  /** Sites that may show this project’s checkout and payment links inside their own pages, each as `https://` and a host, with a port if it has one. `http://` is accepted for `localhost` and `127.0.0.1`. */
  embedOrigins: string[];
  /** Where customers can reach you: linked on checkout and payment link pages, and the reply address of e-mails to them. */
  supportEmail: string | null;
  /** Your terms, linked on checkout and payment link pages: https. */
  termsUrl: string | null;
  /** Whether customers can sign in to their portal by an e-mail that we send them, at `portalSignInUrl`. Requires a mail server. */
  portalSignIn: boolean;
  /** How often within 24 hours a customer can change the plan of a subscription in their portal; 10 by default. 0: not at all. */
  portalPlanChangesPerDay: number;
}

export interface TaxId {
  /** `other` is not checked. */
  type: 'eu_vat' | 'gb_vat' | 'ch_vat' | 'no_vat' | 'us_ein' | 'au_abn' | 'ca_gst' | 'in_gst' | 'other';
  /** Its form and its check digits are verified, without asking anyone. */
  value: string;
}

export interface PendingPayoutChange {
  /** Cancels it: `DELETE /api/b2b/merchants/payout-changes/{payoutChangeId}`. */
  id: string;
  /** What will change: a payout address, or the delay itself. */
  kind: 'address' | 'delay';
  /** The project whose address will change; null: the merchant’s own. */
  projectId: string | null;
  /** The new address; null: the project returns to the merchant’s own. */
  payoutAddress: string | null;
  /** The new delay. */
  payoutChangeDelayHours: number | null;
  /** As the audit log names them. */
  requestedBy: string;
  requestedAt: string;
  /** Until then it can be canceled. */
  takesEffectAt: string;
}

export interface Project {
  id: string;
  name: string;
  /** That of this server; in the sandbox it is devnet. */
  environment: 'mainnet' | 'devnet';
  /** Null: the merchant’s own. */
  payoutAddress: string | null;
  /** Per UTC calendar month. Null: no limit. */
  monthlyVolumeLimitCents: Int64 | null;
  /** Per UTC calendar month. Null: no limit. */
  monthlyRequestLimit: Int64 | null;
  settings: ProjectSettings;
  createdAt: string;
  updatedAt: string;
  /** When it was deleted: it can still be read, but accepts nothing new. */
  archivedAt: string | null;
  /** What customers see. Null: the merchant’s name. */
  brandName: string | null;
  /** `#rrggbb`. Null: the merchant’s colour. */
  brandColor: string | null;
  /** The project’s own image. Null: the merchant’s. */
  logoUrl: string | null;
  /** Where customers sign in to their portal by e-mail. Null: they cannot. */
  portalSignInUrl: string | null;
  seller: {
    legalName: string;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string;
    taxIds: TaxId[];
    /** In the register of companies. */
    registrationNumber: string | null;
  } | null;
  pendingChange?: PendingPayoutChange;
}

export interface UpdateProjectRequest {
  name?: string | undefined;
  /** What customers see; null: the merchant’s name. */
  brandName?: string | null | undefined;
  /** `#rrggbb`. */
  brandColor?: string | null | undefined;
  /** A Solana address, base58; null: the merchant’s own. Requires all four scopes. */
  payoutAddress?: string | null | undefined;
  /** Null: no limit. */
  monthlyVolumeLimitCents?: Int64 | null | undefined;
  /** Null: no limit. */
  monthlyRequestLimit?: Int64 | null | undefined;
  settings?: ProjectSettingsChange | undefined;
  seller?:
    | {
        legalName: string;
        address?:
          | {
              line1: string;
              line2?: string | null | undefined;
              postalCode?: string | null | undefined;
              city?: string | null | undefined;
              state?: string | null | undefined;
            }
          | null
          | undefined;
        /** A country code as in ISO 3166-1, such as DE. */
        country: string;
        taxIds?: readonly TaxIdRequest[] | undefined;
        /** In the register of companies. */
        registrationNumber?: string | null | undefined;
      }
    | null
    | undefined;
}

export interface CustomerTaxIdRequest {
  /** `other` is not checked. */
  type: 'eu_vat' | 'gb_vat' | 'ch_vat' | 'no_vat' | 'us_ein' | 'au_abn' | 'ca_gst' | 'in_gst' | 'other';
  /** Its form and its check digits are verified, without asking anyone. */
  value: string;
  /** Yours to set: whether you have verified that it is theirs. Nothing depends on it. */
  status?: 'unverified' | 'verified' | undefined;
}

export interface CreateCustomerRequest {
  projectId: string;
  /** Your own id for the customer, unique in the project. */
  externalCustomerId?: string | null | undefined;
  email?: string | null | undefined;
  name?: string | null | undefined;
  /** A language tag as in BCP 47, such as en or de-AT. */
  language?: string | null | undefined;
  address?:
    | {
        line1: string;
        line2?: string | null | undefined;
        postalCode?: string | null | undefined;
        city?: string | null | undefined;
        state?: string | null | undefined;
      }
    | null
    | undefined;
  /** A country code as in ISO 3166-1, such as DE. */
  country?: string | null | undefined;
  /** Whether they buy for a business, which decides about tax. */
  isBusiness?: boolean | undefined;
  taxIds?: readonly CustomerTaxIdRequest[] | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export interface CustomerTaxId {
  /** `other` is not checked. */
  type: 'eu_vat' | 'gb_vat' | 'ch_vat' | 'no_vat' | 'us_ein' | 'au_abn' | 'ca_gst' | 'in_gst' | 'other';
  /** Its form and its check digits are verified, without asking anyone. */
  value: string;
  /** Yours to set: whether you have verified that it is theirs. Nothing depends on it. */
  status: 'unverified' | 'verified';
}

export interface Customer {
  id: string;
  projectId: string;
  /** Your own id for the customer, unique in the project. */
  externalCustomerId: string | null;
  email: string | null;
  name: string | null;
  /** The customer’s language, such as en or de-AT, used for e-mails. */
  language: string | null;
  /** Prepaid units, from top-ups. */
  creditBalance: Int64;
  /** Money applied to the next renewal or plan change. */
  accountCreditCents: Int64;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  address: {
    line1: string;
    line2: string | null;
    postalCode: string | null;
    city: string | null;
    state: string | null;
  } | null;
  /** A country code as in ISO 3166-1, such as DE. */
  country: string | null;
  /** Whether they buy for a business, which decides about tax. */
  isBusiness: boolean;
  taxIds: CustomerTaxId[];
  /** How the address is known: you set it, a link mailed to it was opened, or somebody typed it, which proves nothing. */
  emailSource: 'merchant' | 'mailbox' | 'typed' | null;
  /** Whom they were merged into: that customer’s details and balances are shown, and can be changed there. */
  mergedIntoCustomerId: string | null;
}

export interface UpdateCustomerRequest {
  email?: string | null | undefined;
  name?: string | null | undefined;
  /** A language tag as in BCP 47, such as en or de-AT. */
  language?: string | null | undefined;
  address?:
    | {
        line1: string;
        line2?: string | null | undefined;
        postalCode?: string | null | undefined;
        city?: string | null | undefined;
        state?: string | null | undefined;
      }
    | null
    | undefined;
  /** A country code as in ISO 3166-1, such as DE. */
  country?: string | null | undefined;
  /** Whether they buy for a business, which decides about tax. */
  isBusiness?: boolean | undefined;
  taxIds?: readonly CustomerTaxIdRequest[] | undefined;
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface MergeCustomerRequest {
  /** Who they are: another customer of the same project, whose details stay. */
  intoCustomerId: string;
}

export interface CustomerErasure {
  customerId: string;
  projectId: string;
  /** The customer is gone in both; `erased`: so is everything that was recorded of them. */
  status: 'erasing' | 'erased';
  /** Whether nothing has been overwritten for 10 minutes although it is not finished: the operator has to look. */
  isStuck: boolean;
  /** How many records and events are overwritten. */
  done: number;
  /** Of how many; null: not counted yet. */
  total: number | null;
  /** Prepaid units that the customer had left. */
  discardedCredits: number;
  /** Account credit that the customer had left. */
  discardedCents: number;
  /** When the customer was deleted. */
  createdAt: string;
  finishedAt: string | null;
}

export interface VerifyCreditTokenRequest {
  /** What the program sent you: `creditToken` of its receipt. */
  token: string;
}

export interface CreditTokenVerification {
  /** False: forged, revoked, or of another merchant. */
  isValid: boolean;
  customer: {
    id: string;
    projectId: string;
    /** Your own id for the customer, unique in the project. */
    externalCustomerId: string | null;
    email: string | null;
    name: string | null;
    /** The customer’s language, such as en or de-AT, used for e-mails. */
    language: string | null;
    /** Prepaid units, from top-ups. */
    creditBalance: Int64;
    /** Money applied to the next renewal or plan change. */
    accountCreditCents: Int64;
    createdAt: string;
    /** Your own keys and values. Customers never see them. */
    metadata: Record<string, string>;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    /** Whether they buy for a business, which decides about tax. */
    isBusiness: boolean;
    taxIds: CustomerTaxId[];
    /** How the address is known: you set it, a link mailed to it was opened, or somebody typed it, which proves nothing. */
    emailSource: 'merchant' | 'mailbox' | 'typed' | null;
    /** Whom they were merged into: that customer’s details and balances are shown, and can be changed there. */
    mergedIntoCustomerId: string | null;
  } | null;
}

export interface Product {
  id: string;
  projectId: string;
  name: string;
  description: string | null;
  /** false: none of its prices can be bought. */
  isActive: boolean;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** Where anybody can see its image, on this service. Null: it has none. */
  imagePath: string | null;
}

export interface CreateProductRequest {
  projectId: string;
  name: string;
  description?: string | null | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export interface UpdateProductRequest {
  name?: string | undefined;
  description?: string | null | undefined;
  /** false: none of its prices can be bought. */
  isActive?: boolean | undefined;
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

/** Fields of every CreatePriceRequest. */
export interface CreatePriceRequestFields {
  projectId: string;
  productId: string;
  name?: string | null | undefined;
  /** Your own name for it, unique in the project, to find it by; no space at either end. */
  lookupKey?: string | null | undefined;
  unitAmountCents: Int64;
  /** USDC is accepted and means USD. */
  currency?: 'USD' | 'USDC' | undefined;
  /** Only for subscription: how many days are free at first, once per customer and product. */
  trialDays?: number | null | undefined;
  /** Whether the amount contains tax (inclusive), tax is added to it (exclusive), or neither (none, the default). Once it is not none, it stays. */
  taxBehavior?: 'none' | 'inclusive' | 'exclusive' | undefined;
  /** A tax rate of the project. Null: its default for the buyer’s country. */
  taxRateId?: string | null | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export type CreatePriceRequest = CreatePriceRequestFields &
  (
    | {
        billingMode: 'one_time';
        creditAmount?: null | undefined;
        recurringInterval?: null | undefined;
        recurringIntervalCount?: null | undefined;
      }
    | {
        billingMode: 'balance_top_up';
        /** Required for balance_top_up, and only there: the credits the customer gets. */
        creditAmount: Int64;
        recurringInterval?: null | undefined;
        recurringIntervalCount?: null | undefined;
      }
    | {
        billingMode: 'subscription';
        creditAmount?: null | undefined;
        /** Required for subscription, and only there. */
        recurringInterval: 'day' | 'week' | 'month' | 'year';
        /** Only for subscription; default 1. */
        recurringIntervalCount?: number | null | undefined;
      }
  );

export interface Price {
  id: string;
  projectId: string;
  productId: string;
  name: string | null;
  unitAmountCents: Int64;
  /** Always USD, paid in USDC. */
  currency: string;
  billingMode: 'one_time' | 'balance_top_up' | 'subscription';
  /** What a balance_top_up adds to the customer’s credits. */
  creditAmount: Int64 | null;
  recurringInterval: 'day' | 'week' | 'month' | 'year' | null;
  /** 6 with `month` is twice a year. */
  recurringIntervalCount: number | null;
  /** false: it can no longer be bought. Existing subscriptions keep it. */
  isActive: boolean;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** Your own name for it, unique in the project. */
  lookupKey: string | null;
  /** How many days a new subscription is free at first. */
  trialDays: number | null;
  /** Whether the amount contains tax (inclusive), or tax is added (exclusive). */
  taxBehavior: 'none' | 'inclusive' | 'exclusive';
  /** Null: the project’s default for the buyer’s country. */
  taxRateId: string | null;
}

export interface ExpandedPrice {
  id: string;
  projectId: string;
  productId: string;
  name: string | null;
  unitAmountCents: Int64;
  /** Always USD, paid in USDC. */
  currency: string;
  billingMode: 'one_time' | 'balance_top_up' | 'subscription';
  /** What a balance_top_up adds to the customer’s credits. */
  creditAmount: Int64 | null;
  recurringInterval: 'day' | 'week' | 'month' | 'year' | null;
  /** 6 with `month` is twice a year. */
  recurringIntervalCount: number | null;
  /** false: it can no longer be bought. Existing subscriptions keep it. */
  isActive: boolean;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** Your own name for it, unique in the project. */
  lookupKey: string | null;
  /** How many days a new subscription is free at first. */
  trialDays: number | null;
  /** Whether the amount contains tax (inclusive), or tax is added (exclusive). */
  taxBehavior: 'none' | 'inclusive' | 'exclusive';
  /** Null: the project’s default for the buyer’s country. */
  taxRateId: string | null;
  product?: Product;
}

export interface UpdatePriceRequest {
  name?: string | null | undefined;
  /** Your own name for it, unique in the project, to find it by; no space at either end. */
  lookupKey?: string | null | undefined;
  /** false: it can no longer be bought. */
  isActive?: boolean | undefined;
  /** Whether the amount contains tax (inclusive), tax is added to it (exclusive), or neither (none, the default). Once it is not none, it stays. */
  taxBehavior?: 'none' | 'inclusive' | 'exclusive' | undefined;
  /** A tax rate of the project. Null: its default for the buyer’s country. */
  taxRateId?: string | null | undefined;
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface WebhookAttempt {
  /** 1 for the first. */
  number: number;
  startedAt: string;
  durationMs: number;
  /** null without a response. */
  httpStatus: number | null;
  /** null when it was accepted. */
  error: string | null;
}

export interface WebhookDelivery {
  id: string;
  /** The event: the same in every attempt and resend. */
  eventId: string;
  event: string;
  /** `pending` before the first attempt, `failed` when there will be no other. */
  status: 'pending' | 'succeeded' | 'retrying' | 'failed';
  /** Where the last attempt went. */
  url: string;
  attempts: WebhookAttempt[];
  /** Of the last attempt. */
  httpStatus: number | null;
  /** The error of the last attempt, or why the delivery failed. */
  error: string | null;
  /** Of the last attempt. */
  durationMs: number | null;
  /** The exact text that is sent and signed. */
  requestBody: string | null;
  /** The response to the last attempt, truncated. */
  responseBody: string | null;
  /** null when there will be none. */
  nextAttemptAt: string | null;
  /** The delivery that this one repeats. */
  resendOf: string | null;
  createdAt: string;
  deliveredAt: string | null;
  /** The webhook endpoint it goes to. */
  endpointId: string;
}

export interface CreateWebhookEndpointRequest {
  /** The same rules as for the webhookUrl. */
  url: string;
  /** For yourself. */
  name?: string | null | undefined;
  /** The names of the events that are sent. Null: every event but `payment_intent.created`, which is sent only where it is named. */
  eventTypes?:
    | readonly (
        | 'payment_intent.created'
        | 'payment_intent.succeeded'
        | 'payment_intent.underpaid'
        | 'payment_intent.failed'
        | 'payment_intent.expired'
        | 'payment_intent.updated'
        | 'invoice.created'
        | 'invoice.upcoming'
        | 'invoice.paid'
        | 'invoice.underpaid'
        | 'invoice.refunded'
        | 'invoice.overdue'
        | 'invoice.voided'
        | 'invoice.uncollectible'
        | 'invoice.updated'
        | 'checkout.session.created'
        | 'checkout.session.processing'
        | 'checkout.session.completed'
        | 'checkout.session.expired'
        | 'checkout.session.canceled'
        | 'checkout.session.updated'
        | 'subscription.created'
        | 'subscription.activated'
        | 'subscription.incomplete_expired'
        | 'subscription.trial_will_end'
        | 'subscription.renewal_due'
        | 'subscription.renewed'
        | 'subscription.past_due'
        | 'subscription.updated'
        | 'subscription.canceled'
        | 'subscription.reactivated'
        | 'customer.created'
        | 'customer.updated'
        | 'customer.deleted'
        | 'customer.balance_credited'
        | 'customer.balance_debited'
        | 'customer.balance_adjusted'
        | 'customer.balance_low'
        | 'customer.balance_depleted'
        | 'refund.created'
        | 'refund.address_received'
        | 'refund.updated'
        | 'refund.processing'
        | 'refund.succeeded'
        | 'refund.canceled'
        | 'refund.expired'
        | 'refund_request.created'
        | 'refund_request.approved'
        | 'refund_request.declined'
        | 'exception.created'
        | 'exception.resolved'
        | 'exception.reopened'
        | 'payout_address.changed'
        | 'webhook_endpoint.test'
        | 'notification.test'
        | 'notification.summary'
      )[]
    | null
    | undefined;
  isActive?: boolean | undefined;
}

export interface NewWebhookEndpoint {
  id: string;
  /** For yourself. */
  name: string | null;
  url: string;
  /** The names of the events that are sent. Null: every event but `payment_intent.created`, which is sent only where it is named. */
  eventTypes: string[] | null;
  /** Whether events are sent. What happens while it is false is not sent later. */
  isActive: boolean;
  /** Whether it is the `webhookUrl` of the merchant profile. */
  isFirst: boolean;
  createdAt: string;
  /** Signs what is sent to this endpoint. Shown this once. */
  webhookSecret: string;
}

export interface WebhookEndpoint {
  id: string;
  /** For yourself. */
  name: string | null;
  url: string;
  /** The names of the events that are sent. Null: every event but `payment_intent.created`, which is sent only where it is named. */
  eventTypes: string[] | null;
  /** Whether events are sent. What happens while it is false is not sent later. */
  isActive: boolean;
  /** Whether it is the `webhookUrl` of the merchant profile. */
  isFirst: boolean;
  createdAt: string;
}

export interface UpdateWebhookEndpointRequest {
  /** The same rules as for the webhookUrl. */
  url?: string | undefined;
  /** For yourself. */
  name?: string | null | undefined;
  /** The names of the events that are sent. Null: every event but `payment_intent.created`, which is sent only where it is named. */
  eventTypes?:
    | readonly (
        | 'payment_intent.created'
        | 'payment_intent.succeeded'
        | 'payment_intent.underpaid'
        | 'payment_intent.failed'
        | 'payment_intent.expired'
        | 'payment_intent.updated'
        | 'invoice.created'
        | 'invoice.upcoming'
        | 'invoice.paid'
        | 'invoice.underpaid'
        | 'invoice.refunded'
        | 'invoice.overdue'
        | 'invoice.voided'
        | 'invoice.uncollectible'
        | 'invoice.updated'
        | 'checkout.session.created'
        | 'checkout.session.processing'
        | 'checkout.session.completed'
        | 'checkout.session.expired'
        | 'checkout.session.canceled'
        | 'checkout.session.updated'
        | 'subscription.created'
        | 'subscription.activated'
        | 'subscription.incomplete_expired'
        | 'subscription.trial_will_end'
        | 'subscription.renewal_due'
        | 'subscription.renewed'
        | 'subscription.past_due'
        | 'subscription.updated'
        | 'subscription.canceled'
        | 'subscription.reactivated'
        | 'customer.created'
        | 'customer.updated'
        | 'customer.deleted'
        | 'customer.balance_credited'
        | 'customer.balance_debited'
        | 'customer.balance_adjusted'
        | 'customer.balance_low'
        | 'customer.balance_depleted'
        | 'refund.created'
        | 'refund.address_received'
        | 'refund.updated'
        | 'refund.processing'
        | 'refund.succeeded'
        | 'refund.canceled'
        | 'refund.expired'
        | 'refund_request.created'
        | 'refund_request.approved'
        | 'refund_request.declined'
        | 'exception.created'
        | 'exception.resolved'
        | 'exception.reopened'
        | 'payout_address.changed'
        | 'webhook_endpoint.test'
        | 'notification.test'
        | 'notification.summary'
      )[]
    | null
    | undefined;
  isActive?: boolean | undefined;
}

export interface WebhookEndpointTest {
  /** Of the event that is about to be sent. */
  eventId: string;
}

export interface CreateNotificationRequest {
  /** `https` is any other server: it gets the sentence as JSON. */
  kind: 'slack' | 'discord' | 'telegram' | 'https' | 'email';
  /** For `slack`, `discord` and `https`, the URL that takes the message; for `telegram`, `https://api.telegram.org/bot<token>`. The same rules as for the webhookUrl. It is kept sealed and never shown. */
  url?: string | undefined;
  /** For `telegram`: the id of a chat, or the `@name` of a channel. */
  chatId?: string | undefined;
  /** For `email`: the address of a member who can sign in. */
  memberEmail?: string | undefined;
  /** For yourself. */
  name?: string | null | undefined;
  /** The names of the events. Without them: `payment_intent.succeeded`, `payment_intent.failed`, `exception.created`, `refund_request.created`, `subscription.past_due`, `payout_address.changed`. */
  eventTypes?:
    | readonly (
        | 'payment_intent.succeeded'
        | 'payment_intent.underpaid'
        | 'payment_intent.failed'
        | 'payment_intent.expired'
        | 'invoice.paid'
        | 'invoice.refunded'
        | 'invoice.overdue'
        | 'invoice.uncollectible'
        | 'checkout.session.completed'
        | 'checkout.session.expired'
        | 'subscription.activated'
        | 'subscription.trial_will_end'
        | 'subscription.renewed'
        | 'subscription.past_due'
        | 'subscription.canceled'
        | 'subscription.reactivated'
        | 'customer.balance_depleted'
        | 'refund.address_received'
        | 'refund.succeeded'
        | 'refund.expired'
        | 'refund_request.created'
        | 'exception.created'
        | 'exception.resolved'
        | 'payout_address.changed'
        | 'notification.summary'
      )[]
    | undefined;
  isActive?: boolean | undefined;
  /** At which hour the daily `notification.summary` is sent. Default: 8. */
  summaryHour?: number | undefined;
  /** Where it is that hour, such as `Europe/Berlin`. Default: `UTC`. */
  summaryTimeZone?: string | undefined;
}

export interface Notification {
  id: string;
  kind: 'slack' | 'discord' | 'telegram' | 'https' | 'email';
  /** For yourself. */
  name: string | null;
  /** Where it goes, without what must stay secret: the path of a URL is never shown. */
  destination: string;
  /** Of a Telegram chat. */
  chatId: string | null;
  /** Of the member who gets the e-mails. */
  memberEmail: string | null;
  /** The names of the events that are sent. */
  eventTypes: string[];
  /** At which hour the daily `notification.summary` is sent, if it is chosen. */
  summaryHour: number;
  summaryTimeZone: string;
  /** Whether anything is sent. What happens while it is false is not sent later. */
  isActive: boolean;
  createdAt: string;
}

export interface UpdateNotificationRequest {
  /** For `slack`, `discord` and `https`, the URL that takes the message; for `telegram`, `https://api.telegram.org/bot<token>`. The same rules as for the webhookUrl. It is kept sealed and never shown. */
  url?: string | undefined;
  /** For `telegram`: the id of a chat, or the `@name` of a channel. */
  chatId?: string | undefined;
  /** For `email`: the address of a member who can sign in. */
  memberEmail?: string | undefined;
  /** For yourself. */
  name?: string | null | undefined;
  /** The names of the events. Without them: `payment_intent.succeeded`, `payment_intent.failed`, `exception.created`, `refund_request.created`, `subscription.past_due`, `payout_address.changed`. */
  eventTypes?:
    | readonly (
        | 'payment_intent.succeeded'
        | 'payment_intent.underpaid'
        | 'payment_intent.failed'
        | 'payment_intent.expired'
        | 'invoice.paid'
        | 'invoice.refunded'
        | 'invoice.overdue'
        | 'invoice.uncollectible'
        | 'checkout.session.completed'
        | 'checkout.session.expired'
        | 'subscription.activated'
        | 'subscription.trial_will_end'
        | 'subscription.renewed'
        | 'subscription.past_due'
        | 'subscription.canceled'
        | 'subscription.reactivated'
        | 'customer.balance_depleted'
        | 'refund.address_received'
        | 'refund.succeeded'
        | 'refund.expired'
        | 'refund_request.created'
        | 'exception.created'
        | 'exception.resolved'
        | 'payout_address.changed'
        | 'notification.summary'
      )[]
    | undefined;
  isActive?: boolean | undefined;
  /** At which hour the daily `notification.summary` is sent. Default: 8. */
  summaryHour?: number | undefined;
  /** Where it is that hour, such as `Europe/Berlin`. Default: `UTC`. */
  summaryTimeZone?: string | undefined;
}

export interface NotificationTest {
  /** Of the event that is about to be sent. */
  eventId: string;
}

export interface AdjustBalanceRequest {
  /** Prepaid credits to add; negative to deduct. */
  deltaCredits?: Int64 | undefined;
  /** Account credit to add, in cents; negative to deduct. */
  deltaCents?: Int64 | undefined;
  /** Stored with the entry. */
  reason: string;
}

export interface BalanceEntry {
  id: string;
  projectId: string;
  customerId: string;
  /** Where the credit came from, or went to. */
  kind: 'top_up' | 'usage' | 'adjustment' | 'invoice' | 'stray_payment' | 'plan_change' | 'refund';
  /** Prepaid credits added; negative if deducted. */
  deltaCredits: Int64;
  /** Prepaid credits afterwards. */
  creditBalance: Int64;
  /** Account credit added, in cents; negative if deducted. */
  deltaCents: Int64;
  /** Account credit afterwards, in cents. */
  accountCreditCents: Int64;
  reason: string | null;
  invoiceId: string | null;
  usageRecordId: string | null;
  /** The entry that this one reverses. */
  reversesId: string | null;
  createdAt: string;
}

export interface InvoiceLine {
  description: string;
  quantity: Int64;
  unitAmountCents: Int64;
  amountCents: Int64;
  /** Its share of the discount. */
  discountCents: Int64;
  tax: {
    /** Null for reverse charge. */
    taxRateId: string | null;
    name: string;
    percent: number;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string;
    /** As in electronic invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax. Only S has a percentage. */
    category: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';
    /** Whether the amounts contain it, or it is added to them. */
    behavior: 'inclusive' | 'exclusive';
  } | null;
  /** Its share of the tax: contained in the amount, or added to it. */
  taxCents: Int64;
  priceId: string | null;
  periodStart: string | null;
  periodEnd: string | null;
}

export interface RateTotal {
  /** Null for reverse charge. */
  taxRateId: string | null;
  name: string;
  percent: number;
  /** A country code as in ISO 3166-1, such as DE. */
  country: string;
  /** As in electronic invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax. Only S has a percentage. */
  category: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';
  /** Whether the amounts contain it, or it is added to them. */
  behavior: 'inclusive' | 'exclusive';
  /** What it is taken of, without the tax. */
  taxableCents: Int64;
  taxCents: Int64;
}

export interface InvoiceDraftItem {
  priceId: string | null;
  name: string | null;
  unitAmountCents: Int64 | null;
  quantity: number;
  taxBehavior: 'none' | 'inclusive' | 'exclusive' | null;
  taxRateId: string | null;
}

export interface ExpandedInvoice {
  id: string;
  /** Without gaps within a project. Null for a draft, and for a checkout of a payment link until its first money is final. */
  number: string | null;
  projectId: string;
  customerId: string | null;
  subscriptionId: string | null;
  checkoutSessionId: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  billingReason:
    | 'one_time'
    | 'balance_top_up'
    | 'subscription_create'
    | 'subscription_cycle'
    | 'subscription_change'
    | 'manual';
  currency: string;
  lines: InvoiceLine[];
  subtotalCents: Int64;
  discount: {
    id: string;
    name: string;
    /** The code it was given for. */
    promotionCode: string | null;
  } | null;
  discountCents: Int64;
  /** The tax by rate; an empty list where none is charged. */
  taxes: RateTotal[];
  /** All tax, contained in the amounts or added to them. */
  taxCents: Int64;
  /** What the law wants said, in the buyer’s language. */
  taxNotes: string[];
  seller: {
    legalName: string;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string;
    taxIds: TaxId[];
    /** In the register of companies. */
    registrationNumber: string | null;
  } | null;
  buyer: {
    name: string | null;
    email: string | null;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    isBusiness: boolean;
    taxIds: TaxId[];
  } | null;
  /** Account credit taken off the amount to pay. An invoice that is not paid in time gives it back, and takes it again when it is paid late. */
  creditAppliedCents: Int64;
  /** The amount to pay: the subtotal minus discount and credit, plus tax that it does not contain. */
  totalCents: Int64;
  /** All that finally arrived for it, without money that became account credit. */
  amountPaidCents: Int64;
  /** What was sent back of it, as its credit notes say. */
  refundedCents: Int64;
  /** The amount still due. */
  amountDueCents: Int64;
  isOverdue: boolean;
  dueAt: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  /** The latest transaction that brought money. */
  txSignature: string | null;
  paidAt: string | null;
  createdAt: string;
  /** The date of the invoice. Null for a draft. */
  openedAt: string | null;
  /** A note to the customer. */
  memo: string | null;
  /** Where the customer pays an invoice that was made by hand. */
  checkoutUrl: string | null;
  /** When it was last sent to the customer by e-mail. */
  sentAt: string | null;
  draft: {
    lineItems: InvoiceDraftItem[];
    /** How many days after it is opened it is due, where it has no dueAt. */
    netDays: number | null;
    discountId: string | null;
    promotionCode: string | null;
    /** Whether the customer gets it by e-mail when it is opened. */
    send: boolean;
  } | null;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** What you waived of it when you accepted less as paid. */
  waivedCents: Int64;
  /** When the customer was last reminded of the rest by e-mail. */
  remindedAt: string | null;
  customer?: {
    id: string;
    projectId: string;
    /** Your own id for the customer, unique in the project. */
    externalCustomerId: string | null;
    email: string | null;
    name: string | null;
    /** The customer’s language, such as en or de-AT, used for e-mails. */
    language: string | null;
    /** Prepaid units, from top-ups. */
    creditBalance: Int64;
    /** Money applied to the next renewal or plan change. */
    accountCreditCents: Int64;
    createdAt: string;
    /** Your own keys and values. Customers never see them. */
    metadata: Record<string, string>;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    /** Whether they buy for a business, which decides about tax. */
    isBusiness: boolean;
    taxIds: CustomerTaxId[];
    /** How the address is known: you set it, a link mailed to it was opened, or somebody typed it, which proves nothing. */
    emailSource: 'merchant' | 'mailbox' | 'typed' | null;
    /** Whom they were merged into: that customer’s details and balances are shown, and can be changed there. */
    mergedIntoCustomerId: string | null;
  } | null;
}

export interface LineItem {
  /** A price of the project. Either this, or name and unitAmountCents. */
  priceId?: string | undefined;
  /** What it is, as the customer reads it. */
  name?: string | undefined;
  /** What one of it costs. */
  unitAmountCents?: Int64 | undefined;
  /** Default 1. Of a subscription price: the seats, which its renewals keep. */
  quantity?: number | undefined;
  /** Of an item with a name; a price has its own. Default none. */
  taxBehavior?: 'none' | 'inclusive' | 'exclusive' | undefined;
  /** Of an item with a name. Null: the default of the buyer’s country. */
  taxRateId?: string | null | undefined;
}

export interface CreateInvoiceRequest {
  projectId: string;
  /** A customer of the project. */
  customerId: string;
  lineItems: readonly LineItem[];
  /** When it is due, within 365 days. Either this or netDays. */
  dueAt?: string | Date | null | undefined;
  /** How many days after it is opened it is due; default 30. */
  netDays?: number | null | undefined;
  /** A note to the customer, on the PDF and in the e-mail. */
  memo?: string | null | undefined;
  /** Your own name for what is billed. */
  merchantReference?: string | null | undefined;
  /** A discount of the project. */
  discountId?: string | null | undefined;
  /** A promotion code of the project, instead of discountId. */
  promotionCode?: string | null | undefined;
  /** Whether the customer gets it by e-mail when it is opened. Default false. */
  send?: boolean | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export interface Invoice {
  id: string;
  /** Without gaps within a project. Null for a draft, and for a checkout of a payment link until its first money is final. */
  number: string | null;
  projectId: string;
  customerId: string | null;
  subscriptionId: string | null;
  checkoutSessionId: string | null;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  billingReason:
    | 'one_time'
    | 'balance_top_up'
    | 'subscription_create'
    | 'subscription_cycle'
    | 'subscription_change'
    | 'manual';
  currency: string;
  lines: InvoiceLine[];
  subtotalCents: Int64;
  discount: {
    id: string;
    name: string;
    /** The code it was given for. */
    promotionCode: string | null;
  } | null;
  discountCents: Int64;
  /** The tax by rate; an empty list where none is charged. */
  taxes: RateTotal[];
  /** All tax, contained in the amounts or added to them. */
  taxCents: Int64;
  /** What the law wants said, in the buyer’s language. */
  taxNotes: string[];
  seller: {
    legalName: string;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string;
    taxIds: TaxId[];
    /** In the register of companies. */
    registrationNumber: string | null;
  } | null;
  buyer: {
    name: string | null;
    email: string | null;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    isBusiness: boolean;
    taxIds: TaxId[];
  } | null;
  /** Account credit taken off the amount to pay. An invoice that is not paid in time gives it back, and takes it again when it is paid late. */
  creditAppliedCents: Int64;
  /** The amount to pay: the subtotal minus discount and credit, plus tax that it does not contain. */
  totalCents: Int64;
  /** All that finally arrived for it, without money that became account credit. */
  amountPaidCents: Int64;
  /** What was sent back of it, as its credit notes say. */
  refundedCents: Int64;
  /** The amount still due. */
  amountDueCents: Int64;
  isOverdue: boolean;
  dueAt: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  /** The latest transaction that brought money. */
  txSignature: string | null;
  paidAt: string | null;
  createdAt: string;
  /** The date of the invoice. Null for a draft. */
  openedAt: string | null;
  /** A note to the customer. */
  memo: string | null;
  /** Where the customer pays an invoice that was made by hand. */
  checkoutUrl: string | null;
  /** When it was last sent to the customer by e-mail. */
  sentAt: string | null;
  draft: {
    lineItems: InvoiceDraftItem[];
    /** How many days after it is opened it is due, where it has no dueAt. */
    netDays: number | null;
    discountId: string | null;
    promotionCode: string | null;
    /** Whether the customer gets it by e-mail when it is opened. */
    send: boolean;
  } | null;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** What you waived of it when you accepted less as paid. */
  waivedCents: Int64;
  /** When the customer was last reminded of the rest by e-mail. */
  remindedAt: string | null;
}

export interface UpdateInvoiceRequest {
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
  /** Of a draft, like everything but the metadata. */
  customerId?: string | undefined;
  lineItems?: readonly LineItem[] | undefined;
  /** When it is due, within 365 days. Either this or netDays. */
  dueAt?: string | Date | null | undefined;
  /** How many days after it is opened it is due; default 30. */
  netDays?: number | null | undefined;
  /** A note to the customer, on the PDF and in the e-mail. */
  memo?: string | null | undefined;
  /** Your own name for what is billed. */
  merchantReference?: string | null | undefined;
  /** A discount of the project. */
  discountId?: string | null | undefined;
  /** A promotion code of the project, instead of discountId. */
  promotionCode?: string | null | undefined;
  /** Whether the customer gets it by e-mail when it is opened. Default false. */
  send?: boolean | undefined;
}

export interface CreateTaxRateRequest {
  projectId: string;
  /** As customers read it, such as VAT. */
  name: string;
  /** 0 to 100, with at most four decimals. */
  percent: number;
  /** A country code as in ISO 3166-1, such as DE. */
  country: string;
  /** As in electronic invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax. Only S has a percentage. The default is S, or Z for 0 %. */
  category?: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O' | undefined;
  /** Prices without a rate of their own get it for buyers in its country. A country has one default. */
  isDefault?: boolean | undefined;
}

export interface TaxRate {
  id: string;
  projectId: string;
  name: string;
  percent: number;
  /** A country code as in ISO 3166-1, such as DE. */
  country: string;
  /** As in electronic invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax. Only S has a percentage. */
  category: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O';
  /** Prices without a rate of their own get it for buyers in its country. */
  isDefault: boolean;
  /** false: it is archived. Prices that have it keep it. */
  isActive: boolean;
  createdAt: string;
}

export interface UpdateTaxRateRequest {
  name?: string | undefined;
  /** Prices without a rate of their own get it for buyers in its country. A country has one default. */
  isDefault?: boolean | undefined;
  /** false archives it: prices that have it keep it, and no other price gets it. */
  isActive?: boolean | undefined;
}

export interface CreateDiscountRequest {
  projectId: string;
  /** As customers read it. */
  name: string;
  /** 0.01 to 100, with at most two decimals. Either this or amountOffCents. */
  percentOff?: number | null | undefined;
  /** At most the price: nothing is owed back. */
  amountOffCents?: Int64 | null | undefined;
  /** For subscriptions: the first period (default), several periods, or all of them. */
  duration?: 'once' | 'periods' | 'forever' | undefined;
  /** For duration periods: how many, with the first. */
  durationPeriods?: number | null | undefined;
  productIds?: readonly string[] | null | undefined;
  /** It is not given before. */
  startsAt?: string | Date | null | undefined;
  /** It is not given from then on. Those who have it keep it. */
  endsAt?: string | Date | null | undefined;
  /** The most checkouts that can have it. */
  maxRedemptions?: number | null | undefined;
  /** The most checkouts of one customer that can have it. */
  maxPerCustomer?: number | null | undefined;
}

export interface Discount {
  id: string;
  projectId: string;
  name: string;
  percentOff: number | null;
  amountOffCents: Int64 | null;
  duration: 'once' | 'periods' | 'forever';
  durationPeriods: number | null;
  productIds: string[] | null;
  startsAt: string | null;
  endsAt: string | null;
  maxRedemptions: number | null;
  maxPerCustomer: number | null;
  /** Checkouts that have it: open or paid. */
  redemptionsCount: number;
  isActive: boolean;
  createdAt: string;
}

export interface UpdateDiscountRequest {
  name?: string | undefined;
  /** false: it is no longer given. */
  isActive?: boolean | undefined;
  /** It is not given before. */
  startsAt?: string | Date | null | undefined;
  /** It is not given from then on. Those who have it keep it. */
  endsAt?: string | Date | null | undefined;
  /** The most checkouts that can have it. */
  maxRedemptions?: number | null | undefined;
  /** The most checkouts of one customer that can have it. */
  maxPerCustomer?: number | null | undefined;
}

export interface CreatePromotionCodeRequest {
  discountId: string;
  /** Letters, digits, - and _; upper and lower case mean the same. */
  code?: string | undefined;
}

export interface PromotionCode {
  id: string;
  projectId: string;
  discountId: string;
  code: string;
  isActive: boolean;
  createdAt: string;
}

export interface UpdatePromotionCodeRequest {
  /** false: it can no longer be entered. */
  isActive?: boolean | undefined;
}

/** Fields of every CreateCheckoutSessionRequest. */
export interface CreateCheckoutSessionRequestFields {
  projectId: string;
  /** A discount of the project. */
  discountId?: string | null | undefined;
  /** A promotion code of the project, instead of discountId. */
  promotionCode?: string | null | undefined;
  /** The customer can enter a promotion code on the page. */
  allowPromotionCodes?: boolean | undefined;
  /** Buyers can add a tip on the page: one of these percentages, or any amount. An empty list offers none. */
  tipPercents?: readonly number[] | undefined;
  /** For subscription: how many days are free at first, instead of the price’s trialDays; 0: none. A customer who has had a trial of the product is refused another. */
  trialDays?: number | null | undefined;
  currency?: 'USD' | 'USDC' | undefined;
  /** Your own name for what is bought. */
  merchantReference?: string | null | undefined;
  /** Where the customer goes after paying. */
  successUrl?: string | null | undefined;
  /** Where the customer goes instead of paying. */
  cancelUrl?: string | null | undefined;
  /** A customer of the project. Either this or externalCustomerId, or neither. */
  customerId?: string | null | undefined;
  /** Your own id for the customer, who is found or created. */
  externalCustomerId?: string | null | undefined;
  customerEmail?: string | null | undefined;
  customerName?: string | null | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export type CreateCheckoutSessionRequest = CreateCheckoutSessionRequestFields &
  (
    | {
        mode: 'one_time';
        /** Your own amount, for one_time. */
        amountCents: Int64;
        priceId?: undefined;
        lineItems?: undefined;
      }
    | {
        mode: 'one_time';
        amountCents?: undefined;
        /** A price of the project whose billingMode is the mode. Either this, amountCents or lineItems. */
        priceId: string;
        lineItems?: undefined;
      }
    | {
        mode: 'one_time';
        amountCents?: undefined;
        priceId?: undefined;
        lineItems: readonly LineItem[];
      }
    | ({
        mode: 'one_time' | 'balance_top_up' | 'subscription';
        amountCents?: undefined;
        /** A price of the project whose billingMode is the mode. Either this, amountCents or lineItems. */
        priceId: string;
        lineItems?: undefined;
      } & ({ externalCustomerId: string } | { customerEmail: string } | { customerName: string }))
    | ({
        mode: 'one_time' | 'balance_top_up' | 'subscription';
        amountCents?: undefined;
        priceId?: undefined;
        lineItems: readonly LineItem[];
      } & ({ externalCustomerId: string } | { customerEmail: string } | { customerName: string }))
  );

export interface CheckoutSessionLine {
  priceId: string | null;
  description: string;
  quantity: Int64;
  unitAmountCents: Int64;
  amountCents: Int64;
  /** Its share of the discount. */
  discountCents: Int64;
  /** Its share of the tax: contained in the amount, or added to it. */
  taxCents: Int64;
}

export interface CheckoutSession {
  id: string;
  projectId: string;
  mode: 'one_time' | 'balance_top_up' | 'subscription';
  status: 'open' | 'complete' | 'expired' | 'canceled';
  paymentStatus: 'unpaid' | 'processing' | 'underpaid' | 'paid';
  priceId: string | null;
  amountCents: Int64;
  currency: string;
  lineItems: CheckoutSessionLine[];
  discount: {
    id: string;
    name: string;
    /** The code it was given for. */
    promotionCode: string | null;
  } | null;
  discountCents: Int64;
  /** The tax by rate; an empty list where none is charged. */
  taxes: RateTotal[];
  /** All tax, contained in the amounts or added to them. */
  taxCents: Int64;
  /** Whether the customer can enter a promotion code on the page. */
  allowPromotionCodes: boolean;
  /** What has finally arrived so far. */
  amountReceivedCents: Int64;
  /** For a payment link: null until the first money is final. */
  customerId: string | null;
  externalCustomerId: string | null;
  customerEmail: string | null;
  customerName: string | null;
  /** Your own name for what is bought. */
  merchantReference: string | null;
  /** A label the browser sent; not proof of identity. */
  clientReferenceId: string | null;
  paymentLinkId: string | null;
  invoiceId: string;
  /** For a payment link: null until the first money is final. */
  subscriptionId: string | null;
  paymentIntentId: string;
  /** The hosted page to send the customer to. */
  checkoutUrl: string;
  successUrl: string | null;
  cancelUrl: string | null;
  expiresAt: string;
  completedAt: string | null;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** How many days of the subscription are free at first; null: it has no trial. */
  trialDays: number | null;
  /** What tips the page offers; an empty list where none can be added. */
  tipPercents: number[];
  /** The tip the customer added; it is the last of the lineItems. */
  tipCents: Int64;
}

export interface ExpandedCheckoutSession {
  id: string;
  projectId: string;
  mode: 'one_time' | 'balance_top_up' | 'subscription';
  status: 'open' | 'complete' | 'expired' | 'canceled';
  paymentStatus: 'unpaid' | 'processing' | 'underpaid' | 'paid';
  priceId: string | null;
  amountCents: Int64;
  currency: string;
  lineItems: CheckoutSessionLine[];
  discount: {
    id: string;
    name: string;
    /** The code it was given for. */
    promotionCode: string | null;
  } | null;
  discountCents: Int64;
  /** The tax by rate; an empty list where none is charged. */
  taxes: RateTotal[];
  /** All tax, contained in the amounts or added to them. */
  taxCents: Int64;
  /** Whether the customer can enter a promotion code on the page. */
  allowPromotionCodes: boolean;
  /** What has finally arrived so far. */
  amountReceivedCents: Int64;
  /** For a payment link: null until the first money is final. */
  customerId: string | null;
  externalCustomerId: string | null;
  customerEmail: string | null;
  customerName: string | null;
  /** Your own name for what is bought. */
  merchantReference: string | null;
  /** A label the browser sent; not proof of identity. */
  clientReferenceId: string | null;
  paymentLinkId: string | null;
  invoiceId: string;
  /** For a payment link: null until the first money is final. */
  subscriptionId: string | null;
  paymentIntentId: string;
  /** The hosted page to send the customer to. */
  checkoutUrl: string;
  successUrl: string | null;
  cancelUrl: string | null;
  expiresAt: string;
  completedAt: string | null;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** How many days of the subscription are free at first; null: it has no trial. */
  trialDays: number | null;
  /** What tips the page offers; an empty list where none can be added. */
  tipPercents: number[];
  /** The tip the customer added; it is the last of the lineItems. */
  tipCents: Int64;
  customer?: {
    id: string;
    projectId: string;
    /** Your own id for the customer, unique in the project. */
    externalCustomerId: string | null;
    email: string | null;
    name: string | null;
    /** The customer’s language, such as en or de-AT, used for e-mails. */
    language: string | null;
    /** Prepaid units, from top-ups. */
    creditBalance: Int64;
    /** Money applied to the next renewal or plan change. */
    accountCreditCents: Int64;
    createdAt: string;
    /** Your own keys and values. Customers never see them. */
    metadata: Record<string, string>;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    /** Whether they buy for a business, which decides about tax. */
    isBusiness: boolean;
    taxIds: CustomerTaxId[];
    /** How the address is known: you set it, a link mailed to it was opened, or somebody typed it, which proves nothing. */
    emailSource: 'merchant' | 'mailbox' | 'typed' | null;
    /** Whom they were merged into: that customer’s details and balances are shown, and can be changed there. */
    mergedIntoCustomerId: string | null;
  } | null;
  price?: {
    id: string;
    projectId: string;
    productId: string;
    name: string | null;
    unitAmountCents: Int64;
    /** Always USD, paid in USDC. */
    currency: string;
    billingMode: 'one_time' | 'balance_top_up' | 'subscription';
    /** What a balance_top_up adds to the customer’s credits. */
    creditAmount: Int64 | null;
    recurringInterval: 'day' | 'week' | 'month' | 'year' | null;
    /** 6 with `month` is twice a year. */
    recurringIntervalCount: number | null;
    /** false: it can no longer be bought. Existing subscriptions keep it. */
    isActive: boolean;
    createdAt: string;
    /** Your own keys and values. Customers never see them. */
    metadata: Record<string, string>;
    /** Your own name for it, unique in the project. */
    lookupKey: string | null;
    /** How many days a new subscription is free at first. */
    trialDays: number | null;
    /** Whether the amount contains tax (inclusive), or tax is added (exclusive). */
    taxBehavior: 'none' | 'inclusive' | 'exclusive';
    /** Null: the project’s default for the buyer’s country. */
    taxRateId: string | null;
    product?: Product;
  } | null;
  invoice?: Invoice;
  subscription?: {
    id: string;
    projectId: string;
    customerId: string;
    priceId: string;
    /** How many of the plan: its seats. */
    quantity: number;
    /** The discount of its next periods. */
    discountId: string | null;
    /** For how many periods that are not paid yet; null: always. */
    discountPeriodsLeft: number | null;
    status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
    currentPeriodStart: string | null;
    currentPeriodEnd: string | null;
    cancelAtPeriodEnd: boolean;
    canceledAt: string | null;
    cancelReason: 'requested' | 'payment_overdue' | null;
    /** An unpaid renewal ends the subscription at this moment. */
    graceEndsAt: string | null;
    pendingChange: {
      /** The price it will change to. */
      priceId: string;
      /** How many of it. */
      quantity: number;
      /** When it takes effect; null while it is awaiting payment. */
      effectiveAt: string | null;
      prorationBehavior: 'charge_now' | 'reset' | 'next_period';
      amountDueCents: Int64;
      invoiceId: string | null;
      /** Where the customer confirms it by paying. */
      checkoutUrl: string | null;
      /** If it is not paid by then, it is dropped. */
      expiresAt: string | null;
    } | null;
    /** The latest invoice: at first that of the first period. */
    latestInvoiceId: string | null;
    /** Where the customer pays the renewal, for as long as it can be paid: up to 30 days after it ended the subscription. */
    renewalCheckoutUrl: string | null;
    /** Where the customer goes after paying a renewal or change. */
    successUrl: string | null;
    /** Where the customer goes instead of paying. */
    cancelUrl: string | null;
    /** Whether the customer may use what they pay for. */
    hasAccess: boolean;
    /** As known now; includes a prepaid period. */
    accessUntil: string | null;
    createdAt: string;
    /** Your own keys and values. Customers never see them. */
    metadata: Record<string, string>;
    /** Your own id for the customer. */
    externalCustomerId: string | null;
    /** Your own name for what is bought, as the checkout said; renewals carry it. */
    merchantReference: string | null;
    /** A label the browser sent with the checkout; not proof of identity. */
    clientReferenceId: string | null;
    /** When its trial ends, or ended; null: it has none. */
    trialEndsAt: string | null;
  } | null;
}

export interface UpdateCheckoutSessionRequest {
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface ExpandedSubscription {
  id: string;
  projectId: string;
  customerId: string;
  priceId: string;
  /** How many of the plan: its seats. */
  quantity: number;
  /** The discount of its next periods. */
  discountId: string | null;
  /** For how many periods that are not paid yet; null: always. */
  discountPeriodsLeft: number | null;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
  currentPeriodStart: string | null;
  currentPeriodEnd: string | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: string | null;
  cancelReason: 'requested' | 'payment_overdue' | null;
  /** An unpaid renewal ends the subscription at this moment. */
  graceEndsAt: string | null;
  pendingChange: {
    /** The price it will change to. */
    priceId: string;
    /** How many of it. */
    quantity: number;
    /** When it takes effect; null while it is awaiting payment. */
    effectiveAt: string | null;
    prorationBehavior: 'charge_now' | 'reset' | 'next_period';
    amountDueCents: Int64;
    invoiceId: string | null;
    /** Where the customer confirms it by paying. */
    checkoutUrl: string | null;
    /** If it is not paid by then, it is dropped. */
    expiresAt: string | null;
  } | null;
  /** The latest invoice: at first that of the first period. */
  latestInvoiceId: string | null;
  /** Where the customer pays the renewal, for as long as it can be paid: up to 30 days after it ended the subscription. */
  renewalCheckoutUrl: string | null;
  /** Where the customer goes after paying a renewal or change. */
  successUrl: string | null;
  /** Where the customer goes instead of paying. */
  cancelUrl: string | null;
  /** Whether the customer may use what they pay for. */
  hasAccess: boolean;
  /** As known now; includes a prepaid period. */
  accessUntil: string | null;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** Your own id for the customer. */
  externalCustomerId: string | null;
  /** Your own name for what is bought, as the checkout said; renewals carry it. */
  merchantReference: string | null;
  /** A label the browser sent with the checkout; not proof of identity. */
  clientReferenceId: string | null;
  /** When its trial ends, or ended; null: it has none. */
  trialEndsAt: string | null;
  customer?: Customer;
  price?: ExpandedPrice;
  latestInvoice?: {
    id: string;
    /** Without gaps within a project. Null for a draft, and for a checkout of a payment link until its first money is final. */
    number: string | null;
    projectId: string;
    customerId: string | null;
    subscriptionId: string | null;
    checkoutSessionId: string | null;
    status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
    billingReason:
      | 'one_time'
      | 'balance_top_up'
      | 'subscription_create'
      | 'subscription_cycle'
      | 'subscription_change'
      | 'manual';
    currency: string;
    lines: InvoiceLine[];
    subtotalCents: Int64;
    discount: {
      id: string;
      name: string;
      /** The code it was given for. */
      promotionCode: string | null;
    } | null;
    discountCents: Int64;
    /** The tax by rate; an empty list where none is charged. */
    taxes: RateTotal[];
    /** All tax, contained in the amounts or added to them. */
    taxCents: Int64;
    /** What the law wants said, in the buyer’s language. */
    taxNotes: string[];
    seller: {
      legalName: string;
      address: {
        line1: string;
        line2: string | null;
        postalCode: string | null;
        city: string | null;
        state: string | null;
      } | null;
      /** A country code as in ISO 3166-1, such as DE. */
      country: string;
      taxIds: TaxId[];
      /** In the register of companies. */
      registrationNumber: string | null;
    } | null;
    buyer: {
      name: string | null;
      email: string | null;
      address: {
        line1: string;
        line2: string | null;
        postalCode: string | null;
        city: string | null;
        state: string | null;
      } | null;
      /** A country code as in ISO 3166-1, such as DE. */
      country: string | null;
      isBusiness: boolean;
      taxIds: TaxId[];
    } | null;
    /** Account credit taken off the amount to pay. An invoice that is not paid in time gives it back, and takes it again when it is paid late. */
    creditAppliedCents: Int64;
    /** The amount to pay: the subtotal minus discount and credit, plus tax that it does not contain. */
    totalCents: Int64;
    /** All that finally arrived for it, without money that became account credit. */
    amountPaidCents: Int64;
    /** What was sent back of it, as its credit notes say. */
    refundedCents: Int64;
    /** The amount still due. */
    amountDueCents: Int64;
    isOverdue: boolean;
    dueAt: string | null;
    periodStart: string | null;
    periodEnd: string | null;
    merchantReference: string | null;
    clientReferenceId: string | null;
    /** The latest transaction that brought money. */
    txSignature: string | null;
    paidAt: string | null;
    createdAt: string;
    /** The date of the invoice. Null for a draft. */
    openedAt: string | null;
    /** A note to the customer. */
    memo: string | null;
    /** Where the customer pays an invoice that was made by hand. */
    checkoutUrl: string | null;
    /** When it was last sent to the customer by e-mail. */
    sentAt: string | null;
    draft: {
      lineItems: InvoiceDraftItem[];
      /** How many days after it is opened it is due, where it has no dueAt. */
      netDays: number | null;
      discountId: string | null;
      promotionCode: string | null;
      /** Whether the customer gets it by e-mail when it is opened. */
      send: boolean;
    } | null;
    /** Your own keys and values. Customers never see them. */
    metadata: Record<string, string>;
    /** What you waived of it when you accepted less as paid. */
    waivedCents: Int64;
    /** When the customer was last reminded of the rest by e-mail. */
    remindedAt: string | null;
  } | null;
}

export interface CancelSubscriptionRequest {
  /** true (default): it ends with the last paid period. false: it ends now. */
  atPeriodEnd?: boolean | undefined;
}

export interface Subscription {
  id: string;
  projectId: string;
  customerId: string;
  priceId: string;
  /** How many of the plan: its seats. */
  quantity: number;
  /** The discount of its next periods. */
  discountId: string | null;
  /** For how many periods that are not paid yet; null: always. */
  discountPeriodsLeft: number | null;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
  currentPeriodStart: string | null;
  currentPeriodEnd: string | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: string | null;
  cancelReason: 'requested' | 'payment_overdue' | null;
  /** An unpaid renewal ends the subscription at this moment. */
  graceEndsAt: string | null;
  pendingChange: {
    /** The price it will change to. */
    priceId: string;
    /** How many of it. */
    quantity: number;
    /** When it takes effect; null while it is awaiting payment. */
    effectiveAt: string | null;
    prorationBehavior: 'charge_now' | 'reset' | 'next_period';
    amountDueCents: Int64;
    invoiceId: string | null;
    /** Where the customer confirms it by paying. */
    checkoutUrl: string | null;
    /** If it is not paid by then, it is dropped. */
    expiresAt: string | null;
  } | null;
  /** The latest invoice: at first that of the first period. */
  latestInvoiceId: string | null;
  /** Where the customer pays the renewal, for as long as it can be paid: up to 30 days after it ended the subscription. */
  renewalCheckoutUrl: string | null;
  /** Where the customer goes after paying a renewal or change. */
  successUrl: string | null;
  /** Where the customer goes instead of paying. */
  cancelUrl: string | null;
  /** Whether the customer may use what they pay for. */
  hasAccess: boolean;
  /** As known now; includes a prepaid period. */
  accessUntil: string | null;
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  /** Your own id for the customer. */
  externalCustomerId: string | null;
  /** Your own name for what is bought, as the checkout said; renewals carry it. */
  merchantReference: string | null;
  /** A label the browser sent with the checkout; not proof of identity. */
  clientReferenceId: string | null;
  /** When its trial ends, or ended; null: it has none. */
  trialEndsAt: string | null;
}

export interface PreviewSubscriptionChangeRequest {
  /** The price to change to; default: the current one, with another quantity. */
  priceId?: string | undefined;
  /** How many of it; default: as many as now. */
  quantity?: number | undefined;
  prorationBehavior?: 'auto' | 'charge_now' | 'next_period' | 'reset' | 'none' | undefined;
  /** The time the change is calculated for, within the current period; default now. In the future only with `next_period` or `none`. */
  prorationDate?: string | Date | undefined;
}

export interface NextInvoice {
  date: string;
  amountCents: Int64;
}

export interface SubscriptionChangePreview {
  subscriptionId: string;
  currentPriceId: string;
  newPriceId: string;
  currentQuantity: number;
  newQuantity: number;
  /** What will happen. */
  prorationBehavior: 'charge_now' | 'next_period' | 'reset' | 'none';
  prorationDate: string;
  lines: InvoiceLine[];
  /** The tax by rate; an empty list where none is charged. */
  taxes: RateTotal[];
  /** All tax, contained in the lines or added to them. */
  taxCents: Int64;
  /** For the unused time of the old plan. */
  creditCents: Int64;
  /** For the new plan. */
  chargeCents: Int64;
  accountCreditAppliedCents: Int64;
  /** What remains of the old plan and becomes account credit. */
  accountCreditCents: Int64;
  /** What the customer has to pay before it takes effect. */
  amountDueCents: Int64;
  /** When the new plan takes effect; if something is due, once it is paid. */
  effectiveAt: string;
  nextInvoice: NextInvoice;
  /** Send it with the change to bill exactly this. */
  previewToken: string;
  /** Of the token. */
  expiresAt: string;
}

export interface UpdateSubscriptionRequest {
  /** The price to change to. */
  priceId?: string | undefined;
  /** How many of it; default: as many as now. */
  quantity?: number | undefined;
  prorationBehavior?: 'auto' | 'charge_now' | 'next_period' | 'reset' | 'none' | undefined;
  /** Bills exactly what the preview showed, or nothing. */
  previewToken?: string | undefined;
  /** false undoes a cancellation. */
  cancelAtPeriodEnd?: boolean | undefined;
  /** Where the customer goes after paying a renewal or change. */
  successUrl?: string | null | undefined;
  /** Where the customer goes instead of paying. */
  cancelUrl?: string | null | undefined;
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface CreatePaymentLinkRequest {
  projectId: string;
  /** What it sells. Never changes. */
  priceId: string;
  name?: string | null | undefined;
  /** Buyers must provide a client reference. */
  requireClientReferenceId?: boolean | undefined;
  /** Buyers must enter an e-mail address. */
  collectCustomerEmail?: boolean | undefined;
  /** Buyers can enter a promotion code on the checkout page. */
  allowPromotionCodes?: boolean | undefined;
  /** Buyers can add a tip on the page: one of these percentages, or any amount. An empty list offers none. */
  tipPercents?: readonly number[] | undefined;
  successUrl?: string | null | undefined;
  cancelUrl?: string | null | undefined;
  /** Buyers choose the amount, for prices paid once; the price’s own is the default. null: the price. */
  openAmount?:
    | {
        minCents: Int64;
        /** Absent: 100000000, one million dollars. */
        maxCents?: Int64 | null | undefined;
        /** Amounts to choose from with one click. */
        suggestedCents?: readonly Int64[] | undefined;
      }
    | null
    | undefined;
  /** It ends at this time. */
  expiresAt?: string | Date | null | undefined;
  /** It ends after this many payments. */
  maxPayments?: number | null | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export interface PaymentLink {
  id: string;
  projectId: string;
  productId: string;
  priceId: string;
  name: string | null;
  status: 'active' | 'inactive';
  /** The public page. Share it anywhere. */
  url: string;
  /** Names the link on the public routes. */
  publicToken: string;
  requireClientReferenceId: boolean;
  collectCustomerEmail: boolean;
  allowPromotionCodes: boolean;
  successUrl: string | null;
  cancelUrl: string | null;
  /** When it ends. */
  expiresAt: string | null;
  /** It ends after this many paid sessions. */
  maxPayments: number | null;
  /** Paid sessions so far. */
  paymentsCount: number;
  openAmount: {
    minCents: Int64;
    maxCents: Int64 | null;
    suggestedCents: Int64[];
  } | null;
  /** What tips the checkout page offers. */
  tipPercents: number[];
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
}

/** Fields of every SetUpPaymentLinkRequest. */
export interface SetUpPaymentLinkRequestFields {
  projectId: string;
  productName: string;
  unitAmountCents: Int64;
  currency?: 'USD' | 'USDC' | undefined;
  /** For subscription: days that are free at first. */
  trialDays?: number | null | undefined;
  /** Buyers must provide a client reference. */
  requireClientReferenceId?: boolean | undefined;
  /** Buyers must enter an e-mail address. */
  collectCustomerEmail?: boolean | undefined;
  /** Buyers can enter a promotion code on the checkout page. */
  allowPromotionCodes?: boolean | undefined;
  /** Buyers can add a tip on the page: one of these percentages, or any amount. An empty list offers none. */
  tipPercents?: readonly number[] | undefined;
  successUrl?: string | null | undefined;
  cancelUrl?: string | null | undefined;
  /** Buyers choose the amount, for prices paid once; the price’s own is the default. null: the price. */
  openAmount?:
    | {
        minCents: Int64;
        /** Absent: 100000000, one million dollars. */
        maxCents?: Int64 | null | undefined;
        /** Amounts to choose from with one click. */
        suggestedCents?: readonly Int64[] | undefined;
      }
    | null
    | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export type SetUpPaymentLinkRequest = SetUpPaymentLinkRequestFields &
  (
    | {
        billingMode: 'one_time';
        creditAmount?: null | undefined;
        recurringInterval?: null | undefined;
        recurringIntervalCount?: null | undefined;
      }
    | {
        billingMode: 'balance_top_up';
        /** For balance_top_up. */
        creditAmount: Int64;
        recurringInterval?: null | undefined;
        recurringIntervalCount?: null | undefined;
      }
    | {
        billingMode: 'subscription';
        creditAmount?: null | undefined;
        /** For subscription. */
        recurringInterval: 'day' | 'week' | 'month' | 'year';
        /** For subscription; default 1. */
        recurringIntervalCount?: number | null | undefined;
      }
  );

export interface PaymentLinkSetup {
  product: Product;
  price: Price;
  paymentLink: PaymentLink;
}

export interface ExpandedPaymentLink {
  id: string;
  projectId: string;
  productId: string;
  priceId: string;
  name: string | null;
  status: 'active' | 'inactive';
  /** The public page. Share it anywhere. */
  url: string;
  /** Names the link on the public routes. */
  publicToken: string;
  requireClientReferenceId: boolean;
  collectCustomerEmail: boolean;
  allowPromotionCodes: boolean;
  successUrl: string | null;
  cancelUrl: string | null;
  /** When it ends. */
  expiresAt: string | null;
  /** It ends after this many paid sessions. */
  maxPayments: number | null;
  /** Paid sessions so far. */
  paymentsCount: number;
  openAmount: {
    minCents: Int64;
    maxCents: Int64 | null;
    suggestedCents: Int64[];
  } | null;
  /** What tips the checkout page offers. */
  tipPercents: number[];
  createdAt: string;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  price?: ExpandedPrice;
}

export interface PublicPaymentLink {
  publicToken: string;
  name: string | null;
  merchantName: string | null;
  productName: string;
  productDescription: string | null;
  priceName: string | null;
  unitAmountCents: Int64;
  currency: string;
  billingMode: 'one_time' | 'balance_top_up' | 'subscription';
  creditAmount: Int64 | null;
  recurringInterval: 'day' | 'week' | 'month' | 'year' | null;
  recurringIntervalCount: number | null;
  /** How many days are free at first. */
  trialDays: number | null;
  requireClientReferenceId: boolean;
  collectCustomerEmail: boolean;
  openAmount: {
    minCents: Int64;
    maxCents: Int64 | null;
    suggestedCents: Int64[];
  } | null;
  /** What a buyer pays, with tax. */
  amountCents: Int64;
  taxes: RateTotal[];
}

export interface UpdatePaymentLinkRequest {
  name?: string | null | undefined;
  status?: 'active' | 'inactive' | undefined;
  /** Buyers must provide a client reference. */
  requireClientReferenceId?: boolean | undefined;
  /** Buyers must enter an e-mail address. */
  collectCustomerEmail?: boolean | undefined;
  /** Buyers can enter a promotion code on the checkout page. */
  allowPromotionCodes?: boolean | undefined;
  /** Buyers can add a tip on the page: one of these percentages, or any amount. An empty list offers none. */
  tipPercents?: readonly number[] | undefined;
  successUrl?: string | null | undefined;
  cancelUrl?: string | null | undefined;
  /** Buyers choose the amount, for prices paid once; the price’s own is the default. null: the price. */
  openAmount?:
    | {
        minCents: Int64;
        /** Absent: 100000000, one million dollars. */
        maxCents?: Int64 | null | undefined;
        /** Amounts to choose from with one click. */
        suggestedCents?: readonly Int64[] | undefined;
      }
    | null
    | undefined;
  /** It ends at this time. */
  expiresAt?: string | Date | null | undefined;
  /** It ends after this many payments. */
  maxPayments?: number | null | undefined;
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface PublicCheckoutRequest {
  /** A label for your own records, such as a user or cart id. */
  clientReferenceId?: string | null | undefined;
  /** What the buyer chose, where the link leaves that open. */
  amountCents?: Int64 | null | undefined;
  customerEmail?: string | null | undefined;
  customerName?: string | null | undefined;
  /** The same key and fields return the same session: clicking twice creates one order. */
  idempotencyKey?: string | null | undefined;
}

export interface PublicCheckout {
  sessionId: string;
  checkoutUrl: string;
  expiresAt: string;
}

export interface RecordUsageRequest {
  projectId: string;
  /** What is counted: lower case letters, digits and _ . : - */
  metric: string;
  quantity: number;
  /** This or subscriptionId is required if the project’s usageCredits list the metric. */
  customerId?: string | null | undefined;
  /** Implies its customer: the record has both. */
  subscriptionId?: string | null | undefined;
  /** Identifies this usage record in its project, forever. */
  idempotencyKey: string;
}

export interface RecordedUsage {
  id: string;
  projectId: string;
  metric: string;
  quantity: Int64;
  customerId: string | null;
  subscriptionId: string | null;
  idempotencyKey: string;
  /** What it cost in the customer’s prepaid credits. */
  creditsUsed: Int64;
  createdAt: string;
  /** true if this usage was already recorded: the record is the first one. */
  duplicate: boolean;
}

export interface RecordUsageBatchRequest {
  records: readonly RecordUsageRequest[];
}

export interface RecordedUsageError {
  code: string;
  message: string;
}

export interface RecordedUsageResult {
  /** The response the record would have got on its own. */
  status: number;
  record?: RecordedUsage;
  error?: RecordedUsageError;
}

export interface RecordedUsageBatch {
  results: RecordedUsageResult[];
}

export interface UsageSummary {
  projectId: string;
  metric: string;
  /** The requested customer; null: all of them. */
  customerId: string | null;
  /** The requested subscription; null: all usage. */
  subscriptionId: string | null;
  /** Null: from the first record on. */
  periodStart: string | null;
  /** Null: to the last record. */
  periodEnd: string | null;
  quantity: Int64;
  recordCount: number;
  /** Prepaid credits that this usage cost. */
  creditsUsed: Int64;
}

export interface UsageRecord {
  id: string;
  projectId: string;
  metric: string;
  quantity: Int64;
  customerId: string | null;
  subscriptionId: string | null;
  idempotencyKey: string;
  /** What it cost in the customer’s prepaid credits. */
  creditsUsed: Int64;
  createdAt: string;
}

export interface RefundEffectsRequest {
  /** Take back the prepaid credits that were bought, in proportion to the amount. Default: false. */
  revokeCredits?: boolean | undefined;
  /** Cancel the subscription that was paid for, immediately. Default: false. */
  cancelSubscription?: boolean | undefined;
  /** Refund also what a plan change gave as account credit for the time that was paid, and take that credit back, as far as the customer still has it. Default: false. */
  takeBackCredit?: boolean | undefined;
}

export interface CreateRefundRequest {
  /** The payment to refund: this, invoiceId or exceptionId. */
  paymentIntentId?: string | undefined;
  invoiceId?: string | undefined;
  /** Money that was too much, too late or matched nothing. */
  exceptionId?: string | undefined;
  /** Default: all that is left to refund. */
  amountCents?: Int64 | undefined;
  reason: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'overpaid' | 'other';
  /** For you alone. */
  note?: string | null | undefined;
  /** A Solana address: the wallet, not its token account. */
  address?: string | null | undefined;
  /** E-mail the customer, where one with an e-mail address is known. Default: true. */
  notifyCustomer?: boolean | undefined;
  effects?: RefundEffectsRequest | undefined;
  /** Your own keys and values: up to 50 keys of 1 to 40 characters, values of up to 500. */
  metadata?: Record<string, string> | undefined;
}

export interface RefundEffects {
  /** Take back the prepaid credits that were bought, in proportion to the amount. */
  revokeCredits: boolean;
  /** Cancel the subscription that was paid for, immediately. */
  cancelSubscription: boolean;
}

export interface Refund {
  id: string;
  /** Without gaps within a merchant. It is the memo of the transfer, for all to read. */
  number: string;
  projectId: string | null;
  customerId: string | null;
  /** The payment whose money is sent back. */
  paymentIntentId: string | null;
  invoiceId: string | null;
  /** The exception whose money is sent back. */
  exceptionId: string | null;
  status: 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';
  amountCents: Int64;
  /** What has finally arrived at the address, as the chain shows it. */
  amountSentCents: Int64;
  currency: string;
  reason: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'overpaid' | 'other';
  /** For you alone. */
  note: string | null;
  /** Where the money goes. Frozen once it is approved. */
  address: string | null;
  /** Who named it; payer: the customer signed with the wallet that paid. */
  addressSource: 'merchant' | 'customer' | 'payer' | null;
  addressApprovedAt: string | null;
  /** The address the payment came from, as far as it is known, see `payerKind`. An exchange or a program would keep the money: ask the customer. */
  payerAddress: string | null;
  /** Kind of that address. wallet: somebody has its key, who may still be an exchange that is not known here. program: no key exists for it, because the money came out of a swap, a bridge, a contract or a multisig’s vault. exchange: a known wallet of an exchange, which many customers share. Send money back to a wallet only, and only if the customer says that it is theirs. */
  payerKind: 'wallet' | 'program' | 'exchange' | null;
  /** The e-mail that asks the customer for an address; null where none was written. failed: it could not be delivered, or a newer claim link replaced it before it was sent. */
  claimEmailStatus: 'queued' | 'sent' | 'failed' | null;
  /** Names this refund on chain; the transfer carries it. */
  referenceAddress: string;
  /** A Solana Pay URL for what is still to be sent; null when nothing is. */
  paymentUrl: string | null;
  /** A prepared transaction may still land, usually until about then: send no other one while this is set. It is null again once the chain shows that it no longer can. */
  preparedUntil: string | null;
  notifyCustomer: boolean;
  effects: RefundEffects;
  /** The transaction that made it complete; until one has, the last that finally sent a part. */
  txSignature: string | null;
  creditNoteId: string | null;
  creditNoteNumber: string | null;
  createdAt: string;
  expiresAt: string;
  succeededAt: string | null;
  canceledAt: string | null;
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
}

export interface UpdateRefundRequest {
  /** The keys to set; null removes one, and keys you leave out stay. */
  metadata?: Record<string, string | null> | undefined;
}

export interface RefundClaimLink {
  /** Shown once. */
  url: string;
  expiresAt: string;
}

export interface ApproveRefundAddressRequest {
  /** A Solana address: the wallet, not its token account. */
  address: string;
}

export interface PrepareRefundsRequest {
  ids: readonly string[];
  /** The wallet that will sign: yours, with USDC and a little SOL. */
  payer: string;
  /** Refuse where a transaction that was prepared before may still land (preparedUntil). Default: false. */
  unlessPrepared?: boolean | undefined;
}

export interface PreparedRefunds {
  /** Unsigned, in base64. */
  transaction: string;
  payer: string;
  /** After this block it can no longer land; prepare again then. */
  lastValidBlockHeight: Int64;
  refunds: Refund[];
}

export interface SendRefundsRequest {
  /** Signed, in base64: the prepared one with your signature. */
  transaction: string;
}

export interface SentRefunds {
  /** The transaction’s, in base58. */
  signature: string;
  refundIds: string[];
}

export interface CreditNote {
  id: string;
  /** Without gaps within a merchant. */
  number: string;
  refundId: string;
  projectId: string | null;
  customerId: string | null;
  /** The invoice that it corrects. */
  invoiceId: string | null;
  /** What was refunded. */
  amountCents: Int64;
  /** Its share of the invoice’s tax by rate; an empty list where the invoice has none or was not paid. */
  taxes: RateTotal[];
  /** The tax that the amount contains. */
  taxCents: Int64;
  /** What the invoice says about its tax. */
  taxNotes: string[];
  seller: {
    legalName: string;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string;
    taxIds: TaxId[];
    /** In the register of companies. */
    registrationNumber: string | null;
  } | null;
  buyer: {
    name: string | null;
    email: string | null;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    isBusiness: boolean;
    taxIds: TaxId[];
  } | null;
  currency: string;
  createdAt: string;
}

export interface CreatePaywallRequest {
  projectId: string;
  /** What it sells. Never changes. */
  priceId: string;
  /** What is sold, where that is not the paywall itself. */
  resourceUrl?: string | null | undefined;
  /** What a program reads before it pays. */
  description: string;
  /** Of what is sold; default application/json. */
  mimeType?: string | undefined;
  /** How sure a payment must be before it is answered: confirmed within a second or two, finalized after about 13. By default confirmed up to $10, and finalized above and for credits. */
  settleAt?: 'confirmed' | 'finalized' | null | undefined;
}

export interface Paywall {
  id: string;
  projectId: string;
  priceId: string;
  /** Answers 402 with an offer, and the receipt once it is paid. */
  url: string;
  resourceUrl: string | null;
  description: string;
  mimeType: string;
  /** How sure a payment must be before it is answered: confirmed within a second or two, finalized after about 13. By default confirmed up to $10, and finalized above and for credits. */
  settleAt: 'confirmed' | 'finalized' | null;
  createdAt: string;
}

export interface SubscriptionCounts {
  incomplete: number;
  incomplete_expired: number;
  trialing: number;
  active: number;
  past_due: number;
  canceled: number;
}

export interface LimitUse {
  projectId: string;
  projectName: string;
  monthlyVolumeLimitCents: Int64 | null;
  /** Counted so far this month; 0 where there is no volume limit. */
  volumeCents: Int64;
  monthlyRequestLimit: Int64 | null;
  /** Counted so far this month; 0 where there is no request limit. */
  requestCount: number;
}

export interface OpenExceptions {
  /** A kind of which at least one is open. */
  kind:
    | 'unmatched'
    | 'ambiguous'
    | 'wrong_mint'
    | 'canceled'
    | 'late'
    | 'surplus'
    | 'duplicate_order'
    | 'stray'
    | 'over_refunded';
  count: number;
  /** All of them together; null for another token. */
  amountCents: Int64 | null;
}

export interface BillingOverview {
  /** What active and past due subscriptions bring in per month at their current prices, from the first paid period on; trials count nothing: a month is a twelfth of a year’s 12 months, 52 weeks or 365 days. Rounded once, halves up. A refund does not lower it: it is what will be billed, not what was kept. */
  monthlyRecurringCents: Int64;
  subscriptions: SubscriptionCounts;
  /** Subscriptions that were active and ended in this calendar month of your time zone. */
  churnedThisMonthCount: number;
  openInvoicesCount: number;
  /** The amount still due on open invoices. */
  openInvoicesCents: Int64;
  overdueInvoicesCount: number;
  overdueInvoicesCents: Int64;
  /** Invoices paid in this calendar month of your time zone. */
  paidThisMonthCount: number;
  /** Before refunds, and without what was waived. */
  paidThisMonthCents: Int64;
  /** Refunds that were proven in this calendar month of your time zone. */
  refundedThisMonthCount: number;
  /** What they sent back, of payments of any month; overpayments that went back are in it too. */
  refundedThisMonthCents: Int64;
  /** Prepaid credits all customers still have. */
  creditsOutstanding: Int64;
  accountCreditOutstandingCents: Int64;
  limits: LimitUse[];
  /** Webhooks being retried, or given up on in the last 7 days. Across all projects. */
  failingDeliveriesCount: number;
  /** Open exceptions of every kind. Across all projects. */
  openExceptionsCount: number;
  openExceptions: OpenExceptions[];
  /** Payout addresses whose transactions could not be read for 5 minutes or more, so payments to them are detected late. Across all projects. */
  unreadAddressesCount: number;
  /** Payments about which the Solana nodes of this service contradict each other: none is final until enough of them agree. Across all projects. */
  disputedPaymentsCount: number;
  /** What you waived of invoices that you accepted as paid in this calendar month of your time zone. */
  waivedThisMonthCents: Int64;
}

export interface RevenueTotals {
  /** Received by payments that succeeded, before refunds. Tips are in it. */
  grossCents: Int64;
  /** Sent back of such payments, by when the refund was proven. */
  refundedCents: Int64;
  /** Gross minus refunded; negative when more was sent back than received. */
  netCents: Int64;
  paymentsCount: number;
  refundsCount: number;
  /** Checkout sessions created in the period, by you, a payment link or a till; renewals are not in it. */
  checkoutsOpenedCount: number;
  /** Those of them that have been paid by now. */
  checkoutsPaidCount: number;
  /** Subscriptions that began to be paid for: created, or past their trial. */
  newSubscribersCount: number;
  /** Subscriptions that were paid for and ended. */
  lostSubscribersCount: number;
  /** Subscriptions that were paid for when the period began. */
  subscribersAtStartCount: number;
}

export interface RevenuePoint {
  /** The first moment of the day, or of the hour if the period is one day. */
  startsAt: string;
  /** The first moment after it. */
  endsAt: string;
  grossCents: Int64;
  refundedCents: Int64;
  netCents: Int64;
  paymentsCount: number;
  /** Of the whole day or hour in the same place of the period before. */
  previousNetCents: Int64;
}

export interface RenewalForecast {
  /** 30 days from now. */
  until: string;
  /** Renewals that fall due by then; those that are set to end are not in it. */
  count: number;
  /** At the prices they will have, before discounts, account credit and tax that is added to a price. */
  cents: Int64;
}

export interface TopProduct {
  productId: string;
  name: string;
  /** On paid invoices, after discounts, without tax, before refunds. */
  salesCents: Int64;
  /** How many were sold: the quantities of those lines. */
  salesCount: number;
}

export interface TopCustomer {
  customerId: string;
  name: string | null;
  email: string | null;
  externalCustomerId: string | null;
  netCents: Int64;
  paymentsCount: number;
}

export interface Revenue {
  /** The days are those of this time zone, which is the merchant’s. */
  timeZone: string;
  /** The first day. */
  from: string;
  /** The last day. */
  to: string;
  /** The first day of the period before, which has as many days. */
  previousFrom: string;
  /** Its last day. */
  previousTo: string;
  /** If the period is not over, `previous` stops here: as much of the period before has passed then as of this one, to the quarter of an hour. */
  comparedUntil: string;
  current: RevenueTotals;
  previous: RevenueTotals;
  points: RevenuePoint[];
  /** As of now, as in the billing overview. */
  monthlyRecurringCents: Int64;
  /** Subscriptions that are paid for now, overdue ones included. */
  subscribersCount: number;
  renewals: RenewalForecast;
  topProducts: TopProduct[];
  topCustomers: TopCustomer[];
}

export interface TaxReportRow {
  /** The country of the rate; null for what is not taxed. */
  country: string | null;
  /** As in electronic invoices: S standard, Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax. Only S has a percentage. */
  category: 'S' | 'Z' | 'E' | 'AE' | 'K' | 'G' | 'O' | null;
  percent: number | null;
  /** Invoices with something at this rate. */
  invoicesCount: number;
  /** Without the tax. */
  invoicedNetCents: Int64;
  invoicedTaxCents: Int64;
  creditNotesCount: number;
  /** Without the tax. */
  creditedNetCents: Int64;
  creditedTaxCents: Int64;
  /** What was invoiced minus what was credited and waived, without the tax. */
  netCents: Int64;
  /** What was invoiced minus what was credited and waived. */
  taxCents: Int64;
  /** Both together. */
  grossCents: Int64;
  /** Of invoices accepted as paid with less, without the tax. */
  waivedNetCents: Int64;
  waivedTaxCents: Int64;
}

export interface TaxReport {
  projectId: string;
  from: string;
  to: string;
  currency: string;
  rows: TaxReportRow[];
}

export interface MonthlyRevenue {
  /** As in `GET /billing/revenue`, and so are the next two. */
  grossCents: Int64;
  refundedCents: Int64;
  netCents: Int64;
  paymentsCount: number;
  refundsCount: number;
}

export interface MonthlyReportDay {
  date: string;
  /** As in `GET /billing/revenue`, and so are the next two. */
  grossCents: Int64;
  refundedCents: Int64;
  netCents: Int64;
  paymentsCount: number;
}

export interface AccountMovement {
  code: string;
  name: string;
  /** As in `GET /general-ledger`, and so is the next. */
  debitCents: Int64;
  creditCents: Int64;
  /** Debit minus credit. */
  balanceCents: Int64;
}

export interface MonthlySubscribers {
  atStartCount: number;
  newCount: number;
  lostCount: number;
  atEndCount: number;
  /** At the end of the month, with the prices and quantities that subscriptions had then. */
  monthlyRecurringCents: Int64;
}

export interface OpenInvoice {
  invoiceId: string;
  number: string;
  customerName: string | null;
  customerEmail: string | null;
  issuedAt: string;
  dueAt: string | null;
  amountDueCents: Int64;
}

export interface OpenInvoices {
  /** Invoices with a number that were open when the month ended. */
  count: number;
  /** What was still due on them then. */
  cents: Int64;
  invoices: OpenInvoice[];
}

export interface MonthlyExceptions {
  kind:
    | 'unmatched'
    | 'ambiguous'
    | 'wrong_mint'
    | 'canceled'
    | 'late'
    | 'surplus'
    | 'duplicate_order'
    | 'stray'
    | 'over_refunded';
  /** In the month. */
  raisedCount: number;
  /** Null for what is not USDC. */
  raisedCents: Int64 | null;
  /** Not decided when the month ended, whenever they were raised. */
  openCount: number;
  /** Null for what is not USDC. */
  openCents: Int64 | null;
}

export interface MonthlySponsoredFees {
  /** Payments whose network fee the service paid. */
  count: number;
  /** What that cost; a SOL has 1,000,000,000 lamports. */
  lamports: Int64;
}

export interface MonthlyReport {
  month: string;
  /** Null: all projects, and payments without one. */
  projectId: string | null;
  /** The merchant’s, which decides when the month begins and ends. */
  timeZone: string;
  /** The first moment of the month. */
  from: string;
  /** The first moment of the next. */
  to: string;
  /** false: the figures are those up to now. */
  isOver: boolean;
  createdAt: string;
  currency: string;
  revenue: MonthlyRevenue;
  days: MonthlyReportDay[];
  taxes: TaxReportRow[];
  accounts: AccountMovement[];
  subscribers: MonthlySubscribers;
  topProducts: TopProduct[];
  topCustomers: TopCustomer[];
  openInvoices: OpenInvoices;
  exceptions: MonthlyExceptions[];
  sponsoredFees: MonthlySponsoredFees;
}

export interface CreatePortalSessionRequest {
  projectId: string;
  customerId: string;
  /** Where the portal’s return link goes: https, one of your pages. */
  returnUrl?: string | null | undefined;
}

export interface PortalSession {
  id: string;
  customerId: string;
  /** Send the customer here. It opens the portal once, and is shown only once. */
  url: string;
  returnUrl: string | null;
  /** Until when the link can be used: one hour. */
  expiresAt: string;
}

export interface RequestLog {
  /** The request, as in its X-Request-Id header and as `traceId` of an error. */
  id: string;
  /** The API key. */
  keyId: string;
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  durationMs: number;
  errorCode: string | null;
  errorMessage: string | null;
  /** The trace id of the `traceparent` header. */
  callerTraceId: string | null;
  idempotencyKey: string | null;
  /** Of a request that failed: its JSON, truncated, with `[12 characters]` for what people wrote. */
  requestBody: string | null;
  createdAt: string;
}

export interface SearchResult {
  /** Its order, number or name. */
  title: string | null;
  type:
    | 'payment_intent'
    | 'customer'
    | 'invoice'
    | 'subscription'
    | 'refund'
    | 'checkout_session'
    | 'exception'
    | 'payment_link'
    | 'product'
    | 'terminal'
    | 'project'
    | 'webhook_delivery';
  id: string;
  /** Its owner, or what distinguishes it. */
  detail: string | null;
  status: string | null;
  amountCents: Int64 | null;
  createdAt: string;
}

export interface SearchResults {
  data: SearchResult[];
}

export interface OnboardingWallet {
  /** The payout address is proven by a signature, or an owner has seen a payment in their wallet. */
  isDone: boolean;
  payoutAddress: string | null;
  /** How it is known whose wallet it is. */
  provenBy: 'signature' | null;
  /** A payment has arrived there. That alone does not say whose wallet it is. */
  hasPayment: boolean;
  /** An owner has said that a payment shows in their wallet. */
  isSeenInWallet: boolean;
}

export interface OnboardingStep {
  isDone: boolean;
}

export interface OnboardingDelivery {
  /** A webhook endpoint or a notification has received something. */
  isDone: boolean;
  /** There is one. */
  hasReceiver: boolean;
}

export interface GoLiveCheck {
  name: 'mainnet' | 'https' | 'backup' | 'second_way_in' | 'support_address';
  isDone: boolean;
}

export interface OnboardingGoLive {
  isDone: boolean;
  checks: GoLiveCheck[];
}

export interface Onboarding {
  /** Whether all five steps are done. */
  isDone: boolean;
  wallet: OnboardingWallet;
  payment: OnboardingStep;
  paymentLink: OnboardingStep;
  delivery: OnboardingDelivery;
  goLive: OnboardingGoLive;
}

export interface ConfirmWalletRequest {
  payoutAddress: string;
}

export interface PortalLoginRequest {
  /** The last part of the link’s path. */
  token: string;
}

export interface PortalCustomer {
  id: string;
  email: string | null;
  pendingEmail: {
    /** A new address that its mailbox has not confirmed yet. Until then `email` stays. */
    email: string;
    /** Until when it can be confirmed: a day. */
    expiresAt: string;
  } | null;
  name: string | null;
  /** Prepaid units. */
  creditBalance: Int64;
  /** Money applied to the next renewal or plan change. */
  accountCreditCents: Int64;
}

export interface PortalBalance {
  customerId: string;
  /** Prepaid units. */
  creditBalance: Int64;
  /** Money applied to the next renewal or plan change. */
  accountCreditCents: Int64;
}

export interface PortalVisit {
  customer: PortalCustomer;
  customers: PortalBalance[];
  /** Whether the customer can ask for another address: only where the service sends e-mail. */
  canChangeEmail: boolean;
  /** Whose portal this is: the project’s own name, or the merchant’s. */
  merchantName: string | null;
  projectName: string;
  /** `#rrggbb`: the project’s own, or the merchant’s. */
  brandColor: string | null;
  /** Send it as X-CSRF-Token with every change. */
  csrfToken: string;
  /** Where the customer came from. */
  returnUrl: string | null;
  /** When the visit ends. */
  expiresAt: string;
}

export interface UpdatePortalCustomerRequest {
  email?: string | null | undefined;
  name?: string | null | undefined;
}

export interface PortalConfirmedEmail {
  email: string;
}

export interface PortalPlan {
  priceId: string;
  productName: string;
  productDescription: string | null;
  name: string | null;
  unitAmountCents: Int64;
  /** Always USD, paid in USDC. */
  currency: string;
  recurringInterval: 'day' | 'week' | 'month' | 'year';
  recurringIntervalCount: number;
}

export interface PortalSubscription {
  id: string;
  /** How many of the plan: its seats. */
  quantity: number;
  /** The discount of its next periods. */
  discountId: string | null;
  /** For how many periods that are not paid yet; null: always. */
  discountPeriodsLeft: number | null;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
  currentPeriodStart: string | null;
  currentPeriodEnd: string | null;
  cancelAtPeriodEnd: boolean;
  canceledAt: string | null;
  cancelReason: 'requested' | 'payment_overdue' | null;
  /** An unpaid renewal ends the subscription at this moment. */
  graceEndsAt: string | null;
  pendingChange: {
    /** The price it will change to. */
    priceId: string;
    /** How many of it. */
    quantity: number;
    /** When it takes effect; null while it is awaiting payment. */
    effectiveAt: string | null;
    prorationBehavior: 'charge_now' | 'reset' | 'next_period';
    amountDueCents: Int64;
    invoiceId: string | null;
    /** Where the customer confirms it by paying. */
    checkoutUrl: string | null;
    /** If it is not paid by then, it is dropped. */
    expiresAt: string | null;
  } | null;
  /** Where the customer pays the renewal, for as long as it can be paid: up to 30 days after it ended the subscription. */
  renewalCheckoutUrl: string | null;
  /** Whether the customer may use what they pay for. */
  hasAccess: boolean;
  /** As known now; includes a prepaid period. */
  accessUntil: string | null;
  createdAt: string;
  /** When its trial ends, or ended; null: it has none. */
  trialEndsAt: string | null;
  plan: PortalPlan;
  nextPlan: {
    priceId: string;
    productName: string;
    productDescription: string | null;
    name: string | null;
    unitAmountCents: Int64;
    /** Always USD, paid in USDC. */
    currency: string;
    recurringInterval: 'day' | 'week' | 'month' | 'year';
    recurringIntervalCount: number;
  } | null;
}

export interface PortalRenewal {
  /** Where to pay; null: account credit paid all of it. */
  checkoutUrl: string | null;
  subscription: PortalSubscription;
}

export interface PortalPlans {
  data: PortalPlan[];
}

export interface PreviewPortalChangeRequest {
  /** One of the plans on offer. */
  priceId: string;
}

export interface PortalChangeRequest {
  /** One of the plans on offer. */
  priceId: string;
  /** Bills exactly what the preview showed, or nothing. */
  previewToken?: string | undefined;
}

export interface PortalInvoice {
  id: string;
  /** Without gaps within a project. Null for a draft, and for a checkout of a payment link until its first money is final. */
  number: string | null;
  projectId: string;
  customerId: string | null;
  subscriptionId: string | null;
  checkoutSessionId: string | null;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  billingReason:
    | 'one_time'
    | 'balance_top_up'
    | 'subscription_create'
    | 'subscription_cycle'
    | 'subscription_change'
    | 'manual';
  currency: string;
  lines: InvoiceLine[];
  subtotalCents: Int64;
  discount: {
    id: string;
    name: string;
    /** The code it was given for. */
    promotionCode: string | null;
  } | null;
  discountCents: Int64;
  /** The tax by rate; an empty list where none is charged. */
  taxes: RateTotal[];
  /** All tax, contained in the amounts or added to them. */
  taxCents: Int64;
  /** What the law wants said, in the buyer’s language. */
  taxNotes: string[];
  seller: {
    legalName: string;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string;
    taxIds: TaxId[];
    /** In the register of companies. */
    registrationNumber: string | null;
  } | null;
  buyer: {
    name: string | null;
    email: string | null;
    address: {
      line1: string;
      line2: string | null;
      postalCode: string | null;
      city: string | null;
      state: string | null;
    } | null;
    /** A country code as in ISO 3166-1, such as DE. */
    country: string | null;
    isBusiness: boolean;
    taxIds: TaxId[];
  } | null;
  /** Account credit taken off the amount to pay. An invoice that is not paid in time gives it back, and takes it again when it is paid late. */
  creditAppliedCents: Int64;
  /** The amount to pay: the subtotal minus discount and credit, plus tax that it does not contain. */
  totalCents: Int64;
  /** All that finally arrived for it, without money that became account credit. */
  amountPaidCents: Int64;
  /** What was sent back of it, as its credit notes say. */
  refundedCents: Int64;
  /** The amount still due. */
  amountDueCents: Int64;
  isOverdue: boolean;
  dueAt: string | null;
  periodStart: string | null;
  periodEnd: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  /** The latest transaction that brought money. */
  txSignature: string | null;
  paidAt: string | null;
  createdAt: string;
  /** The date of the invoice. Null for a draft. */
  openedAt: string | null;
  /** A note to the customer. */
  memo: string | null;
  /** Where the customer can pay it now. Null when nothing more can be paid: it is paid, withdrawn or too late, or the payment is on its way. */
  checkoutUrl: string | null;
  /** What you waived of it when you accepted less as paid. */
  waivedCents: Int64;
  /** When the customer was last reminded of the rest by e-mail. */
  remindedAt: string | null;
}

export interface PortalRefund {
  id: string;
  number: string;
  invoiceId: string | null;
  status: 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';
  amountCents: Int64;
  currency: string;
  /** Where the money goes, as far as it is known. */
  address: string | null;
  txSignature: string | null;
  creditNoteId: string | null;
  creditNoteNumber: string | null;
  createdAt: string;
  expiresAt: string;
  succeededAt: string | null;
}

/** Staff at a till ask for a refund of one of its sales. */
export interface RefundRequest {
  id: string;
  status: 'open' | 'approved' | 'declined';
  /** The sale. */
  paymentIntentId: string;
  orderId: string;
  terminalId: string;
  tillId: string;
  /** What the sale has received. */
  receivedCents: Int64;
  /** As staff wrote it. */
  reason: string | null;
  /** Of an approved one. */
  refundId: string | null;
  createdAt: string;
  decidedAt: string | null;
}

export interface UpdateTerminalRequest {
  name?: string | null | undefined;
  /** false also cancels the unpaid intent or sale that the terminal shows. */
  isActive?: boolean | undefined;
}

export interface Health {
  status: 'ok';
}

export interface PaymentIntentEventData {
  paymentIntentId: string;
  orderId: string | null;
  /** What has finally arrived so far. */
  amountCents: Int64;
  expectedAmountCents: Int64;
  /** The latest transaction that brought money; of `payment_intent.failed`, the one that failed or was of the wrong kind. */
  txSignature: string | null;
}

export interface PaymentIntentEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event:
    | 'payment_intent.created'
    | 'payment_intent.succeeded'
    | 'payment_intent.underpaid'
    | 'payment_intent.failed'
    | 'payment_intent.expired'
    | 'payment_intent.updated';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled';
  /** Your own keys and values. Customers never see them. */
  metadata: Record<string, string>;
  data: PaymentIntentEventData;
}

export interface InvoiceEventData {
  projectId: string;
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  previousStatus: 'open' | 'paid' | 'void' | 'uncollectible' | null;
  customerId: string | null;
  externalCustomerId: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  txSignature: string | null;
  invoice: Invoice;
}

export interface InvoiceEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event:
    | 'invoice.created'
    | 'invoice.upcoming'
    | 'invoice.paid'
    | 'invoice.underpaid'
    | 'invoice.refunded'
    | 'invoice.overdue'
    | 'invoice.voided'
    | 'invoice.uncollectible'
    | 'invoice.updated';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  data: InvoiceEventData;
}

export interface CheckoutSessionEventData {
  projectId: string;
  status: 'open' | 'complete' | 'expired' | 'canceled';
  previousStatus: 'open' | 'complete' | 'expired' | 'canceled' | null;
  customerId: string | null;
  externalCustomerId: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  txSignature: string | null;
  checkoutSession: CheckoutSession;
}

export interface CheckoutSessionEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event:
    | 'checkout.session.created'
    | 'checkout.session.processing'
    | 'checkout.session.completed'
    | 'checkout.session.expired'
    | 'checkout.session.canceled'
    | 'checkout.session.updated';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'open' | 'complete' | 'expired' | 'canceled';
  data: CheckoutSessionEventData;
}

export interface SubscriptionEventData {
  projectId: string;
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
  previousStatus:
    | 'incomplete'
    | 'incomplete_expired'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'canceled'
    | null;
  customerId: string | null;
  externalCustomerId: string | null;
  merchantReference: string | null;
  clientReferenceId: string | null;
  txSignature: string | null;
  subscription: Subscription;
}

export interface SubscriptionEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event:
    | 'subscription.created'
    | 'subscription.activated'
    | 'subscription.incomplete_expired'
    | 'subscription.trial_will_end'
    | 'subscription.renewal_due'
    | 'subscription.renewed'
    | 'subscription.past_due'
    | 'subscription.updated'
    | 'subscription.canceled'
    | 'subscription.reactivated';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled';
  data: SubscriptionEventData;
}

export interface CustomerEventData {
  projectId: string;
  status: 'active' | 'deleted';
  previousStatus: 'active' | 'deleted' | null;
  customerId: string;
  externalCustomerId: string | null;
  customer: Customer;
}

export interface CustomerEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'customer.created' | 'customer.updated';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'active' | 'deleted';
  data: CustomerEventData;
}

export interface CustomerDeletedEventData {
  projectId: string;
  status: 'active' | 'deleted';
  previousStatus: 'active' | 'deleted' | null;
  customerId: string;
}

export interface CustomerDeletedEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'customer.deleted';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'active' | 'deleted';
  data: CustomerDeletedEventData;
}

export interface CustomerBalanceEventData {
  projectId: string;
  customerId: string;
  externalCustomerId: string | null;
  /** The balance entry. */
  entryId: string;
  deltaCredits: Int64;
  creditBalance: Int64;
  deltaCents: Int64;
  accountCreditCents: Int64;
  reason: string | null;
  invoiceId: string | null;
  /** The usage that cost the credits. */
  usageRecordId: string | null;
}

export interface CustomerBalanceEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event:
    | 'customer.balance_credited'
    | 'customer.balance_debited'
    | 'customer.balance_adjusted'
    | 'customer.balance_low'
    | 'customer.balance_depleted';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'ok' | 'low' | 'depleted';
  data: CustomerBalanceEventData;
}

export interface RefundEventData {
  projectId: string | null;
  status: 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';
  previousStatus: 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired' | null;
  customerId: string | null;
  txSignature: string | null;
  refund: Refund;
}

export interface RefundEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event:
    | 'refund.created'
    | 'refund.address_received'
    | 'refund.updated'
    | 'refund.processing'
    | 'refund.succeeded'
    | 'refund.canceled'
    | 'refund.expired';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired';
  data: RefundEventData;
}

export interface RefundRequestEventData {
  status: 'open' | 'approved' | 'declined';
  previousStatus: 'open' | 'approved' | 'declined' | null;
  refundRequest: RefundRequest;
}

export interface RefundRequestEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'refund_request.created' | 'refund_request.approved' | 'refund_request.declined';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'open' | 'approved' | 'declined';
  data: RefundRequestEventData;
}

export interface ExceptionEventData {
  status: 'open' | 'linked' | 'returned' | 'kept' | 'credited' | 'dust';
  previousStatus: 'open' | 'linked' | 'returned' | 'kept' | 'credited' | 'dust' | null;
  txSignature: string;
  exception: PaymentException;
}

export interface ExceptionEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'exception.created' | 'exception.resolved' | 'exception.reopened';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'open' | 'linked' | 'returned' | 'kept' | 'credited' | 'dust';
  data: ExceptionEventData;
}

export interface PayoutAddressEventData {
  status: 'requested' | 'changed' | 'canceled';
  /** Null: the merchant’s own address. */
  projectId: string | null;
  projectName: string | null;
  from: string | null;
  /** Null: none, or for a project the merchant’s own. */
  to: string | null;
  /** When a requested change takes effect; null: it has. */
  takesEffectAt: string | null;
  /** As the audit log names them. */
  actor: string;
}

export interface PayoutAddressEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'payout_address.changed';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'requested' | 'changed' | 'canceled';
  data: PayoutAddressEventData;
}

export interface WebhookEndpointEventData {
  webhookEndpoint: WebhookEndpoint;
}

export interface WebhookEndpointEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'webhook_endpoint.test';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'active';
  data: WebhookEndpointEventData;
}

export interface NotificationEventData {
  notification: Notification;
}

export interface NotificationEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'notification.test';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'active';
  data: NotificationEventData;
}

export interface NotificationSummaryEventData {
  notificationId: string;
  from: string;
  to: string;
  /** Payments that succeeded. */
  paid: number;
  /** What they brought. */
  paidCents: Int64;
  failed: number;
  /** Payments that were not made in time. */
  expired: number;
  /** Money that needs a review. */
  exceptions: number;
  overdueRenewals: number;
  newSubscriptions: number;
  endedSubscriptions: number;
  /** Refunds that arrived. */
  refunds: number;
}

export interface NotificationSummaryEvent {
  /** The event: the same in every attempt and resend. Handle each id once. */
  id: string;
  event: 'notification.summary';
  createdAt: string;
  /** Counts the changes of this object: 1, 2, 3, … */
  sequence: number;
  /** Of the object, after this change. */
  status: 'active';
  data: NotificationSummaryEventData;
}

/** Every event by its name. */
export interface WebhookEvents {
  /** An intent was created. Sent only to webhook endpoints that name it. */
  'payment_intent.created': PaymentIntentEvent;
  /** Paid in full, finally, or accepted as paid by you: deliver what was ordered. */
  'payment_intent.succeeded': PaymentIntentEvent;
  /** Less than expected arrived; sent again with each further cent. */
  'payment_intent.underpaid': PaymentIntentEvent;
  /** An attempt brought no USDC: it failed on chain, paid another account, or brought another token, which `exception.created` lists. The intent can still be paid. */
  'payment_intent.failed': PaymentIntentEvent;
  /** The deadline passed with nothing received; a late payment may still make it succeed. */
  'payment_intent.expired': PaymentIntentEvent;
  /** Any other change: processing, canceled, or a confirmed payment that was dropped. */
  'payment_intent.updated': PaymentIntentEvent;
  /** An invoice was opened and given its number. */
  'invoice.created': InvoiceEvent;
  /** A reminder: an open invoice is due soon. */
  'invoice.upcoming': InvoiceEvent;
  /** The invoice was paid in full, or accepted as paid by you: `waivedCents` says what was waived. */
  'invoice.paid': InvoiceEvent;
  /** A part of the invoice was paid. */
  'invoice.underpaid': InvoiceEvent;
  /** Money paid for the invoice was sent back, in full or in part. */
  'invoice.refunded': InvoiceEvent;
  /** The invoice was not paid by its due date. */
  'invoice.overdue': InvoiceEvent;
  /** The invoice was canceled. What was paid of it becomes account credit of its customer, and is listed. */
  'invoice.voided': InvoiceEvent;
  /** The invoice’s deadline passed unpaid. It can still be paid for 30 days. */
  'invoice.uncollectible': InvoiceEvent;
  /** Any other change: another tip or promotion code, or money that came for what is over, or is no longer the invoice’s. */
  'invoice.updated': InvoiceEvent;
  /** A checkout session was opened. */
  'checkout.session.created': CheckoutSessionEvent;
  /** Enough money is confirmed on chain, but not final yet. */
  'checkout.session.processing': CheckoutSessionEvent;
  /** The session was paid in full: deliver what was bought. */
  'checkout.session.completed': CheckoutSessionEvent;
  /** The deadline passed unpaid. Full payment within 30 days still completes it. */
  'checkout.session.expired': CheckoutSessionEvent;
  /** The session was canceled before anything was paid. */
  'checkout.session.canceled': CheckoutSessionEvent;
  /** The session changed in another way, such as a part of the money arriving. */
  'checkout.session.updated': CheckoutSessionEvent;
  /** A subscription was created with a key, or its first money arrived through a payment link. */
  'subscription.created': SubscriptionEvent;
  /** The first payment arrived, or a trial began: give access. */
  'subscription.activated': SubscriptionEvent;
  /** The first payment did not arrive in time. */
  'subscription.incomplete_expired': SubscriptionEvent;
  /** A trial ends soon, and the invoice of the first paid period is open: the customer can pay it now. */
  'subscription.trial_will_end': SubscriptionEvent;
  /** The next period’s invoice is open: the customer can pay it now. */
  'subscription.renewal_due': SubscriptionEvent;
  /** The next period has begun and is paid. */
  'subscription.renewed': SubscriptionEvent;
  /** The period ended unpaid. Access continues until graceEndsAt. */
  'subscription.past_due': SubscriptionEvent;
  /** The subscription changed in another way: its plan, its discount, its next period paid ahead, or a cancellation planned or undone. */
  'subscription.updated': SubscriptionEvent;
  /** The subscription ended: take access away. */
  'subscription.canceled': SubscriptionEvent;
  /** An overdue renewal was paid after all: give access again. */
  'subscription.reactivated': SubscriptionEvent;
  /** A customer was created: by you, or by a checkout of somebody new. */
  'customer.created': CustomerEvent;
  /** A customer’s details changed. */
  'customer.updated': CustomerEvent;
  /** A customer was deleted. The event carries only the customer’s ID. Delete your own data about them as well. */
  'customer.deleted': CustomerDeletedEvent;
  /** Credit was added: a top-up was paid, or money became account credit. */
  'customer.balance_credited': CustomerBalanceEvent;
  /** Credit was spent: on usage, or on an invoice. */
  'customer.balance_debited': CustomerBalanceEvent;
  /** You changed a balance by hand. */
  'customer.balance_adjusted': CustomerBalanceEvent;
  /** Prepaid credits fell to the project’s lowBalanceCredits. */
  'customer.balance_low': CustomerBalanceEvent;
  /** Prepaid credits reached zero. */
  'customer.balance_depleted': CustomerBalanceEvent;
  /** A refund was created. No money has moved yet. */
  'refund.created': RefundEvent;
  /** The customer named the address to refund to; approve it. */
  'refund.address_received': RefundEvent;
  /** The address was approved, a part was sent, or a transfer vanished from the chain. */
  'refund.updated': RefundEvent;
  /** The transfer was seen on the chain. It is not final yet. */
  'refund.processing': RefundEvent;
  /** The money has finally arrived at the customer’s address. */
  'refund.succeeded': RefundEvent;
  /** The refund was canceled before it was sent. */
  'refund.canceled': RefundEvent;
  /** The refund was not sent within 90 days. */
  'refund.expired': RefundEvent;
  /** Staff at a till ask for a refund of a sale. An owner decides. */
  'refund_request.created': RefundRequestEvent;
  /** An owner approved it: a refund was created. No money has moved yet. */
  'refund_request.approved': RefundRequestEvent;
  /** An owner declined it. Staff can ask again. */
  'refund_request.declined': RefundRequestEvent;
  /** Money arrived that needs a person’s review: unmatched, late, too much, or another token. Dust (less than a cent) is not announced. */
  'exception.created': ExceptionEvent;
  /** It was linked to a payment, returned, kept, or became account credit of a customer. */
  'exception.resolved': ExceptionEvent;
  /** A decision was undone: it needs a person’s review again. */
  'exception.reopened': ExceptionEvent;
  /** A payout address was changed, or a change was requested or canceled, as `status` says. Sent only to webhook endpoints that name it. */
  'payout_address.changed': PayoutAddressEvent;
  /** You tested a webhook endpoint. Only that one gets it. */
  'webhook_endpoint.test': WebhookEndpointEvent;
  /** You tested a notification. Only that one gets it. */
  'notification.test': NotificationEvent;
  /** What happened since the last daily summary. Only the notification that names it gets it. */
  'notification.summary': NotificationSummaryEvent;
}

export type WebhookEventName = keyof WebhookEvents;

/** An event as a webhook carries it: `event` says which, and with it what `data` holds. */
export type WebhookEvent<Name extends WebhookEventName = WebhookEventName> = {
  [Each in Name]: WebhookEvents[Each] & { event: Each };
}[Name];
