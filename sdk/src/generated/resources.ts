/** Written by `npm run sdk` from openapi.json and sdk/generate/names.ts: change those, not this. */
import type { Answered } from '../last-response.ts';
import { List } from '../list.ts';
import { type KeyedOptions, type RequestOptions, type Send, segment, type Upload } from '../request.ts';
import type {
  AddPasskeyRequest,
  AdjustBalanceRequest,
  ApiKey,
  ApproveRefundAddressRequest,
  AuditEntry,
  BalanceEntry,
  BillingOverview,
  Brand,
  CancelSubscriptionRequest,
  ChangePasswordRequest,
  CheckoutSession,
  CheckPaymentRequest,
  ClaimRefundRequest,
  ConfirmWalletRequest,
  CreateCheckoutSessionRequest,
  CreateCustomerRequest,
  CreateDiscountRequest,
  CreateInvoiceRequest,
  CreateNoteRequest,
  CreateNotificationRequest,
  CreatePaymentIntentRequest,
  CreatePaymentLinkRequest,
  CreatePayoutChallengeRequest,
  CreatePaywallRequest,
  CreatePortalSessionRequest,
  CreatePriceRequest,
  CreateProductRequest,
  CreateProjectRequest,
  CreatePromotionCodeRequest,
  CreateRefundRequest,
  CreateTaxRateRequest,
  CreateTerminalRequest,
  CreateTillRequest,
  CreateWebhookEndpointRequest,
  CreditExceptionRequest,
  CreditNote,
  CreditTokenVerification,
  Customer,
  CustomerErasure,
  DashboardSession,
  Discount,
  EditNoteRequest,
  ExpandedCheckoutSession,
  ExpandedInvoice,
  ExpandedPaymentIntent,
  ExpandedPaymentLink,
  ExpandedPrice,
  ExpandedSubscription,
  GeneratedApiKey,
  GenerateKeyRequest,
  Health,
  Int64,
  Invitation,
  InviteMemberRequest,
  Invoice,
  KeepExceptionRequest,
  LinkExceptionRequest,
  MarkReturnedRequest,
  Member,
  MemberLink,
  MerchantProfile,
  MerchantStats,
  MergeCustomerRequest,
  MonthlyReport,
  MoveSandboxClockRequest,
  NewInvitation,
  NewWebhookEndpoint,
  Note,
  Notification,
  NotificationTest,
  Onboarding,
  OpenMemberLinkRequest,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySignInRequest,
  PaymentException,
  PaymentExceptionSuggestions,
  PaymentIntent,
  PaymentIntentHistory,
  PaymentLink,
  PaymentLinkSetup,
  PaymentTransaction,
  PaymentTransactionRequest,
  PayoutAddress,
  PayoutChallenge,
  Paywall,
  PortalChangeRequest,
  PortalConfirmedEmail,
  PortalCustomer,
  PortalInvoice,
  PortalLoginRequest,
  PortalPlans,
  PortalRefund,
  PortalRenewal,
  PortalSession,
  PortalSubscription,
  PortalVisit,
  PreparedRefunds,
  PrepareRefundsRequest,
  PreviewPortalChangeRequest,
  PreviewSubscriptionChangeRequest,
  Price,
  Product,
  Project,
  PromotionCode,
  PublicCheckout,
  PublicCheckoutRequest,
  PublicPaymentIntent,
  PublicPaymentLink,
  PublicRefund,
  RecordedUsage,
  RecordedUsageBatch,
  RecordUsageBatchRequest,
  RecordUsageRequest,
  Refund,
  RefundClaimLink,
  RefundRequest,
  RenamePasskeyRequest,
  RequestLog,
  ReservedAmount,
  ResetLink,
  Revenue,
  SandboxClock,
  SandboxEvent,
  SandboxEventRequest,
  SandboxPayment,
  SandboxPaymentRequest,
  SandboxRefundPaymentRequest,
  SandboxReset,
  SandboxResetRequest,
  SavedView,
  SaveViewRequest,
  SearchResults,
  SecuritySettings,
  SendPaymentRequest,
  SendRefundsRequest,
  SentPayment,
  SentRefunds,
  SetUpPaymentLinkRequest,
  SignedInDevice,
  SignInRequest,
  Sponsor,
  StepUpRequest,
  Subscription,
  SubscriptionChangePreview,
  TaxRate,
  TaxReport,
  Terminal,
  Till,
  TillCode,
  UpdateBrandRequest,
  UpdateCheckoutSessionRequest,
  UpdateCustomerRequest,
  UpdateDiscountRequest,
  UpdateInvoiceRequest,
  UpdateMemberRequest,
  UpdateNotificationRequest,
  UpdateOwnMemberRequest,
  UpdatePaymentIntentRequest,
  UpdatePaymentLinkRequest,
  UpdatePayoutAddressRequest,
  UpdatePayoutDelayRequest,
  UpdatePortalCustomerRequest,
  UpdatePriceRequest,
  UpdateProductRequest,
  UpdateProfileRequest,
  UpdateProjectRequest,
  UpdatePromotionCodeRequest,
  UpdateRefundRequest,
  UpdateSavedViewRequest,
  UpdateSecurityRequest,
  UpdateSponsorRequest,
  UpdateSubscriptionRequest,
  UpdateTaxRateRequest,
  UpdateTerminalRequest,
  UpdateWebhookEndpointRequest,
  UpdateWebhookRequest,
  UsageRecord,
  UsageSummary,
  UseMemberLinkRequest,
  VerifiedPayoutAddress,
  VerifyCreditTokenRequest,
  VerifyPayoutAddressRequest,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointTest,
  WebhookEvent,
  WebhookSecret,
  X402PaymentRequest,
  X402Settlement,
  X402Supported,
  X402Verification,
} from './types.ts';

/** Every resource of the service. */
export class Resources {
  readonly merchant: MerchantResource;
  readonly dashboard: DashboardResource;
  readonly passkeys: PasskeysResource;
  readonly members: MembersResource;
  readonly invitations: InvitationsResource;
  readonly apiKeys: ApiKeysResource;
  readonly terminals: TerminalsResource;
  readonly tills: TillsResource;
  readonly refundRequests: RefundRequestsResource;
  readonly intents: IntentsResource;
  readonly exceptions: ExceptionsResource;
  readonly refunds: RefundsResource;
  readonly creditNotes: CreditNotesResource;
  readonly publicRefunds: PublicRefundsResource;
  readonly publicIntents: PublicIntentsResource;
  readonly sponsor: SponsorResource;
  readonly sandbox: SandboxResource;
  readonly projects: ProjectsResource;
  readonly products: ProductsResource;
  readonly customers: CustomersResource;
  readonly taxRates: TaxRatesResource;
  readonly discounts: DiscountsResource;
  readonly promotionCodes: PromotionCodesResource;
  readonly prices: PricesResource;
  readonly checkoutSessions: CheckoutSessionsResource;
  readonly invoices: InvoicesResource;
  readonly subscriptions: SubscriptionsResource;
  readonly paymentLinks: PaymentLinksResource;
  readonly publicLinks: PublicLinksResource;
  readonly paywalls: PaywallsResource;
  readonly creditTokens: CreditTokensResource;
  readonly x402: X402Resource;
  readonly usage: UsageResource;
  readonly billing: BillingResource;
  readonly notes: NotesResource;
  readonly accounting: AccountingResource;
  readonly webhookEndpoints: WebhookEndpointsResource;
  readonly notifications: NotificationsResource;
  readonly webhookDeliveries: WebhookDeliveriesResource;
  readonly requestLogs: RequestLogsResource;
  readonly events: EventsResource;
  readonly portalSessions: PortalSessionsResource;
  readonly portal: PortalResource;
  readonly search: SearchResource;
  readonly health: HealthResource;

  constructor(send: Send) {
    this.merchant = new MerchantResource(send);
    this.dashboard = new DashboardResource(send);
    this.passkeys = new PasskeysResource(send);
    this.members = new MembersResource(send);
    this.invitations = new InvitationsResource(send);
    this.apiKeys = new ApiKeysResource(send);
    this.terminals = new TerminalsResource(send);
    this.tills = new TillsResource(send);
    this.refundRequests = new RefundRequestsResource(send);
    this.intents = new IntentsResource(send);
    this.exceptions = new ExceptionsResource(send);
    this.refunds = new RefundsResource(send);
    this.creditNotes = new CreditNotesResource(send);
    this.publicRefunds = new PublicRefundsResource(send);
    this.publicIntents = new PublicIntentsResource(send);
    this.sponsor = new SponsorResource(send);
    this.sandbox = new SandboxResource(send);
    this.projects = new ProjectsResource(send);
    this.products = new ProductsResource(send);
    this.customers = new CustomersResource(send);
    this.taxRates = new TaxRatesResource(send);
    this.discounts = new DiscountsResource(send);
    this.promotionCodes = new PromotionCodesResource(send);
    this.prices = new PricesResource(send);
    this.checkoutSessions = new CheckoutSessionsResource(send);
    this.invoices = new InvoicesResource(send);
    this.subscriptions = new SubscriptionsResource(send);
    this.paymentLinks = new PaymentLinksResource(send);
    this.publicLinks = new PublicLinksResource(send);
    this.paywalls = new PaywallsResource(send);
    this.creditTokens = new CreditTokensResource(send);
    this.x402 = new X402Resource(send);
    this.usage = new UsageResource(send);
    this.billing = new BillingResource(send);
    this.notes = new NotesResource(send);
    this.accounting = new AccountingResource(send);
    this.webhookEndpoints = new WebhookEndpointsResource(send);
    this.notifications = new NotificationsResource(send);
    this.webhookDeliveries = new WebhookDeliveriesResource(send);
    this.requestLogs = new RequestLogsResource(send);
    this.events = new EventsResource(send);
    this.portalSessions = new PortalSessionsResource(send);
    this.portal = new PortalResource(send);
    this.search = new SearchResource(send);
    this.health = new HealthResource(send);
  }
}

export class MerchantResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Get the merchant profile. Any valid key. */
  async retrieve(options: RequestOptions = {}): Promise<Answered<MerchantProfile>> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/me', isRepeatable: true }, options);
  }

  /** Get aggregate stats. Scopes: `payments:read`. */
  async stats(options: RequestOptions = {}): Promise<Answered<MerchantStats>> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/stats', isRepeatable: true }, options);
  }

  /**
   * Set the webhook URL. Events carry the names and e-mail addresses of customers, so this requires all four scopes or an owner who has just confirmed.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async updateWebhook(body: UpdateWebhookRequest, options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/webhook', body }, options);
  }

  /**
   * Remove the webhook URL. Stops sending webhooks; events are kept and can be listed. Also 204 if no URL is set.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async removeWebhook(options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'DELETE', path: '/api/b2b/merchants/webhook', isRepeatable: true }, options);
  }

  /** Get the payout address. Any valid key. */
  async retrievePayoutAddress(options: RequestOptions = {}): Promise<Answered<PayoutAddress>> {
    return this.#send(
      { method: 'GET', path: '/api/b2b/merchants/payout-address', isRepeatable: true },
      options,
    );
  }

  /**
   * Set the payout address. Applies to intents created from now on; each keeps the destination it was created with. A program, a mint or a token account is refused. So is an address that another merchant of the installation uses, unless you prove that the wallet is yours. If an address is already set, the change is delayed by `payoutChangeDelayHours`: the response has it as `pendingChange`, every owner gets an e-mail, and an owner can cancel it. A newer change replaces it and starts the delay again.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async updatePayoutAddress(
    body: UpdatePayoutAddressRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PayoutAddress>> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/payout-address', body }, options);
  }

  /**
   * Create a message for a wallet to sign. The first step of proving that a wallet is yours. The message names this installation and your merchant, and can be used once, within 10 minutes.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async createPayoutChallenge(
    body: CreatePayoutChallengeRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PayoutChallenge>> {
    return this.#send({ method: 'POST', path: '/api/b2b/merchants/payout-address/challenge', body }, options);
  }

  /**
   * Prove that a wallet is yours. Takes the signature of a challenge. From now on the address belongs only to your merchant: another merchant that used it can no longer request payments there, and its owners get an e-mail. Your own payout address stays as it is until you set it.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async verifyPayoutAddress(
    body: VerifyPayoutAddressRequest,
    options: RequestOptions = {},
  ): Promise<Answered<VerifiedPayoutAddress>> {
    return this.#send({ method: 'POST', path: '/api/b2b/merchants/payout-address/verify', body }, options);
  }

  /**
   * Set the delay of payout address changes. A longer delay applies immediately. A shorter one applies after the current delay; until then it is the `pendingDelayChange`. Pending changes keep their time.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async updatePayoutDelay(
    body: UpdatePayoutDelayRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PayoutAddress>> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/payout-address/delay', body }, options);
  }

  /**
   * Cancel a pending payout change. Of the merchant’s payout address, of a project’s, or of the delay itself. Everything stays as it is. An owner needs no confirmation.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async cancelPayoutChange(payoutChangeId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/b2b/merchants/payout-changes/${segment('payoutChangeId', payoutChangeId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Change the webhook secret. For 24 hours every webhook carries two signatures, one with each secret.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async generateWebhookSecret(options: KeyedOptions = {}): Promise<Answered<WebhookSecret>> {
    return this.#send(
      {
        method: 'POST',
        path: '/api/b2b/merchants/generate-webhook-secret',
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /** Get name, brand colour and logo. Any valid key. */
  async retrieveBrand(options: RequestOptions = {}): Promise<Answered<Brand>> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/brand', isRepeatable: true }, options);
  }

  /**
   * Change name and brand colour. What customers see. Changes only the fields you send; null clears the colour.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async updateBrand(body: UpdateBrandRequest, options: RequestOptions = {}): Promise<Answered<Brand>> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/brand', body }, options);
  }

  /** Change the time zone. Scopes: `billing:write`, `payments:write`. */
  async update(body: UpdateProfileRequest, options: RequestOptions = {}): Promise<Answered<MerchantProfile>> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/me', body }, options);
  }

  /**
   * Set the logo. The body is the image itself: PNG, JPEG or WebP, at most 256 KiB, 16 to 2048 pixels on each side. Its type is read from its content. The same image again changes nothing.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async setLogo(file: Upload, options: RequestOptions = {}): Promise<Answered<Brand>> {
    return this.#send(
      { method: 'PUT', path: '/api/b2b/merchants/brand/logo', file, isRepeatable: true },
      options,
    );
  }

  /**
   * Remove the logo. Pages show the first letter of the name instead. Also 204 if none is set.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async removeLogo(options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: '/api/b2b/merchants/brand/logo', isRepeatable: true },
      options,
    );
  }

  /**
   * List audit log entries. The audit log only grows. It never contains a secret.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  listAuditEntries(
    query: MerchantListAuditEntriesQuery = {},
    options: RequestOptions = {},
  ): List<AuditEntry> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/b2b/merchants/audit-entries',
            query: { ...query, cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.cursor,
    );
  }
}

export class DashboardResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Sign in with e-mail address and password. Sets the dashboard’s cookie, and one that makes the browser a known device. A session lasts 14 days, and ends after 12 hours without a call. After several failed attempts each further one must wait, twice as long each time, up to 15 minutes: 429 with Retry-After. Failures elsewhere do not slow down a known device. */
  async signIn(body: SignInRequest, options: RequestOptions = {}): Promise<Answered<DashboardSession>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/sign-in', body, isKeyless: true }, options);
  }

  /** Start signing in with a passkey. Options for the browser. Valid for one response, within 5 minutes. */
  async startPasskeySignIn(options: RequestOptions = {}): Promise<Answered<PasskeyRequestOptions>> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/sign-in/passkey-options', isKeyless: true },
      options,
    );
  }

  /** Sign in with a passkey. The passkey identifies the member. */
  async signInWithPasskey(
    body: PasskeySignInRequest,
    options: RequestOptions = {},
  ): Promise<Answered<DashboardSession>> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/sign-in/passkey', body, isKeyless: true },
      options,
    );
  }

  /** Sign out */
  async signOut(options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'POST', path: '/api/dashboard/sign-out', isKeyless: true }, options);
  }

  /** Sign out everywhere */
  async signOutEverywhere(options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/sign-out-everywhere', isKeyless: true },
      options,
    );
  }

  /** Start confirming with a passkey */
  async startPasskeyStepUp(options: RequestOptions = {}): Promise<Answered<PasskeyRequestOptions>> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/step-up/passkey-options', isKeyless: true },
      options,
    );
  }

  /** Confirm your identity. By password or passkey. For 10 minutes, operations that returned 403 STEP_UP_REQUIRED are allowed. The session gets a new cookie; its csrfToken stays. */
  async stepUp(body: StepUpRequest, options: RequestOptions = {}): Promise<Answered<DashboardSession>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/step-up', body, isKeyless: true }, options);
  }

  /** Change your own password. Ends every other session of the member. This one gets a new cookie; its csrfToken stays. */
  async changePassword(
    body: ChangePasswordRequest,
    options: RequestOptions = {},
  ): Promise<Answered<DashboardSession>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/password', body, isKeyless: true }, options);
  }

  /** Read a setup, invitation or reset link. Does not use up the link. */
  async openLink(body: OpenMemberLinkRequest, options: RequestOptions = {}): Promise<Answered<MemberLink>> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/links/open', body, isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Use a setup, invitation or reset link. Works once: creates the member with this password, or restores a member’s access, and signs them in. Restoring access removes the member’s passkeys and every other session. */
  async useLink(
    body: UseMemberLinkRequest,
    options: RequestOptions = {},
  ): Promise<Answered<DashboardSession>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/links/use', body, isKeyless: true }, options);
  }

  /** Who is signed in */
  async retrieveSession(options: RequestOptions = {}): Promise<Answered<DashboardSession>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/session', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** List your own sessions */
  async listSessions(options: RequestOptions = {}): Promise<Answered<SignedInDevice[]>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/sessions', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** End one of your own sessions */
  async endSession(dashboardSessionId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/dashboard/sessions/${segment('dashboardSessionId', dashboardSessionId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Change your own name */
  async updateMe(body: UpdateOwnMemberRequest, options: RequestOptions = {}): Promise<Answered<Member>> {
    return this.#send({ method: 'PATCH', path: '/api/dashboard/me', body, isKeyless: true }, options);
  }

  /** Get the security settings */
  async retrieveSecurity(options: RequestOptions = {}): Promise<Answered<SecuritySettings>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/security', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Change the security settings. To require passkeys of owners, you need one yourself. */
  async updateSecurity(
    body: UpdateSecurityRequest,
    options: RequestOptions = {},
  ): Promise<Answered<SecuritySettings>> {
    return this.#send({ method: 'PATCH', path: '/api/dashboard/security', body, isKeyless: true }, options);
  }

  /** Get the steps to the first customer. Each is checked by what the service has stored, over all time. */
  async retrieveOnboarding(options: RequestOptions = {}): Promise<Answered<Onboarding>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/onboarding', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Confirm that a payment shows in your wallet. For wallets that cannot sign a message, such as a multisig. Nothing is verified by it. */
  async confirmWallet(
    body: ConfirmWalletRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Onboarding>> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/onboarding/wallet', body, isKeyless: true },
      options,
    );
  }

  /** List saved views */
  async listSavedViews(options: RequestOptions = {}): Promise<Answered<SavedView[]>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/saved-views', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Save a view */
  async saveView(body: SaveViewRequest, options: RequestOptions = {}): Promise<Answered<SavedView>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/saved-views', body, isKeyless: true }, options);
  }

  /** Rename or share a view */
  async updateSavedView(
    viewId: string,
    body: UpdateSavedViewRequest,
    options: RequestOptions = {},
  ): Promise<Answered<SavedView>> {
    return this.#send(
      {
        method: 'PATCH',
        path: `/api/dashboard/saved-views/${segment('viewId', viewId)}`,
        body,
        isKeyless: true,
      },
      options,
    );
  }

  /** Delete a saved view */
  async deleteSavedView(viewId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/dashboard/saved-views/${segment('viewId', viewId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }
}

export class PasskeysResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List your own passkeys */
  async list(options: RequestOptions = {}): Promise<Answered<Passkey[]>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/passkeys', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Start adding a passkey. Options for the browser. Valid for one response, within 5 minutes. */
  async start(options: RequestOptions = {}): Promise<Answered<PasskeyCreationOptions>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/passkeys/options', isKeyless: true }, options);
  }

  /** Add a passkey */
  async add(body: AddPasskeyRequest, options: RequestOptions = {}): Promise<Answered<Passkey>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/passkeys', body, isKeyless: true }, options);
  }

  /** Rename a passkey */
  async rename(
    passkeyId: string,
    body: RenamePasskeyRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Passkey>> {
    return this.#send(
      {
        method: 'PATCH',
        path: `/api/dashboard/passkeys/${segment('passkeyId', passkeyId)}`,
        body,
        isKeyless: true,
      },
      options,
    );
  }

  /** Remove a passkey */
  async remove(passkeyId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/dashboard/passkeys/${segment('passkeyId', passkeyId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }
}

export class MembersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List members */
  async list(options: RequestOptions = {}): Promise<Answered<Member[]>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/members', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Change a member’s role, or disable them. Changes only the fields you send. Applies from the member’s next call. */
  async update(
    memberId: string,
    body: UpdateMemberRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Member>> {
    return this.#send(
      {
        method: 'PATCH',
        path: `/api/dashboard/members/${segment('memberId', memberId)}`,
        body,
        isKeyless: true,
      },
      options,
    );
  }

  /** Remove a member. Permanently. Keys they created stay valid; revoke those they know. */
  async remove(memberId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/dashboard/members/${segment('memberId', memberId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Create a reset link for a member. A link for a member who forgot the password and has no passkey. It works once, within 24 hours, and replaces an earlier one. Using it removes their passkeys. */
  async createResetLink(memberId: string, options: RequestOptions = {}): Promise<Answered<ResetLink>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/dashboard/members/${segment('memberId', memberId)}/reset-link`,
        isKeyless: true,
      },
      options,
    );
  }
}

export class InvitationsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Invite someone. A link to hand over; it works once, within 72 hours, and replaces an earlier one for the same address. If a mail server is set, the link is also sent by e-mail. */
  async create(body: InviteMemberRequest, options: RequestOptions = {}): Promise<Answered<NewInvitation>> {
    return this.#send({ method: 'POST', path: '/api/dashboard/invitations', body, isKeyless: true }, options);
  }

  /** List open invitations */
  async list(options: RequestOptions = {}): Promise<Answered<Invitation[]>> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/invitations', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Withdraw an invitation */
  async withdraw(invitationId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/dashboard/invitations/${segment('invitationId', invitationId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }
}

export class ApiKeysResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Generate an API key. The raw key is in this response and nowhere else. A new key never has more scopes, more allowed addresses or a later expiry than the key that creates it. A key with all four scopes may change the payout address, so among members only an owner can create one. Not repeatable: the response is not stored.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async generate(
    body: GenerateKeyRequest = {},
    options: KeyedOptions = {},
  ): Promise<Answered<GeneratedApiKey>> {
    return this.#send(
      { method: 'POST', path: '/api/b2b/merchants/generate-key', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List API keys. Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`. */
  async list(options: RequestOptions = {}): Promise<Answered<ApiKey[]>> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/keys', isRepeatable: true }, options);
  }

  /** Revoke an API key. Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`. */
  async revoke(keyId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: `/api/b2b/merchants/keys/${segment('keyId', keyId)}`, isRepeatable: true },
      options,
    );
  }
}

export class TerminalsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List terminals. Scopes: `payments:read`. */
  async list(options: RequestOptions = {}): Promise<Answered<Terminal[]>> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/terminals', isRepeatable: true }, options);
  }

  /** Create a terminal. Scopes: `payments:write`. */
  async create(body: CreateTerminalRequest, options: KeyedOptions = {}): Promise<Answered<Terminal>> {
    return this.#send(
      { method: 'POST', path: '/api/b2b/merchants/terminals', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** Update a terminal. Scopes: `payments:write`. */
  async update(
    terminalId: string,
    body: UpdateTerminalRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Terminal>> {
    return this.#send(
      { method: 'PATCH', path: `/api/b2b/merchants/terminals/${segment('terminalId', terminalId)}`, body },
      options,
    );
  }
}

export class TillsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List tills. Scopes: `payments:read`. */
  async list(options: RequestOptions = {}): Promise<Answered<Till[]>> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/tills', isRepeatable: true }, options);
  }

  /**
   * Create a code that pairs a till. The code works once, for 10 minutes, and only at /till. The till gets a key of its own, which can read the project’s active items, sell at the terminal, see its own sales and ask for a refund, and nothing else. A new code for the same terminal ends the one before.
   *
   * Scopes: `billing:read`, `payments:write`.
   */
  async create(body: CreateTillRequest, options: RequestOptions = {}): Promise<Answered<TillCode>> {
    return this.#send(
      { method: 'POST', path: '/api/b2b/merchants/tills', body, isRepeatable: true },
      options,
    );
  }

  /**
   * Unpair a till. Takes effect immediately. A sale it has open can still be paid.
   *
   * Scopes: `payments:write`.
   */
  async unpair(tillId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: `/api/b2b/merchants/tills/${segment('tillId', tillId)}`, isRepeatable: true },
      options,
    );
  }
}

export class RefundRequestsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List refund requests. Scopes: `payments:read`. */
  list(query: RefundRequestsListQuery = {}, options: RequestOptions = {}): List<RefundRequest> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/b2b/merchants/refund-requests',
            query: { ...query, cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * Approve a refund request. Creates a refund of all that is left of the sale. Nothing is sent by it: see the refund.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async approve(refundRequestId: string, options: RequestOptions = {}): Promise<Answered<RefundRequest>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/b2b/merchants/refund-requests/${segment('refundRequestId', refundRequestId)}/approve`,
      },
      options,
    );
  }

  /**
   * Decline a refund request. Staff see it at the till, and can ask again.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async decline(refundRequestId: string, options: RequestOptions = {}): Promise<Answered<RefundRequest>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/b2b/merchants/refund-requests/${segment('refundRequestId', refundRequestId)}/decline`,
      },
      options,
    );
  }
}

export class IntentsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a payment intent. Requests a payment for an order. An order may have several intents until one of them succeeds.
   *
   * Scopes: `payments:write`.
   */
  async create(
    body: CreatePaymentIntentRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<PaymentIntent>> {
    return this.#send(
      { method: 'POST', path: '/api/merchants/intents', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List payment intents. Scopes: `payments:read`. */
  list(query: IntentsListQuery = {}, options: RequestOptions = {}): List<ExpandedPaymentIntent> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/merchants/intents', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List payment intents. Scopes: `payments:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: IntentsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/merchants/intents', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a payment intent. Scopes: `payments:read`. */
  async retrieve(intentId: string, options: RequestOptions = {}): Promise<Answered<PaymentIntent>> {
    return this.#send(
      { method: 'GET', path: `/api/merchants/intents/${segment('intentId', intentId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a payment intent. Its metadata, at any time. Nothing else about an intent changes by hand.
   *
   * Scopes: `payments:write`.
   */
  async update(
    intentId: string,
    body: UpdatePaymentIntentRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PaymentIntent>> {
    return this.#send(
      { method: 'PATCH', path: `/api/merchants/intents/${segment('intentId', intentId)}`, body },
      options,
    );
  }

  /**
   * Cancel a payment intent. Only before anything was paid toward it.
   *
   * Scopes: `payments:write`.
   */
  async cancel(intentId: string, options: KeyedOptions = {}): Promise<Answered<PaymentIntent>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/merchants/intents/${segment('intentId', intentId)}/cancel`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Accept an underpaid payment as paid. You take what has arrived as payment in full, and the order completes. The rest is waived and recorded as `waivedCents`. If it still arrives, it is an exception. Refunds are limited to what was paid.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async accept(intentId: string, options: KeyedOptions = {}): Promise<Answered<PaymentIntent>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/merchants/intents/${segment('intentId', intentId)}/accept`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Remind the payer of an underpaid payment. Tells them by e-mail what is left to pay, and where; ten minutes apart and 20 times at most. The checkout must have a customer with an e-mail address.
   *
   * Scopes: `payments:write`, `billing:write`.
   */
  async remind(intentId: string, options: KeyedOptions = {}): Promise<Answered<PaymentIntent>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/merchants/intents/${segment('intentId', intentId)}/remind`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Get the history of a payment intent. Each change, the transactions that paid toward it, and its exceptions.
   *
   * Scopes: `payments:read`.
   */
  async history(intentId: string, options: RequestOptions = {}): Promise<Answered<PaymentIntentHistory>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/merchants/intents/${segment('intentId', intentId)}/history`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class ExceptionsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List exceptions. Money that matched no intent, was too much, arrived too late, or was of the wrong kind. Less than a cent is dust: closed immediately, and listed only if you filter by its status, transaction or id.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  list(query: ExceptionsListQuery = {}, options: RequestOptions = {}): List<PaymentException> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/exceptions', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List exceptions. Money that matched no intent, was too much, arrived too late, or was of the wrong kind. Less than a cent is dust: closed immediately, and listed only if you filter by its status, transaction or id.
   *
   * Scopes: `billing:read`, `payments:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: ExceptionsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/exceptions', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /**
   * Link an exception to an intent. The intent is credited as if the payment had carried its reference and came now: what it pays for begins with the decision, however old the money is.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async link(
    exceptionId: string,
    body: LinkExceptionRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<PaymentException>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/exceptions/${segment('exceptionId', exceptionId)}/link`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Mark an exception as returned. Florin holds no keys: you send the money back from your wallet, and record it here. Of `over_refunded`, the customer sent it back to you. 409 if a refund of the same payment sends it back, or has.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async markReturned(
    exceptionId: string,
    body: MarkReturnedRequest = {},
    options: KeyedOptions = {},
  ): Promise<Answered<PaymentException>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/exceptions/${segment('exceptionId', exceptionId)}/mark-returned`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Keep an exception’s money. As a tip, or as you have agreed with the customer: it is yours already, and this records it. Of `over_refunded`, the customer keeps it. 409 if a refund of the same payment sends it back, or has.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async keep(
    exceptionId: string,
    body: KeepExceptionRequest = {},
    options: KeyedOptions = {},
  ): Promise<Answered<PaymentException>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/exceptions/${segment('exceptionId', exceptionId)}/keep`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Credit an exception to a customer. It becomes account credit, which the customer’s next invoices use first.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async credit(
    exceptionId: string,
    body: CreditExceptionRequest = {},
    options: KeyedOptions = {},
  ): Promise<Answered<PaymentException>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/exceptions/${segment('exceptionId', exceptionId)}/credit`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Undo the decision about an exception. For one that was marked as returned, kept or credited. Account credit is as it was before: credit that has been spent cannot be taken back.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async reopen(exceptionId: string, options: KeyedOptions = {}): Promise<Answered<PaymentException>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/exceptions/${segment('exceptionId', exceptionId)}/reopen`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Suggest what an exception was for. The wallet the money came from, and the payment intents it may have been meant for: one that a payer claims it for, that it names, or that lacks exactly this amount. Nothing is decided by it.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async suggestions(
    exceptionId: string,
    options: RequestOptions = {},
  ): Promise<Answered<PaymentExceptionSuggestions>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/exceptions/${segment('exceptionId', exceptionId)}/suggestions`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class RefundsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a refund. Promises money back, within what was received. Florin holds no keys: your wallet sends it, and the chain proves it. Without an address, send the customer a claim link to get one. With `notifyCustomer` and an e-mail address the link is e-mailed.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async create(body: CreateRefundRequest, options: KeyedOptions = {}): Promise<Answered<Refund>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/refunds', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List refunds. Scopes: `billing:read`, `payments:read`. */
  list(query: RefundsListQuery = {}, options: RequestOptions = {}): List<Refund> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/refunds', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List refunds. Scopes: `billing:read`, `payments:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: RefundsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/refunds', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a refund. Scopes: `billing:read`, `payments:read`. */
  async retrieve(refundId: string, options: RequestOptions = {}): Promise<Answered<Refund>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/refunds/${segment('refundId', refundId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a refund. Its metadata, at any time. Nothing else about a refund changes by this.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async update(
    refundId: string,
    body: UpdateRefundRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Refund>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/refunds/${segment('refundId', refundId)}`, body },
      options,
    );
  }

  /**
   * Cancel a refund. Before it is sent. What was sent of it already stays refunded. A transaction that was signed before and lands afterwards still counts, as far as the money was not refunded otherwise.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async cancel(refundId: string, options: KeyedOptions = {}): Promise<Answered<Refund>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/refunds/${segment('refundId', refundId)}/cancel`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Create a claim link. A page on which the customer names the address to refund to. Send it to the customer alone: it is shown once, and a new link ends the one before.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async createClaimLink(refundId: string, options: RequestOptions = {}): Promise<Answered<RefundClaimLink>> {
    return this.#send(
      { method: 'POST', path: `/api/v2/refunds/${segment('refundId', refundId)}/claim-link` },
      options,
    );
  }

  /**
   * Approve the address of a refund. Freezes the address that the customer named, or names one where there is none yet. Say the address you have looked at: if the customer has changed it meanwhile, nothing is approved.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async approveAddress(
    refundId: string,
    body: ApproveRefundAddressRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<Refund>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/refunds/${segment('refundId', refundId)}/approve-address`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Prepare refunds for signing. One unsigned transaction that sends all of them, or none. Sign it with the wallet of `payer` within a minute or so, in a browser or offline, and send it. Preparing again is safe until one has been signed; with `unlessPrepared` it is refused while another may still land.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async prepare(
    body: PrepareRefundsRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PreparedRefunds>> {
    return this.#send({ method: 'POST', path: '/api/v2/refunds/prepare', body }, options);
  }

  /**
   * Send signed refunds. For wallets that sign and do not send. Only a transaction that sends nothing but refunds that are ready, each exactly what is due, is sent to the network; sending it again is the same transaction.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async send(body: SendRefundsRequest, options: RequestOptions = {}): Promise<Answered<SentRefunds>> {
    return this.#send({ method: 'POST', path: '/api/v2/refunds/send', body }, options);
  }

  /**
   * Look a refund up on the chain. Triggers a lookup soon; calling more often changes nothing. Refunds are found without it too.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async check(refundId: string, options: RequestOptions = {}): Promise<Answered<Refund>> {
    return this.#send(
      { method: 'POST', path: `/api/v2/refunds/${segment('refundId', refundId)}/check` },
      options,
    );
  }
}

export class CreditNotesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List credit notes. One for every refund that the chain has proven. They never change.
   *
   * Scopes: `billing:read`.
   */
  list(query: CreditNotesListQuery = {}, options: RequestOptions = {}): List<CreditNote> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/credit-notes', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List credit notes. One for every refund that the chain has proven. They never change.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: CreditNotesListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/credit-notes', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a credit note. Scopes: `billing:read`. */
  async retrieve(creditNoteId: string, options: RequestOptions = {}): Promise<Answered<CreditNote>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/credit-notes/${segment('creditNoteId', creditNoteId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Get a credit note as a PDF. For people: it corrects the invoice, and says where the money went.
   *
   * Scopes: `billing:read`.
   */
  async pdf(
    creditNoteId: string,
    query: CreditNotesPdfQuery = {},
    options: RequestOptions = {},
  ): Promise<Answered<Uint8Array<ArrayBuffer>>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/credit-notes/${segment('creditNoteId', creditNoteId)}/pdf`,
        query,
        isRepeatable: true,
        answer: 'bytes',
      },
      options,
    );
  }

  /**
   * Get a credit note as XML. For accounting programs, as in EN 16931: what it takes back of its invoice. 409 where that is nothing, or where seller or buyer lack what the standard requires.
   *
   * Scopes: `billing:read`.
   */
  async xml(
    creditNoteId: string,
    query: CreditNotesXmlQuery = {},
    options: RequestOptions = {},
  ): Promise<string> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/credit-notes/${segment('creditNoteId', creditNoteId)}/xml`,
        query,
        isRepeatable: true,
        answer: 'text',
      },
      options,
    );
  }
}

export class PublicRefundsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Get a refund as its customer */
  async retrieve(token: string, options: RequestOptions = {}): Promise<Answered<PublicRefund>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/public/refunds/${segment('token', token)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Name the address of a refund. The merchant approves it before anything is sent, unless you signed with the wallet that paid. Until then it can be changed. */
  async claim(
    token: string,
    body: ClaimRefundRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PublicRefund>> {
    return this.#send(
      { method: 'POST', path: `/api/public/refunds/${segment('token', token)}`, body, isKeyless: true },
      options,
    );
  }
}

export class PublicIntentsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Get a payment intent as a payer */
  async retrieve(intentId: string, options: RequestOptions = {}): Promise<Answered<PublicPaymentIntent>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/public/intents/${segment('intentId', intentId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Report a payment. Triggers a lookup on chain soon; calling more often changes nothing. If you name a transaction, it is read like any other: it counts if it pays this intent. */
  async check(
    intentId: string,
    body: CheckPaymentRequest = {},
    options: RequestOptions = {},
  ): Promise<Answered<PublicPaymentIntent>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/public/intents/${segment('intentId', intentId)}/check`,
        body,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Get a payment as a transaction. A transaction that pays what is due on this intent, for this wallet to sign. Where fees are sponsored, the payer needs no SOL. */
  async createTransaction(
    intentId: string,
    body: PaymentTransactionRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PaymentTransaction>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/public/intents/${segment('intentId', intentId)}/transaction`,
        body,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Send a signed payment. For wallets that sign and do not send. Only a transaction that pays exactly the amount due to this intent is sent to the network; sending it again is the same payment. */
  async send(
    intentId: string,
    body: SendPaymentRequest,
    options: RequestOptions = {},
  ): Promise<Answered<SentPayment>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/public/intents/${segment('intentId', intentId)}/send`,
        body,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Reserve an exact amount. For exchanges and wallets that send neither reference nor memo: an amount that only this intent is paid by at this address. While the same is due, you get the same amount. */
  async reserveAmount(intentId: string, options: RequestOptions = {}): Promise<Answered<ReservedAmount>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/public/intents/${segment('intentId', intentId)}/reserved-amount`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }
}

export class SponsorResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Get the fee sponsor. Whether network fees are paid for payers who hold no SOL, from what, and how much of it is left.
   *
   * Scopes: `payments:read`.
   */
  async retrieve(options: RequestOptions = {}): Promise<Answered<Sponsor>> {
    return this.#send({ method: 'GET', path: '/api/v2/sponsor', isRepeatable: true }, options);
  }

  /**
   * Choose whose fees are paid. Applies to payments from now on. A project may choose for itself in its settings.
   *
   * Scopes: `payments:write`.
   */
  async update(body: UpdateSponsorRequest, options: RequestOptions = {}): Promise<Answered<Sponsor>> {
    return this.#send({ method: 'PATCH', path: '/api/v2/sponsor', body }, options);
  }
}

export class SandboxResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Pay with test money. A test wallet pays on the sandbox chain; the payment is detected like any other. Each call is a transaction of its own, also within one slot.
   *
   * Any valid key.
   */
  async pay(body: SandboxPaymentRequest, options: KeyedOptions = {}): Promise<Answered<SandboxPayment>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/sandbox/payments', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Send a refund with test money. A test wallet in the place of yours, never the one that pays, signs the refund on the sandbox chain; it is found like any other. With an amount it sends just that: a part, or something more after it was sent.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async payRefund(
    refundId: string,
    body: SandboxRefundPaymentRequest = {},
    options: RequestOptions = {},
  ): Promise<Answered<SandboxPayment>> {
    return this.#send(
      { method: 'POST', path: `/api/v2/sandbox/refunds/${segment('refundId', refundId)}/pay`, body },
      options,
    );
  }

  /**
   * Get the sandbox time. Also works while the clock is being advanced: it returns the current progress and the target.
   *
   * Any valid key.
   */
  async clock(options: RequestOptions = {}): Promise<Answered<SandboxClock>> {
    return this.#send({ method: 'GET', path: '/api/v2/sandbox/clock', isRepeatable: true }, options);
  }

  /**
   * Advance the sandbox clock. Returns when every step that became due has run. It does not wait for webhook deliveries. One advance runs at a time: a second one starts after the first, and its seconds count from there.
   *
   * Any valid key.
   */
  async moveClock(
    body: MoveSandboxClockRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<SandboxClock>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/sandbox/clock', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Send a sample webhook. Sent to your webhook URL signed, retried and logged like any other. Its ids refer to nothing: none of your objects change.
   *
   * Any valid key.
   */
  async sendEvent(body: SandboxEventRequest, options: RequestOptions = {}): Promise<Answered<SandboxEvent>> {
    return this.#send({ method: 'POST', path: '/api/v2/sandbox/events', body }, options);
  }

  /**
   * Delete all data. Deletes customers, payment intents, checkout sessions, invoices, subscriptions, usage, exceptions, events and deliveries, and, unless `keepCatalog` is set, products, prices, payment links and terminals. The merchant, members, API keys, webhook URL and secret, payout addresses, projects with their settings, and the audit log are kept. Invoice numbers start over. Past payments stay on the sandbox chain and are not detected again.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async reset(body: SandboxResetRequest, options: RequestOptions = {}): Promise<Answered<SandboxReset>> {
    return this.#send({ method: 'POST', path: '/api/v2/sandbox/reset', body }, options);
  }
}

export class ProjectsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a project. Every customer, product, price and sale belongs to one project.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreateProjectRequest, options: KeyedOptions = {}): Promise<Answered<Project>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/projects', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List projects. Scopes: `billing:read`. */
  list(query: ProjectsListQuery = {}, options: RequestOptions = {}): List<Project> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/projects', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List projects. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: ProjectsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/projects', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a project. Scopes: `billing:read`. */
  async retrieve(projectId: string, options: RequestOptions = {}): Promise<Answered<Project>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/projects/${segment('projectId', projectId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a project. Changes only the fields you send; null clears. A limit applies from now on; a new volume limit includes what was already counted this month. A new payout address is delayed by the merchant’s `payoutChangeDelayHours` as `pendingChange`, unless the project could not be paid before.
   *
   * Scopes: `billing:write`.
   */
  async update(
    projectId: string,
    body: UpdateProjectRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Project>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/projects/${segment('projectId', projectId)}`, body },
      options,
    );
  }

  /**
   * Archive a project. It can still be read, but accepts nothing new and asks for nothing: what could still be paid in it is canceled. Not while an invoice is open or a payment under way. Deleting it again changes nothing.
   *
   * Scopes: `billing:write`.
   */
  async delete(projectId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: `/api/v2/projects/${segment('projectId', projectId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Set a project’s logo. The body is the image itself: PNG, JPEG or WebP, at most 256 KiB, 16 to 2048 pixels on each side. Its type is read from its content. The same image again changes nothing.
   *
   * Scopes: `billing:write`.
   */
  async setLogo(projectId: string, file: Upload, options: RequestOptions = {}): Promise<Answered<Project>> {
    return this.#send(
      {
        method: 'PUT',
        path: `/api/v2/projects/${segment('projectId', projectId)}/logo`,
        file,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Remove a project’s logo. Its customers see the merchant’s instead. Also 204 if none is set.
   *
   * Scopes: `billing:write`.
   */
  async removeLogo(projectId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/projects/${segment('projectId', projectId)}/logo`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class ProductsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Set a product’s image. The body is the image itself: PNG, JPEG or WebP, at most 256 KiB, 16 to 2048 pixels on each side. Its type is read from its content. Buyers see it beside the product. The same image again changes nothing.
   *
   * Scopes: `billing:write`.
   */
  async setImage(productId: string, file: Upload, options: RequestOptions = {}): Promise<Answered<Product>> {
    return this.#send(
      {
        method: 'PUT',
        path: `/api/v2/products/${segment('productId', productId)}/image`,
        file,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Remove a product’s image. Also 204 if it has none.
   *
   * Scopes: `billing:write`.
   */
  async removeImage(productId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/products/${segment('productId', productId)}/image`,
        isRepeatable: true,
      },
      options,
    );
  }

  /** Create a product. Scopes: `billing:write`. */
  async create(body: CreateProductRequest, options: KeyedOptions = {}): Promise<Answered<Product>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/products', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List products. Scopes: `billing:read`. */
  list(query: ProductsListQuery = {}, options: RequestOptions = {}): List<Product> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/products', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List products. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: ProductsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/products', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a product. Scopes: `billing:read`. */
  async retrieve(productId: string, options: RequestOptions = {}): Promise<Answered<Product>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/products/${segment('productId', productId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a product. Changes only the fields you send; null clears.
   *
   * Scopes: `billing:write`.
   */
  async update(
    productId: string,
    body: UpdateProductRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Product>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/products/${segment('productId', productId)}`, body },
      options,
    );
  }
}

export class CustomersResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Create a customer. Scopes: `billing:write`. */
  async create(body: CreateCustomerRequest, options: KeyedOptions = {}): Promise<Answered<Customer>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/customers', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List customers. Scopes: `billing:read`. */
  list(query: CustomersListQuery = {}, options: RequestOptions = {}): List<Customer> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/customers', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List customers. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: CustomersListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/customers', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a customer. Scopes: `billing:read`. */
  async retrieve(customerId: string, options: RequestOptions = {}): Promise<Answered<Customer>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/customers/${segment('customerId', customerId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a customer. Changes only the fields you send; null clears. The externalCustomerId stays.
   *
   * Scopes: `billing:write`.
   */
  async update(
    customerId: string,
    body: UpdateCustomerRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Customer>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/customers/${segment('customerId', customerId)}`, body },
      options,
    );
  }

  /**
   * Merge a customer into another. For somebody who was written down twice. Balances are added up, and both ids stand for one person from now on: with the details of the other customer, one balance, one trial of each product, and one portal that shows everything of both. What was sold stays as it is, and `externalCustomerId` keeps finding the same id. It requires all four scopes or an owner who has just confirmed, and cannot be undone.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async merge(
    customerId: string,
    body: MergeCustomerRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Customer>> {
    return this.#send(
      { method: 'POST', path: `/api/v2/customers/${segment('customerId', customerId)}/merge`, body },
      options,
    );
  }

  /**
   * Delete a customer and erase their data. Immediately the customer is found nowhere, the portal is closed and checkouts that could still be paid are canceled. What was recorded of them is overwritten in the background; invoices keep what the law requires. It cannot be undone.
   *
   * Scopes: `billing:write`.
   */
  async delete(
    customerId: string,
    query: CustomersDeleteQuery = {},
    options: RequestOptions = {},
  ): Promise<Answered<CustomerErasure>> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/customers/${segment('customerId', customerId)}`,
        query,
        isRepeatable: true,
      },
      options,
    );
  }

  /** Get how far a customer’s erasure is. Scopes: `billing:read`. */
  async retrieveErasure(
    customerId: string,
    options: RequestOptions = {},
  ): Promise<Answered<CustomerErasure>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/customers/${segment('customerId', customerId)}/erasure`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Adjust a balance. Send exactly one of `deltaCredits` and `deltaCents`. A balance never falls below zero.
   *
   * Scopes: `billing:write`.
   */
  async adjustBalance(
    customerId: string,
    body: AdjustBalanceRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<BalanceEntry>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/customers/${segment('customerId', customerId)}/balance-adjustments`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * List balance entries. Every movement of the customer’s two balances. Entries are never changed.
   *
   * Scopes: `billing:read`.
   */
  listBalanceEntries(
    customerId: string,
    query: CustomersListBalanceEntriesQuery = {},
    options: RequestOptions = {},
  ): List<BalanceEntry> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: `/api/v2/customers/${segment('customerId', customerId)}/balance-entries`,
            query: { ...query, cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List balance entries. Every movement of the customer’s two balances. Entries are never changed.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listBalanceEntriesCsv(
    customerId: string,
    query: CustomersListBalanceEntriesCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/customers/${segment('customerId', customerId)}/balance-entries`,
        query,
        isRepeatable: true,
        answer: 'csv',
      },
      options,
    );
  }
}

export class TaxRatesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a tax rate. Its percentage, country and category never change: for another percentage, create another rate.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreateTaxRateRequest, options: KeyedOptions = {}): Promise<Answered<TaxRate>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/tax-rates', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List tax rates. Scopes: `billing:read`. */
  list(query: TaxRatesListQuery = {}, options: RequestOptions = {}): List<TaxRate> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/tax-rates', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List tax rates. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: TaxRatesListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/tax-rates', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a tax rate. Scopes: `billing:read`. */
  async retrieve(taxRateId: string, options: RequestOptions = {}): Promise<Answered<TaxRate>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/tax-rates/${segment('taxRateId', taxRateId)}`, isRepeatable: true },
      options,
    );
  }

  /** Update or archive a tax rate. Scopes: `billing:write`. */
  async update(
    taxRateId: string,
    body: UpdateTaxRateRequest,
    options: RequestOptions = {},
  ): Promise<Answered<TaxRate>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/tax-rates/${segment('taxRateId', taxRateId)}`, body },
      options,
    );
  }
}

export class DiscountsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a discount. What it takes off, of what and for how long never changes; who can get it does.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreateDiscountRequest, options: KeyedOptions = {}): Promise<Answered<Discount>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/discounts', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List discounts. Scopes: `billing:read`. */
  list(query: DiscountsListQuery = {}, options: RequestOptions = {}): List<Discount> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/discounts', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List discounts. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: DiscountsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/discounts', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a discount. Scopes: `billing:read`. */
  async retrieve(discountId: string, options: RequestOptions = {}): Promise<Answered<Discount>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/discounts/${segment('discountId', discountId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a discount. Its name, and who can still get it. Those who have it keep it.
   *
   * Scopes: `billing:write`.
   */
  async update(
    discountId: string,
    body: UpdateDiscountRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Discount>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/discounts/${segment('discountId', discountId)}`, body },
      options,
    );
  }
}

export class PromotionCodesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a promotion code. Customers who have the code get its discount. Without `code` one is generated.
   *
   * Scopes: `billing:write`.
   */
  async create(
    body: CreatePromotionCodeRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<PromotionCode>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/promotion-codes', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List promotion codes. Scopes: `billing:read`. */
  list(query: PromotionCodesListQuery = {}, options: RequestOptions = {}): List<PromotionCode> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/promotion-codes', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List promotion codes. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: PromotionCodesListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/promotion-codes', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a promotion code. Scopes: `billing:read`. */
  async retrieve(promotionCodeId: string, options: RequestOptions = {}): Promise<Answered<PromotionCode>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/promotion-codes/${segment('promotionCodeId', promotionCodeId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /** Switch a promotion code on or off. Scopes: `billing:write`. */
  async update(
    promotionCodeId: string,
    body: UpdatePromotionCodeRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PromotionCode>> {
    return this.#send(
      {
        method: 'PATCH',
        path: `/api/v2/promotion-codes/${segment('promotionCodeId', promotionCodeId)}`,
        body,
      },
      options,
    );
  }
}

export class PricesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a price. The amount and terms of a price never change; create another price for other terms.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreatePriceRequest, options: KeyedOptions = {}): Promise<Answered<Price>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/prices', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List prices. Scopes: `billing:read`. */
  list(query: PricesListQuery = {}, options: RequestOptions = {}): List<ExpandedPrice> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/prices', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List prices. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: PricesListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/prices', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a price. Scopes: `billing:read`. */
  async retrieve(
    priceId: string,
    { expand, ...options }: RequestOptions & PricesRetrieveQuery = {},
  ): Promise<Answered<ExpandedPrice>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/prices/${segment('priceId', priceId)}`,
        query: { expand },
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update a price. Its name, lookupKey and metadata, and whether it can be bought. Nothing else about a price ever changes.
   *
   * Scopes: `billing:write`.
   */
  async update(
    priceId: string,
    body: UpdatePriceRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Price>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/prices/${segment('priceId', priceId)}`, body },
      options,
    );
  }
}

export class CheckoutSessionsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a checkout session. Send the customer to `checkoutUrl`. Deliver only after the webhook `checkout.session.completed`: a redirect is no proof of payment.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async create(
    body: CreateCheckoutSessionRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<CheckoutSession>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/checkout-sessions', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List checkout sessions. Scopes: `billing:read`. */
  list(query: CheckoutSessionsListQuery = {}, options: RequestOptions = {}): List<ExpandedCheckoutSession> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/v2/checkout-sessions',
            query: { ...query, cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List checkout sessions. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: CheckoutSessionsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/checkout-sessions', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a checkout session. Scopes: `billing:read`. */
  async retrieve(
    sessionId: string,
    { expand, ...options }: RequestOptions & CheckoutSessionsRetrieveQuery = {},
  ): Promise<Answered<ExpandedCheckoutSession>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/checkout-sessions/${segment('sessionId', sessionId)}`,
        query: { expand },
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update a checkout session. Its metadata, at any time. Its payment intent, invoice and subscription keep what was copied to them when they were created.
   *
   * Scopes: `billing:write`.
   */
  async update(
    sessionId: string,
    body: UpdateCheckoutSessionRequest,
    options: RequestOptions = {},
  ): Promise<Answered<CheckoutSession>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/checkout-sessions/${segment('sessionId', sessionId)}`, body },
      options,
    );
  }

  /**
   * Cancel a checkout session. Only while nothing was paid toward it. Its invoice is voided and its intent canceled.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async cancel(sessionId: string, options: KeyedOptions = {}): Promise<Answered<CheckoutSession>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/checkout-sessions/${segment('sessionId', sessionId)}/cancel`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }
}

export class InvoicesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List invoices. Scopes: `billing:read`. */
  list(query: InvoicesListQuery = {}, options: RequestOptions = {}): List<ExpandedInvoice> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/invoices', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List invoices. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: InvoicesListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/invoices', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get an invoice. Scopes: `billing:read`. */
  async retrieve(
    invoiceId: string,
    { expand, ...options }: RequestOptions & InvoicesRetrieveQuery = {},
  ): Promise<Answered<ExpandedInvoice>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}`,
        query: { expand },
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update an invoice. Of a draft, everything that is in it. Of any other invoice its metadata, at any time, and nothing else.
   *
   * Scopes: `billing:write`.
   */
  async update(
    invoiceId: string,
    body: UpdateInvoiceRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Invoice>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}`, body },
      options,
    );
  }

  /**
   * Get an invoice as a PDF. For people: it is the customer’s receipt once it is paid, and has a code to scan while it can be paid.
   *
   * Scopes: `billing:read`.
   */
  async pdf(
    invoiceId: string,
    query: InvoicesPdfQuery = {},
    options: RequestOptions = {},
  ): Promise<Answered<Uint8Array<ArrayBuffer>>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/pdf`,
        query,
        isRepeatable: true,
        answer: 'bytes',
      },
      options,
    );
  }

  /**
   * Get an invoice as XML. For accounting programs, as in EN 16931. It needs a seller with a tax id, and a buyer with a name and a country; without them it is 409, and the message names what is missing.
   *
   * Scopes: `billing:read`.
   */
  async xml(invoiceId: string, query: InvoicesXmlQuery = {}, options: RequestOptions = {}): Promise<string> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/xml`,
        query,
        isRepeatable: true,
        answer: 'text',
      },
      options,
    );
  }

  /**
   * Create a draft invoice. A draft has no number, and nobody owes anything: the customer cannot see it, and no webhook is sent. Open it when it is right.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreateInvoiceRequest, options: KeyedOptions = {}): Promise<Answered<Invoice>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/invoices', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Delete a draft invoice. Only a draft: what has a number stays, and can be voided.
   *
   * Scopes: `billing:write`.
   */
  async delete(invoiceId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Open a draft invoice. It is priced once more, gets its number, and from now on is owed: the customer pays at `checkoutUrl`. With `send` they get it by e-mail.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async open(invoiceId: string, options: KeyedOptions = {}): Promise<Answered<Invoice>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/open`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Send an open invoice by e-mail. With the PDF and the link to pay; once more each time, ten minutes apart and 20 times at most. Reminders are sent by e-mail from then on.
   *
   * Scopes: `billing:write`.
   */
  async send(invoiceId: string, options: KeyedOptions = {}): Promise<Answered<Invoice>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/send`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Void an open invoice. Of an invoice made by hand that is not paid in full. It keeps its number, and its checkout is canceled. What was paid toward it becomes the customer’s account credit and an exception, from which it can be refunded.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async void(invoiceId: string, options: KeyedOptions = {}): Promise<Answered<Invoice>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/void`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Accept an underpaid invoice as paid. You take what has arrived as payment in full, and the order completes. The rest is waived and recorded as `waivedCents`. If it still arrives, it is an exception. Refunds are limited to what was paid.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async accept(invoiceId: string, options: KeyedOptions = {}): Promise<Answered<Invoice>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/accept`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Remind the customer of an underpaid invoice. Tells them by e-mail what is left to pay, and where; ten minutes apart and 20 times at most. The checkout must have a customer with an e-mail address.
   *
   * Scopes: `billing:write`.
   */
  async remind(invoiceId: string, options: KeyedOptions = {}): Promise<Answered<Invoice>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/remind`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }
}

export class SubscriptionsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List subscriptions. Scopes: `billing:read`. */
  list(query: SubscriptionsListQuery = {}, options: RequestOptions = {}): List<ExpandedSubscription> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/subscriptions', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List subscriptions. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: SubscriptionsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/subscriptions', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a subscription. Scopes: `billing:read`. */
  async retrieve(
    subscriptionId: string,
    { expand, ...options }: RequestOptions & SubscriptionsRetrieveQuery = {},
  ): Promise<Answered<ExpandedSubscription>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}`,
        query: { expand },
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Change the plan, or undo a cancellation. If the change costs something, it stays a `pendingChange` until the customer has paid it at its `checkoutUrl`.
   *
   * Scopes: `billing:write`.
   */
  async update(
    subscriptionId: string,
    body: UpdateSubscriptionRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Subscription>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}`, body },
      options,
    );
  }

  /**
   * Cancel a subscription. At the end of the paid period, or immediately. An unpaid renewal is withdrawn. A plan change is kept with a cancellation at period end, which can be undone, and withdrawn with an immediate one.
   *
   * Scopes: `billing:write`.
   */
  async cancel(
    subscriptionId: string,
    body: CancelSubscriptionRequest = {},
    options: KeyedOptions = {},
  ): Promise<Answered<Subscription>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}/cancel`,
        body,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Preview a plan change. `auto`: a more expensive price is charged now for the rest of the period, a cheaper one applies from the next period, one with another interval starts a new period. Changes nothing.
   *
   * Scopes: `billing:read`.
   */
  async previewChange(
    subscriptionId: string,
    body: PreviewSubscriptionChangeRequest,
    options: RequestOptions = {},
  ): Promise<Answered<SubscriptionChangePreview>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}/preview-change`,
        body,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Withdraw a plan change. For a change that is planned or waiting for payment: its invoice is void, and the plan stays as it is.
   *
   * Scopes: `billing:write`.
   */
  async withdrawChange(subscriptionId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}/pending-change`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class PaymentLinksResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a payment link. For an existing price. Project and price of a link never change.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreatePaymentLinkRequest, options: KeyedOptions = {}): Promise<Answered<PaymentLink>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/payment-links', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Set up a payment link in one step. Creates product, price and link together, or nothing.
   *
   * Scopes: `billing:write`.
   */
  async setUp(
    body: SetUpPaymentLinkRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<PaymentLinkSetup>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/payment-links/setup', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List payment links. Scopes: `billing:read`. */
  list(query: PaymentLinksListQuery = {}, options: RequestOptions = {}): List<ExpandedPaymentLink> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/payment-links', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List payment links. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: PaymentLinksListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/payment-links', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /**
   * Get a payment link, or read a public one. With an id (a UUID): the link, for its owner’s key. With a public token: what a buyer may see, without a key. Reading creates nothing.
   *
   * Scopes: `billing:read`.
   */
  async retrieve(
    paymentLinkId: string,
    { expand, ...options }: RequestOptions & PaymentLinksRetrieveQuery = {},
  ): Promise<Answered<ExpandedPaymentLink>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/payment-links/${segment('paymentLinkId', paymentLinkId)}`,
        query: { expand },
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update a payment link. Activates or deactivates it and changes its terms. Project and price stay.
   *
   * Scopes: `billing:write`.
   */
  async update(
    paymentLinkId: string,
    body: UpdatePaymentLinkRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PaymentLink>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/payment-links/${segment('paymentLinkId', paymentLinkId)}`, body },
      options,
    );
  }

  /** Delete an inactive payment link. Scopes: `billing:write`. */
  async delete(paymentLinkId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/payment-links/${segment('paymentLinkId', paymentLinkId)}`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class PublicLinksResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Get a payment link, or read a public one. With an id (a UUID): the link, for its owner’s key. With a public token: what a buyer may see, without a key. Reading creates nothing.
   *
   * Scopes: `billing:read`.
   */
  async retrieve(paymentLinkId: string, options: RequestOptions = {}): Promise<Answered<PublicPaymentLink>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/payment-links/${segment('paymentLinkId', paymentLinkId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Start a checkout from a public link. Without a key. The session is created when the buyer confirms; project, price, amount and payout address come from the link. */
  async checkOut(
    publicToken: string,
    body: PublicCheckoutRequest = {},
    options: RequestOptions = {},
  ): Promise<Answered<PublicCheckout>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/payment-links/${segment('publicToken', publicToken)}/checkout`,
        body,
        key: 'body',
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }
}

export class PaywallsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a paywall. A URL where programs buy a price by x402.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreatePaywallRequest, options: KeyedOptions = {}): Promise<Answered<Paywall>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/x402/paywalls', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List paywalls. Scopes: `billing:read`. */
  list(query: PaywallsListQuery = {}, options: RequestOptions = {}): List<Paywall> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/x402/paywalls', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List paywalls. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: PaywallsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/x402/paywalls', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a paywall. Scopes: `billing:read`. */
  async retrieve(paywallId: string, options: RequestOptions = {}): Promise<Answered<Paywall>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/x402/paywalls/${segment('paywallId', paywallId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Delete a paywall. It no longer offers anything. A payment that was already made keeps its receipt.
   *
   * Scopes: `billing:write`.
   */
  async delete(paywallId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/x402/paywalls/${segment('paywallId', paywallId)}`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class CreditTokensResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Verify a credit token. Whose credits a token spends. Programs get one when they buy credits from a paywall, and send it to your server, which records usage for that customer. Changes nothing.
   *
   * Scopes: `billing:read`.
   */
  async verify(
    body: VerifyCreditTokenRequest,
    options: RequestOptions = {},
  ): Promise<Answered<CreditTokenVerification>> {
    return this.#send({ method: 'POST', path: '/api/v2/credit-tokens/verify', body }, options);
  }

  /**
   * Revoke a credit token. For a token that leaked. The credits stay, and the buyer gets a new token with their next purchase: a payment from before, sent again, is answered with 409.
   *
   * Scopes: `billing:write`.
   */
  async revoke(customerId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/customers/${segment('customerId', customerId)}/credit-token`,
        isRepeatable: true,
      },
      options,
    );
  }
}

export class X402Resource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List what the facilitator supports. Scopes: `billing:read`. */
  async supported(options: RequestOptions = {}): Promise<Answered<X402Supported>> {
    return this.#send({ method: 'GET', path: '/x402/supported', isRepeatable: true }, options);
  }

  /**
   * Verify a payment. Whether it would settle: checked against your payout address and simulated. Writes nothing.
   *
   * Scopes: `billing:write`.
   */
  async verify(body: X402PaymentRequest, options: RequestOptions = {}): Promise<Answered<X402Verification>> {
    return this.#send({ method: 'POST', path: '/x402/verify', body }, options);
  }

  /**
   * Settle a payment. Pays the network fee, sends the payment and answers when it has landed. The payment gets an intent and an invoice of the project that payTo belongs to, or of `extra.projectId`. The same payment again gets the same outcome. While the outcome is not known, the answer is 503 with `settlement_pending`; it is 503 with another reason while the payer’s wallet has too much under way. Both are for sending the same again after `Retry-After`.
   *
   * Scopes: `billing:write`.
   */
  async settle(body: X402PaymentRequest, options: KeyedOptions = {}): Promise<Answered<X402Settlement>> {
    return this.#send(
      { method: 'POST', path: '/x402/settle', body, key: 'header', isRepeatable: true },
      options,
    );
  }
}

export class UsageResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Record usage. Repeating an `idempotencyKey` returns the first record with `duplicate: true` and counts nothing. If the project’s `usageCredits` list the metric, the customer’s prepaid credits are debited.
   *
   * Scopes: `billing:write`.
   */
  async record(body: RecordUsageRequest, options: KeyedOptions = {}): Promise<Answered<RecordedUsage>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/usage', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Record usage in bulk. Up to 1,000 records, 1 MiB at most. Each is recorded or refused on its own, and `results` has them in order. Sending a batch again is safe: every record has its own key.
   *
   * Scopes: `billing:write`.
   */
  async recordBatch(
    body: RecordUsageBatchRequest,
    options: RequestOptions = {},
  ): Promise<Answered<RecordedUsageBatch>> {
    return this.#send({ method: 'POST', path: '/api/v2/usage/batch', body, isRepeatable: true }, options);
  }

  /**
   * List usage summaries. Totals by metric and project, for each period with usage. Periods are half open, days and months of the merchant’s time zone, and clipped to `from` and `to`.
   *
   * Scopes: `billing:read`.
   */
  listSummaries(query: UsageListSummariesQuery = {}, options: RequestOptions = {}): List<UsageSummary> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/usage', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List usage summaries. Totals by metric and project, for each period with usage. Periods are half open, days and months of the merchant’s time zone, and clipped to `from` and `to`.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listSummariesCsv(
    query: UsageListSummariesCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/usage', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** List usage records. Scopes: `billing:read`. */
  listRecords(query: UsageListRecordsQuery = {}, options: RequestOptions = {}): List<UsageRecord> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/usage/records', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List usage records. Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listRecordsCsv(
    query: UsageListRecordsCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/usage/records', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }
}

export class BillingResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Get the billing overview. Scopes: `billing:read`. */
  async overview(
    query: BillingOverviewQuery = {},
    options: RequestOptions = {},
  ): Promise<Answered<BillingOverview>> {
    return this.#send(
      { method: 'GET', path: '/api/v2/billing/overview', query, isRepeatable: true },
      options,
    );
  }

  /**
   * Get revenue and growth of a period. Received and refunded money by day, beside the same length of time before; subscribers, checkouts, and what renews next. Every payment is in it the moment it succeeds; for dates of your own with more than 10,000 payments, the top products and customers can be up to a minute old.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async revenue(query: BillingRevenueQuery = {}, options: RequestOptions = {}): Promise<Answered<Revenue>> {
    return this.#send({ method: 'GET', path: '/api/v2/billing/revenue', query, isRepeatable: true }, options);
  }

  /**
   * Get the tax of a period. What was taken and given back at each rate: invoices, and what was waived of them, by when they were paid; credit notes by when they were written. Invoices without a seller and without tax are not in it.
   *
   * Scopes: `billing:read`.
   */
  async taxReport(query: BillingTaxReportQuery, options: RequestOptions = {}): Promise<Answered<TaxReport>> {
    return this.#send({ method: 'GET', path: '/api/v2/tax-report', query, isRepeatable: true }, options);
  }

  /**
   * Get the tax of a period. What was taken and given back at each rate: invoices, and what was waived of them, by when they were paid; credit notes by when they were written. Invoices without a seller and without tax are not in it.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async taxReportCsv(query: BillingTaxReportCsvQuery, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/tax-report', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }
}

export class NotesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List notes. What your people wrote about customers and payments. Payers and webhooks never get them.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  list(query: NotesListQuery = {}, options: RequestOptions = {}): List<Note> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/notes', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /** Write a note. Scopes: `billing:write`, `payments:write`. */
  async create(body: CreateNoteRequest, options: RequestOptions = {}): Promise<Answered<Note>> {
    return this.#send({ method: 'POST', path: '/api/v2/notes', body }, options);
  }

  /**
   * Change a note. Only who wrote it can.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async update(noteId: string, body: EditNoteRequest, options: RequestOptions = {}): Promise<Answered<Note>> {
    return this.#send({ method: 'PATCH', path: `/api/v2/notes/${segment('noteId', noteId)}`, body }, options);
  }

  /**
   * Delete a note. Who wrote it can, and any owner in the dashboard.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async delete(noteId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: `/api/v2/notes/${segment('noteId', noteId)}`, isRepeatable: true },
      options,
    );
  }
}

export class AccountingResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Get the report of a month. Revenue by day, tax by rate, the sums of the general ledger, subscribers, top products and customers, invoices that were open at the end, and exceptions. The figures are those of `GET /billing/revenue`, `GET /tax-report` and `GET /general-ledger` for the same time. As CSV it has one figure a row.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async monthlyReport(
    query: AccountingMonthlyReportQuery,
    options: RequestOptions = {},
  ): Promise<Answered<MonthlyReport>> {
    return this.#send({ method: 'GET', path: '/api/v2/monthly-report', query, isRepeatable: true }, options);
  }

  /**
   * Get the report of a month. Revenue by day, tax by rate, the sums of the general ledger, subscribers, top products and customers, invoices that were open at the end, and exceptions. The figures are those of `GET /billing/revenue`, `GET /tax-report` and `GET /general-ledger` for the same time. As CSV it has one figure a row.
   *
   * Scopes: `billing:read`, `payments:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async monthlyReportCsv(
    query: AccountingMonthlyReportCsvQuery,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/monthly-report', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /**
   * Get the report of a month as a PDF. The same figures, for an accountant.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async monthlyReportPdf(
    query: AccountingMonthlyReportPdfQuery,
    options: RequestOptions = {},
  ): Promise<Answered<Uint8Array<ArrayBuffer>>> {
    return this.#send(
      { method: 'GET', path: '/api/v2/monthly-report/pdf', query, isRepeatable: true, answer: 'bytes' },
      options,
    );
  }

  /**
   * Export the general ledger. The journal of a period as CSV: one row for each line of an entry, with its account, debit and credit. Each entry balances, and so does the file. It is streamed.
   *
   * Scopes: `billing:read`, `payments:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async generalLedger(query: AccountingGeneralLedgerQuery, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/general-ledger', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /**
   * Export a bank statement. What reached the wallet and what left it, as OFX 2.1.1, which accounting programs import: one transaction for each payment received and for each refund sent. A FITID never changes. It is streamed.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async bankStatement(query: AccountingBankStatementQuery, options: RequestOptions = {}): Promise<string> {
    return this.#send(
      { method: 'GET', path: '/api/v2/bank-statement', query, isRepeatable: true, answer: 'text' },
      options,
    );
  }
}

export class WebhookEndpointsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a webhook endpoint. One more place that events are sent to, with a secret of its own. It requires all four scopes or an owner who has just confirmed. There can be 16.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async create(
    body: CreateWebhookEndpointRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<NewWebhookEndpoint>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/webhook-endpoints', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * List webhook endpoints. Including the webhookUrl of the merchant profile, if one is set. Without secrets.
   *
   * Scopes: `billing:read`.
   */
  list(query: WebhookEndpointsListQuery = {}, options: RequestOptions = {}): List<WebhookEndpoint> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/v2/webhook-endpoints',
            query: { ...query, cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List webhook endpoints. Including the webhookUrl of the merchant profile, if one is set. Without secrets.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: WebhookEndpointsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/webhook-endpoints', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a webhook endpoint. Scopes: `billing:read`. */
  async retrieve(endpointId: string, options: RequestOptions = {}): Promise<Answered<WebhookEndpoint>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/webhook-endpoints/${segment('endpointId', endpointId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update a webhook endpoint. Changes only the fields you send. Deliveries that are still to be sent go to the new URL.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async update(
    endpointId: string,
    body: UpdateWebhookEndpointRequest,
    options: RequestOptions = {},
  ): Promise<Answered<WebhookEndpoint>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/webhook-endpoints/${segment('endpointId', endpointId)}`, body },
      options,
    );
  }

  /**
   * Delete a webhook endpoint. What is still to be sent to it is not sent; what was sent stays in the log.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async delete(endpointId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/webhook-endpoints/${segment('endpointId', endpointId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Change the secret of a webhook endpoint. For 24 hours what is sent to it carries two signatures, one with each secret.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async generateSecret(endpointId: string, options: KeyedOptions = {}): Promise<Answered<WebhookSecret>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/webhook-endpoints/${segment('endpointId', endpointId)}/generate-secret`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Test a webhook endpoint. Sends `webhook_endpoint.test` to this endpoint alone: signed, retried and logged as any event.
   *
   * Scopes: `billing:write`.
   */
  async test(endpointId: string, options: RequestOptions = {}): Promise<Answered<WebhookEndpointTest>> {
    return this.#send(
      { method: 'POST', path: `/api/v2/webhook-endpoints/${segment('endpointId', endpointId)}/test` },
      options,
    );
  }
}

export class NotificationsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a notification. Tells people of chosen events, each in a sentence with a link to the dashboard. It requires all four scopes or an owner who has just confirmed. There can be 16.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async create(body: CreateNotificationRequest, options: KeyedOptions = {}): Promise<Answered<Notification>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/notifications', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * List notifications. Without what must stay secret.
   *
   * Scopes: `billing:read`.
   */
  list(query: NotificationsListQuery = {}, options: RequestOptions = {}): List<Notification> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/notifications', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List notifications. Without what must stay secret.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: NotificationsListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/notifications', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a notification. Scopes: `billing:read`. */
  async retrieve(notificationId: string, options: RequestOptions = {}): Promise<Answered<Notification>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/notifications/${segment('notificationId', notificationId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update a notification. Changes only the fields you send. Its kind stays.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async update(
    notificationId: string,
    body: UpdateNotificationRequest,
    options: RequestOptions = {},
  ): Promise<Answered<Notification>> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/notifications/${segment('notificationId', notificationId)}`, body },
      options,
    );
  }

  /**
   * Delete a notification. What is still to be sent is not sent; what was sent stays in the log of deliveries.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async delete(notificationId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      {
        method: 'DELETE',
        path: `/api/v2/notifications/${segment('notificationId', notificationId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Test a notification. Sends a test message there, and nowhere else; retried and logged as any other.
   *
   * Scopes: `billing:write`.
   */
  async test(notificationId: string, options: RequestOptions = {}): Promise<Answered<NotificationTest>> {
    return this.#send(
      { method: 'POST', path: `/api/v2/notifications/${segment('notificationId', notificationId)}/test` },
      options,
    );
  }
}

export class WebhookDeliveriesResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List webhook deliveries. Finished deliveries are kept for 30 days by default; the operator can change this.
   *
   * Scopes: `billing:read`.
   */
  list(query: WebhookDeliveriesListQuery = {}, options: RequestOptions = {}): List<WebhookDelivery> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/v2/webhook-deliveries',
            query: { ...query, cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List webhook deliveries. Finished deliveries are kept for 30 days by default; the operator can change this.
   *
   * Scopes: `billing:read`.
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listCsv(query: WebhookDeliveriesListCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/v2/webhook-deliveries', query, isRepeatable: true, answer: 'csv' },
      options,
    );
  }

  /** Get a webhook delivery. Scopes: `billing:read`. */
  async retrieve(deliveryId: string, options: RequestOptions = {}): Promise<Answered<WebhookDelivery>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/webhook-deliveries/${segment('deliveryId', deliveryId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Resend a webhook delivery. Sends the same event, with the same id and the same bytes, to the current URL of its endpoint. It is safe for receivers that handle each event id once.
   *
   * Scopes: `billing:write`.
   */
  async resend(deliveryId: string, options: KeyedOptions = {}): Promise<Answered<WebhookDelivery>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/v2/webhook-deliveries/${segment('deliveryId', deliveryId)}/resend`,
        key: 'header',
        isRepeatable: true,
      },
      options,
    );
  }
}

export class RequestLogsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List requests. What your API keys requested, and what was answered. A request appears within about a second and is kept for 7 days by default; the operator can change this. Under heavy load some are left out.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  list(query: RequestLogsListQuery = {}, options: RequestOptions = {}): List<RequestLog> {
    return new List(
      (cursor) =>
        this.#send(
          { method: 'GET', path: '/api/v2/request-logs', query: { ...query, cursor }, isRepeatable: true },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * Get a request. By the `traceId` of an error, or the X-Request-Id of any response.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async retrieve(requestId: string, options: RequestOptions = {}): Promise<Answered<RequestLog>> {
    return this.#send(
      { method: 'GET', path: `/api/v2/request-logs/${segment('requestId', requestId)}`, isRepeatable: true },
      options,
    );
  }
}

export class EventsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List events. Everything that happened, newest first, whether or not a webhook URL is set. With `after` the order is oldest first, for following: call again with `after` set to the last `nextCursor`, which is returned even when there is nothing new. No event is ever missed, however its transaction was delayed.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  list(query: EventsListQuery = {}, options: RequestOptions = {}): List<WebhookEvent> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/v2/events',
            query: { ...query, [query.after === undefined ? 'cursor' : 'after']: cursor },
            isRepeatable: true,
          },
          options,
        ),
      query.after ?? query.cursor,
    );
  }
}

export class PortalSessionsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a portal session. A link into the portal for one customer. It works once, within an hour. It is a secret and not stored: reusing an Idempotency-Key gets 409.
   *
   * Scopes: `billing:write`.
   */
  async create(
    body: CreatePortalSessionRequest,
    options: KeyedOptions = {},
  ): Promise<Answered<PortalSession>> {
    return this.#send(
      { method: 'POST', path: '/api/v2/portal-sessions', body, key: 'header', isRepeatable: true },
      options,
    );
  }
}

export class PortalResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Enter the portal. Exchanges the token of a link for a cookie, once. The visit lasts one hour, whatever happens in it. The cookie is HttpOnly; send `csrfToken` with every change. */
  async enter(body: PortalLoginRequest, options: RequestOptions = {}): Promise<Answered<PortalVisit>> {
    return this.#send({ method: 'POST', path: '/api/portal/login', body, isKeyless: true }, options);
  }

  /** Leave the portal */
  async leave(options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'POST', path: '/api/portal/logout', isKeyless: true }, options);
  }

  /** Get the signed-in customer */
  async retrieveVisit(options: RequestOptions = {}): Promise<Answered<PortalVisit>> {
    return this.#send(
      { method: 'GET', path: '/api/portal/me', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Correct e-mail and name. Changes only the fields you send; null clears the name. A new e-mail address becomes the customer’s once they open the link that is mailed to it; until then it is the `pendingEmail`, and the old one stays and gets a notice. */
  async updateCustomer(
    body: UpdatePortalCustomerRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PortalCustomer>> {
    return this.#send({ method: 'PATCH', path: '/api/portal/me', body, isKeyless: true }, options);
  }

  /** Withdraw a new e-mail address. The link that was mailed to it stops working. Without one, nothing happens. */
  async withdrawEmail(options: RequestOptions = {}): Promise<Answered<PortalCustomer>> {
    return this.#send(
      { method: 'DELETE', path: '/api/portal/me/pending-email', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Confirm a new e-mail address. Takes the token of the link that was mailed to it, once, within a day. It needs no visit. */
  async confirmEmail(
    body: PortalLoginRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PortalConfirmedEmail>> {
    return this.#send({ method: 'POST', path: '/api/portal/confirm-email', body, isKeyless: true }, options);
  }

  /** List your subscriptions */
  listSubscriptions(
    query: PortalListSubscriptionsQuery = {},
    options: RequestOptions = {},
  ): List<PortalSubscription> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/portal/subscriptions',
            query: { ...query, cursor },
            isRepeatable: true,
            isKeyless: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List your subscriptions
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listSubscriptionsCsv(
    query: PortalListSubscriptionsCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      {
        method: 'GET',
        path: '/api/portal/subscriptions',
        query,
        isRepeatable: true,
        isKeyless: true,
        answer: 'csv',
      },
      options,
    );
  }

  /** Get one of your subscriptions */
  async retrieveSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<Answered<PortalSubscription>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Pay for the next period. Pays the open renewal, or opens it early. Never more than one period ahead. */
  async renewSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<Answered<PortalRenewal>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/renew`,
        isKeyless: true,
      },
      options,
    );
  }

  /** List the plans to change to */
  async listPlans(subscriptionId: string, options: RequestOptions = {}): Promise<Answered<PortalPlans>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/plans`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Preview a plan change. As of now: a more expensive plan is charged for the rest of the period, a cheaper one applies from the next, one with another interval starts a new period. */
  async previewChange(
    subscriptionId: string,
    body: PreviewPortalChangeRequest,
    options: RequestOptions = {},
  ): Promise<Answered<SubscriptionChangePreview>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/preview-change`,
        body,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Change the plan. If the change costs something, it stays a `pendingChange` until it is paid at its `checkoutUrl`. */
  async changePlan(
    subscriptionId: string,
    body: PortalChangeRequest,
    options: RequestOptions = {},
  ): Promise<Answered<PortalSubscription>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/change-plan`,
        body,
        isKeyless: true,
      },
      options,
    );
  }

  /** Withdraw a plan change. For a change that is planned or waiting for payment: its invoice is void, and the plan stays as it is. */
  async withdrawChange(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<Answered<PortalSubscription>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/withdraw-change`,
        isKeyless: true,
      },
      options,
    );
  }

  /** Cancel at the end of the paid period. A subscription whose renewal is overdue, or whose first payment was never made, ends immediately. */
  async cancelSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<Answered<PortalSubscription>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/cancel`,
        isKeyless: true,
      },
      options,
    );
  }

  /** Undo a cancellation */
  async resumeSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<Answered<PortalSubscription>> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/resume`,
        isKeyless: true,
      },
      options,
    );
  }

  /** List your invoices */
  listInvoices(query: PortalListInvoicesQuery = {}, options: RequestOptions = {}): List<PortalInvoice> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/portal/invoices',
            query: { ...query, cursor },
            isRepeatable: true,
            isKeyless: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List your invoices
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listInvoicesCsv(
    query: PortalListInvoicesCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      {
        method: 'GET',
        path: '/api/portal/invoices',
        query,
        isRepeatable: true,
        isKeyless: true,
        answer: 'csv',
      },
      options,
    );
  }

  /** Get one of your invoices */
  async retrieveInvoice(invoiceId: string, options: RequestOptions = {}): Promise<Answered<PortalInvoice>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/invoices/${segment('invoiceId', invoiceId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Get one of your invoices as a PDF */
  async invoicePdf(
    invoiceId: string,
    query: PortalInvoicePdfQuery = {},
    options: RequestOptions = {},
  ): Promise<Answered<Uint8Array<ArrayBuffer>>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/invoices/${segment('invoiceId', invoiceId)}/pdf`,
        query,
        isRepeatable: true,
        isKeyless: true,
        answer: 'bytes',
      },
      options,
    );
  }

  /** List your refunds */
  listRefunds(query: PortalListRefundsQuery = {}, options: RequestOptions = {}): List<PortalRefund> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/portal/refunds',
            query: { ...query, cursor },
            isRepeatable: true,
            isKeyless: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List your refunds
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listRefundsCsv(
    query: PortalListRefundsCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      {
        method: 'GET',
        path: '/api/portal/refunds',
        query,
        isRepeatable: true,
        isKeyless: true,
        answer: 'csv',
      },
      options,
    );
  }

  /** Get one of your refunds */
  async retrieveRefund(refundId: string, options: RequestOptions = {}): Promise<Answered<PortalRefund>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/refunds/${segment('refundId', refundId)}`,
        isRepeatable: true,
        isKeyless: true,
      },
      options,
    );
  }

  /** Get one of your credit notes as a PDF */
  async creditNotePdf(
    creditNoteId: string,
    query: PortalCreditNotePdfQuery = {},
    options: RequestOptions = {},
  ): Promise<Answered<Uint8Array<ArrayBuffer>>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/credit-notes/${segment('creditNoteId', creditNoteId)}/pdf`,
        query,
        isRepeatable: true,
        isKeyless: true,
        answer: 'bytes',
      },
      options,
    );
  }

  /** List your balance entries */
  listBalanceEntries(
    query: PortalListBalanceEntriesQuery = {},
    options: RequestOptions = {},
  ): List<BalanceEntry> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/portal/balance-entries',
            query: { ...query, cursor },
            isRepeatable: true,
            isKeyless: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List your balance entries
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listBalanceEntriesCsv(
    query: PortalListBalanceEntriesCsvQuery = {},
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.#send(
      {
        method: 'GET',
        path: '/api/portal/balance-entries',
        query,
        isRepeatable: true,
        isKeyless: true,
        answer: 'csv',
      },
      options,
    );
  }

  /** List your usage totals */
  listUsage(query: PortalListUsageQuery = {}, options: RequestOptions = {}): List<UsageSummary> {
    return new List(
      (cursor) =>
        this.#send(
          {
            method: 'GET',
            path: '/api/portal/usage',
            query: { ...query, cursor },
            isRepeatable: true,
            isKeyless: true,
          },
          options,
        ),
      query.cursor,
    );
  }

  /**
   * List your usage totals
   *
   * Every matching row as CSV, streamed: read `body` or `text()`.
   */
  async listUsageCsv(query: PortalListUsageCsvQuery = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#send(
      { method: 'GET', path: '/api/portal/usage', query, isRepeatable: true, isKeyless: true, answer: 'csv' },
      options,
    );
  }
}

export class SearchResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Search. Payments, customers, invoices, subscriptions, refunds and everything else, in one query.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async find(query: SearchFindQuery, options: RequestOptions = {}): Promise<Answered<SearchResults>> {
    return this.#send({ method: 'GET', path: '/api/v2/search', query, isRepeatable: true }, options);
  }
}

export class HealthResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Is the process alive? */
  async live(options: RequestOptions = {}): Promise<Answered<Health>> {
    return this.#send({ method: 'GET', path: '/health/live', isRepeatable: true, isKeyless: true }, options);
  }

  /** Can it take traffic? */
  async ready(options: RequestOptions = {}): Promise<Answered<Health>> {
    return this.#send({ method: 'GET', path: '/health/ready', isRepeatable: true, isKeyless: true }, options);
  }

  /** Metrics in Prometheus text format. For direct calls from the machine itself, or with the operator’s METRICS_TOKEN. */
  async metrics(options: RequestOptions = {}): Promise<string> {
    return this.#send(
      { method: 'GET', path: '/metrics', isRepeatable: true, isKeyless: true, answer: 'text' },
      options,
    );
  }
}

export interface MerchantListAuditEntriesQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Only this action. */
  action?: string | undefined;
  /** Only entries of this actor. */
  actor?: string | undefined;
  /** Only entries about this object. */
  targetId?: string | undefined;
}

export interface RefundRequestsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?: 'open' | 'approved' | 'declined' | undefined;
  terminalId?: string | undefined;
}

export interface IntentsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'purchase' | 'outcome' | readonly ('purchase' | 'outcome')[] | undefined;
  /** May be given several times. */
  status?:
    | 'pending'
    | 'processing'
    | 'underpaid'
    | 'succeeded'
    | 'failed'
    | 'expired'
    | 'canceled'
    | readonly ('pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled')[]
    | undefined;
  orderId?: string | undefined;
  terminalId?: string | undefined;
  /** Only intents for exactly this amount. */
  amountCents?: Int64 | undefined;
  referenceAddress?: string | undefined;
  /** Only intents that this transaction paid toward. */
  txSignature?: string | undefined;
  paidVia?: 'wallet' | 'transfer' | 'x402' | 'mpp' | undefined;
  /** Only intents of checkouts with this e-mail address, case-insensitive. */
  customerEmail?: string | undefined;
  /** Only intents of checkouts of this project. */
  projectId?: string | undefined;
  /** Only intents that succeeded at this time or later. */
  succeededFrom?: string | Date | undefined;
  /** Only intents that succeeded before this time. */
  succeededTo?: string | Date | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface IntentsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** May be given several times. */
  status?:
    | 'pending'
    | 'processing'
    | 'underpaid'
    | 'succeeded'
    | 'failed'
    | 'expired'
    | 'canceled'
    | readonly ('pending' | 'processing' | 'underpaid' | 'succeeded' | 'failed' | 'expired' | 'canceled')[]
    | undefined;
  orderId?: string | undefined;
  terminalId?: string | undefined;
  /** Only intents for exactly this amount. */
  amountCents?: Int64 | undefined;
  referenceAddress?: string | undefined;
  /** Only intents that this transaction paid toward. */
  txSignature?: string | undefined;
  paidVia?: 'wallet' | 'transfer' | 'x402' | 'mpp' | undefined;
  /** Only intents of checkouts with this e-mail address, case-insensitive. */
  customerEmail?: string | undefined;
  /** Only intents of checkouts of this project. */
  projectId?: string | undefined;
  /** Only intents that succeeded at this time or later. */
  succeededFrom?: string | Date | undefined;
  /** Only intents that succeeded before this time. */
  succeededTo?: string | Date | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface ExceptionsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'linked'
    | 'returned'
    | 'kept'
    | 'credited'
    | 'dust'
    | readonly ('open' | 'linked' | 'returned' | 'kept' | 'credited' | 'dust')[]
    | undefined;
  kind?:
    | 'unmatched'
    | 'ambiguous'
    | 'wrong_mint'
    | 'canceled'
    | 'late'
    | 'surplus'
    | 'duplicate_order'
    | 'stray'
    | 'over_refunded'
    | readonly (
        | 'unmatched'
        | 'ambiguous'
        | 'wrong_mint'
        | 'canceled'
        | 'late'
        | 'surplus'
        | 'duplicate_order'
        | 'stray'
        | 'over_refunded'
      )[]
    | undefined;
  txSignature?: string | undefined;
  /** The one with this id. */
  exceptionId?: string | undefined;
  /** Those that this refund returns, or that it was sent too much for. */
  refundId?: string | undefined;
}

export interface ExceptionsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'linked'
    | 'returned'
    | 'kept'
    | 'credited'
    | 'dust'
    | readonly ('open' | 'linked' | 'returned' | 'kept' | 'credited' | 'dust')[]
    | undefined;
  kind?:
    | 'unmatched'
    | 'ambiguous'
    | 'wrong_mint'
    | 'canceled'
    | 'late'
    | 'surplus'
    | 'duplicate_order'
    | 'stray'
    | 'over_refunded'
    | readonly (
        | 'unmatched'
        | 'ambiguous'
        | 'wrong_mint'
        | 'canceled'
        | 'late'
        | 'surplus'
        | 'duplicate_order'
        | 'stray'
        | 'over_refunded'
      )[]
    | undefined;
  txSignature?: string | undefined;
  /** The one with this id. */
  exceptionId?: string | undefined;
  /** Those that this refund returns, or that it was sent too much for. */
  refundId?: string | undefined;
}

export interface RefundsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?:
    | 'awaiting_address'
    | 'ready'
    | 'processing'
    | 'succeeded'
    | 'canceled'
    | 'expired'
    | readonly ('awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired')[]
    | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  paymentIntentId?: string | undefined;
  invoiceId?: string | undefined;
  exceptionId?: string | undefined;
  txSignature?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface RefundsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?:
    | 'awaiting_address'
    | 'ready'
    | 'processing'
    | 'succeeded'
    | 'canceled'
    | 'expired'
    | readonly ('awaiting_address' | 'ready' | 'processing' | 'succeeded' | 'canceled' | 'expired')[]
    | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  paymentIntentId?: string | undefined;
  invoiceId?: string | undefined;
  exceptionId?: string | undefined;
  txSignature?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface CreditNotesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  invoiceId?: string | undefined;
  refundId?: string | undefined;
}

export interface CreditNotesListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  invoiceId?: string | undefined;
  refundId?: string | undefined;
}

export interface CreditNotesPdfQuery {
  /** Where it is left out: the customer’s language if it is one of these, else English. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'ar' | undefined;
}

export interface CreditNotesXmlQuery {
  /** `ubl` is UBL 2.1, the default; `cii` is a Cross Industry Invoice (D16B), as in Factur-X and ZUGFeRD. */
  format?: 'ubl' | 'cii' | undefined;
}

export interface ProjectsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** true: only archived projects. Otherwise only active ones. */
  archived?: boolean | undefined;
}

export interface ProjectsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** true: only archived projects. Otherwise only active ones. */
  archived?: boolean | undefined;
}

export interface ProductsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  isActive?: boolean | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface ProductsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  isActive?: boolean | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface CustomersListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  externalCustomerId?: string | undefined;
  /** Exactly this address, case-insensitive. */
  email?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface CustomersListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  externalCustomerId?: string | undefined;
  /** Exactly this address, case-insensitive. */
  email?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface CustomersDeleteQuery {
  /** Give up prepaid credits and account credit that the customer has left. Requires all four scopes. */
  discardBalance?: boolean | undefined;
}

export interface CustomersListBalanceEntriesQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface CustomersListBalanceEntriesCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface TaxRatesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  /** A country code as in ISO 3166-1, such as DE. */
  country?: string | undefined;
  isActive?: boolean | undefined;
}

export interface TaxRatesListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  /** A country code as in ISO 3166-1, such as DE. */
  country?: string | undefined;
  isActive?: boolean | undefined;
}

export interface DiscountsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  isActive?: boolean | undefined;
}

export interface DiscountsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  isActive?: boolean | undefined;
}

export interface PromotionCodesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  discountId?: string | undefined;
  /** Exactly this code, case-insensitive. */
  code?: string | undefined;
  isActive?: boolean | undefined;
}

export interface PromotionCodesListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  discountId?: string | undefined;
  /** Exactly this code, case-insensitive. */
  code?: string | undefined;
  isActive?: boolean | undefined;
}

export interface PricesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'product' | readonly 'product'[] | undefined;
  projectId?: string | undefined;
  productId?: string | undefined;
  billingMode?: 'one_time' | 'balance_top_up' | 'subscription' | undefined;
  /** May be given several times. */
  lookupKey?: string | readonly string[] | undefined;
  isActive?: boolean | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface PricesListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  productId?: string | undefined;
  billingMode?: 'one_time' | 'balance_top_up' | 'subscription' | undefined;
  /** May be given several times. */
  lookupKey?: string | readonly string[] | undefined;
  isActive?: boolean | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface PricesRetrieveQuery {
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'product' | readonly 'product'[] | undefined;
}

export interface CheckoutSessionsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?:
    | 'customer'
    | 'price'
    | 'price.product'
    | 'invoice'
    | 'subscription'
    | readonly ('customer' | 'price' | 'price.product' | 'invoice' | 'subscription')[]
    | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  paymentLinkId?: string | undefined;
  paymentIntentId?: string | undefined;
  status?:
    | 'open'
    | 'complete'
    | 'expired'
    | 'canceled'
    | readonly ('open' | 'complete' | 'expired' | 'canceled')[]
    | undefined;
  paymentStatus?:
    | 'unpaid'
    | 'processing'
    | 'underpaid'
    | 'paid'
    | readonly ('unpaid' | 'processing' | 'underpaid' | 'paid')[]
    | undefined;
  mode?:
    | 'one_time'
    | 'balance_top_up'
    | 'subscription'
    | readonly ('one_time' | 'balance_top_up' | 'subscription')[]
    | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface CheckoutSessionsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  paymentLinkId?: string | undefined;
  paymentIntentId?: string | undefined;
  status?:
    | 'open'
    | 'complete'
    | 'expired'
    | 'canceled'
    | readonly ('open' | 'complete' | 'expired' | 'canceled')[]
    | undefined;
  paymentStatus?:
    | 'unpaid'
    | 'processing'
    | 'underpaid'
    | 'paid'
    | readonly ('unpaid' | 'processing' | 'underpaid' | 'paid')[]
    | undefined;
  mode?:
    | 'one_time'
    | 'balance_top_up'
    | 'subscription'
    | readonly ('one_time' | 'balance_top_up' | 'subscription')[]
    | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface CheckoutSessionsRetrieveQuery {
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?:
    | 'customer'
    | 'price'
    | 'price.product'
    | 'invoice'
    | 'subscription'
    | readonly ('customer' | 'price' | 'price.product' | 'invoice' | 'subscription')[]
    | undefined;
}

export interface InvoicesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'customer' | readonly 'customer'[] | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  status?:
    | 'draft'
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('draft' | 'open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
  /** Exactly this number, case-insensitive. */
  number?: string | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
  /** Only those that are unpaid past their due date. */
  isOverdue?: 'true' | undefined;
}

export interface InvoicesListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  status?:
    | 'draft'
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('draft' | 'open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
  /** Exactly this number, case-insensitive. */
  number?: string | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
  /** Only those that are unpaid past their due date. */
  isOverdue?: 'true' | undefined;
  /** With `Accept: text/csv`: one row for each invoice, or for each line of one. */
  rows?: 'invoices' | 'lines' | undefined;
}

export interface InvoicesRetrieveQuery {
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'customer' | readonly 'customer'[] | undefined;
}

export interface InvoicesPdfQuery {
  /** Where it is left out: the customer’s language if it is one of these, else English. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'ar' | undefined;
}

export interface InvoicesXmlQuery {
  /** `ubl` is UBL 2.1, the default; `cii` is a Cross Industry Invoice (D16B), as in Factur-X and ZUGFeRD. */
  format?: 'ubl' | 'cii' | undefined;
}

export interface SubscriptionsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?:
    | 'customer'
    | 'price'
    | 'price.product'
    | 'latestInvoice'
    | readonly ('customer' | 'price' | 'price.product' | 'latestInvoice')[]
    | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  externalCustomerId?: string | undefined;
  priceId?: string | undefined;
  status?:
    | 'incomplete'
    | 'incomplete_expired'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'canceled'
    | readonly ('incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled')[]
    | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface SubscriptionsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  externalCustomerId?: string | undefined;
  priceId?: string | undefined;
  status?:
    | 'incomplete'
    | 'incomplete_expired'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'canceled'
    | readonly ('incomplete' | 'incomplete_expired' | 'trialing' | 'active' | 'past_due' | 'canceled')[]
    | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface SubscriptionsRetrieveQuery {
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?:
    | 'customer'
    | 'price'
    | 'price.product'
    | 'latestInvoice'
    | readonly ('customer' | 'price' | 'price.product' | 'latestInvoice')[]
    | undefined;
}

export interface PaymentLinksListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'price' | 'price.product' | readonly ('price' | 'price.product')[] | undefined;
  projectId?: string | undefined;
  priceId?: string | undefined;
  status?: 'active' | 'inactive' | readonly ('active' | 'inactive')[] | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface PaymentLinksListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  priceId?: string | undefined;
  status?: 'active' | 'inactive' | readonly ('active' | 'inactive')[] | undefined;
  /** Only objects whose metadata has exactly this `key:value`. The key ends at the first colon. May be given several times. */
  metadata?: string | readonly string[] | undefined;
}

export interface PaymentLinksRetrieveQuery {
  /** Related objects to include in the answer, each under its own name. May be given several times. */
  expand?: 'price' | 'price.product' | readonly ('price' | 'price.product')[] | undefined;
}

export interface PaywallsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  priceId?: string | undefined;
}

export interface PaywallsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  priceId?: string | undefined;
}

export interface UsageListSummariesQuery {
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this time or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this time. */
  to?: string | Date | undefined;
  /** One total for each day or month, or one overall (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface UsageListSummariesCsvQuery {
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this time or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this time. */
  to?: string | Date | undefined;
  /** One total for each day or month, or one overall (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
}

export interface UsageListRecordsQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface UsageListRecordsCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface BillingOverviewQuery {
  /** Only this project. */
  projectId?: string | undefined;
}

export interface BillingRevenueQuery {
  /** Only this project. */
  projectId?: string | undefined;
  /** Days up to today; 30d if nothing is given. */
  range?: 'today' | '7d' | '30d' | '3m' | '12m' | undefined;
  /** The first day, as YYYY-MM-DD. Needs `to`, excludes `range`. */
  from?: string | undefined;
  /** The last day, as YYYY-MM-DD. A period has at most 366 days. */
  to?: string | undefined;
}

export interface BillingTaxReportQuery {
  projectId: string;
  /** Invoices paid, and credit notes written, on this day of the merchant’s time zone, or at this time, or later. */
  from: string | Date;
  /** Until the end of this day, or before this time. */
  to: string | Date;
}

export interface BillingTaxReportCsvQuery {
  projectId: string;
  /** Invoices paid, and credit notes written, on this day of the merchant’s time zone, or at this time, or later. */
  from: string | Date;
  /** Until the end of this day, or before this time. */
  to: string | Date;
}

export interface NotesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Only notes about this customer; not those about their payments. */
  customerId?: string | undefined;
  /** Only notes about this payment. */
  paymentIntentId?: string | undefined;
}

export interface AccountingMonthlyReportQuery {
  /** As YYYY-MM, on the calendar of the merchant’s time zone. */
  month: string;
  /** Only this project. Without it, all of them, and payments without a project. */
  projectId?: string | undefined;
}

export interface AccountingMonthlyReportCsvQuery {
  /** As YYYY-MM, on the calendar of the merchant’s time zone. */
  month: string;
  /** Only this project. Without it, all of them, and payments without a project. */
  projectId?: string | undefined;
}

export interface AccountingMonthlyReportPdfQuery {
  /** As YYYY-MM, on the calendar of the merchant’s time zone. */
  month: string;
  /** Only this project. Without it, all of them, and payments without a project. */
  projectId?: string | undefined;
  /** English where it is left out. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'ar' | undefined;
}

export interface AccountingGeneralLedgerQuery {
  /** What happened on this day of the merchant’s time zone, or at this time, or later. */
  from: string | Date;
  /** Until the end of this day, or before this time. */
  to: string | Date;
  /** Only this project. Without it, all of them, and payments without a project. */
  projectId?: string | undefined;
}

export interface AccountingBankStatementQuery {
  /** What happened on this day of the merchant’s time zone, or at this time, or later. */
  from: string | Date;
  /** Until the end of this day, or before this time. */
  to: string | Date;
  /** Only this project. Without it, all of them, and payments without a project. */
  projectId?: string | undefined;
}

export interface WebhookEndpointsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface WebhookEndpointsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface NotificationsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface NotificationsListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface WebhookDeliveriesListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** May be given several times. */
  status?:
    | 'pending'
    | 'succeeded'
    | 'retrying'
    | 'failed'
    | readonly ('pending' | 'succeeded' | 'retrying' | 'failed')[]
    | undefined;
  /** Only deliveries of this event, such as `payment_intent.succeeded`. */
  event?: string | undefined;
  /** Only deliveries to this webhook endpoint. */
  endpointId?: string | undefined;
}

export interface WebhookDeliveriesListCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** May be given several times. */
  status?:
    | 'pending'
    | 'succeeded'
    | 'retrying'
    | 'failed'
    | readonly ('pending' | 'succeeded' | 'retrying' | 'failed')[]
    | undefined;
  /** Only deliveries of this event, such as `payment_intent.succeeded`. */
  event?: string | undefined;
  /** Only deliveries to this webhook endpoint. */
  endpointId?: string | undefined;
}

export interface RequestLogsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Only requests with this status. */
  status?: number | undefined;
  /** `true`: only requests with a status of 400 or more. `false`: only the others. */
  isFailed?: boolean | undefined;
  /** Only requests with this method. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** Only paths that begin with this, such as `/api/v2/customers`. */
  path?: string | undefined;
  /** Only requests of this API key. */
  keyId?: string | undefined;
}

export interface EventsListQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  /** Only this event, such as `payment_intent.succeeded`. */
  event?: string | undefined;
  /** Follows events, oldest first: `nextCursor` of the previous response, `earliest` to start with the first event, or `latest` for a cursor only, to follow new events. Not with `cursor`, `createdFrom` or `createdTo`. */
  after?: string | undefined;
}

export interface PortalListSubscriptionsQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface PortalListSubscriptionsCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface PortalListInvoicesQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
}

export interface PortalListInvoicesCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
}

export interface PortalInvoicePdfQuery {
  /** Where it is left out: the customer’s language if it is one of these, else English. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'ar' | undefined;
}

export interface PortalListRefundsQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  invoiceId?: string | undefined;
}

export interface PortalListRefundsCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
  invoiceId?: string | undefined;
}

export interface PortalCreditNotePdfQuery {
  /** Where it is left out: the customer’s language if it is one of these, else English. */
  language?: 'en' | 'de' | 'es' | 'fr' | 'ar' | undefined;
}

export interface PortalListBalanceEntriesQuery {
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface PortalListBalanceEntriesCsvQuery {
  /** Only items created at this time or later. */
  createdFrom?: string | Date | undefined;
  /** Only items created before this time. */
  createdTo?: string | Date | undefined;
}

export interface PortalListUsageQuery {
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this time or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this time. */
  to?: string | Date | undefined;
  /** One total for each day or month, or one overall (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
  /** How many items to return, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the previous page. */
  cursor?: string | undefined;
}

export interface PortalListUsageCsvQuery {
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this time or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this time. */
  to?: string | Date | undefined;
  /** One total for each day or month, or one overall (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
}

export interface SearchFindQuery {
  /** An order, e-mail address, name or invoice number, or the beginning of one; an amount such as 12.50; a whole refund number, reference address, transaction signature, id or page URL; or metadata, as `key:value`. */
  q: string;
  /** How many of each kind to return, 1 to 20. */
  limit?: number | undefined;
}
