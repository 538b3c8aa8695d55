/** Written by `npm run sdk` from openapi.json and sdk/generate/names.ts: change those, not this. */
import { List } from '../list.ts';
import { type KeyedOptions, type RequestOptions, type Send, segment } from '../request.ts';
import type {
  AddPasskeyRequest,
  AdjustBalanceRequest,
  ApiKey,
  AuditEntry,
  BalanceEntry,
  BillingOverview,
  Brand,
  CancelSubscriptionRequest,
  ChangePasswordRequest,
  CheckoutSession,
  CheckPaymentRequest,
  CreateCheckoutSessionRequest,
  CreateCustomerRequest,
  CreatePaymentIntentRequest,
  CreatePaymentLinkRequest,
  CreatePayoutChallengeRequest,
  CreatePortalSessionRequest,
  CreatePriceRequest,
  CreateProductRequest,
  CreateProjectRequest,
  CreateTerminalRequest,
  Customer,
  DashboardSession,
  GeneratedApiKey,
  GenerateKeyRequest,
  Health,
  Int64,
  Invitation,
  InviteMemberRequest,
  Invoice,
  LinkExceptionRequest,
  MarkReturnedRequest,
  Member,
  MemberLink,
  MerchantProfile,
  MerchantStats,
  MoveSandboxClockRequest,
  NewInvitation,
  OpenMemberLinkRequest,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  PasskeySignInRequest,
  PaymentException,
  PaymentIntent,
  PaymentIntentHistory,
  PaymentLink,
  PaymentLinkSetup,
  PayoutAddress,
  PayoutChallenge,
  PortalChangeRequest,
  PortalCustomer,
  PortalInvoice,
  PortalLoginRequest,
  PortalPlans,
  PortalRenewal,
  PortalSession,
  PortalSubscription,
  PortalVisit,
  PreviewPortalChangeRequest,
  PreviewSubscriptionChangeRequest,
  Price,
  Product,
  Project,
  PublicCheckout,
  PublicCheckoutRequest,
  PublicPaymentIntent,
  PublicPaymentLink,
  RecordedUsage,
  RecordedUsageBatch,
  RecordUsageBatchRequest,
  RecordUsageRequest,
  RenamePasskeyRequest,
  ResetLink,
  SandboxClock,
  SandboxEvent,
  SandboxEventRequest,
  SandboxPayment,
  SandboxPaymentRequest,
  SearchResults,
  SecuritySettings,
  SendPaymentRequest,
  SentPayment,
  SetUpPaymentLinkRequest,
  SignedInDevice,
  SignInRequest,
  StepUpRequest,
  Subscription,
  SubscriptionChangePreview,
  Terminal,
  UpdateBrandRequest,
  UpdateCustomerRequest,
  UpdateMemberRequest,
  UpdateOwnMemberRequest,
  UpdatePaymentLinkRequest,
  UpdatePayoutAddressRequest,
  UpdatePayoutDelayRequest,
  UpdatePortalCustomerRequest,
  UpdatePriceRequest,
  UpdateProductRequest,
  UpdateProjectRequest,
  UpdateSecurityRequest,
  UpdateSubscriptionRequest,
  UpdateTerminalRequest,
  UpdateWebhookRequest,
  UsageRecord,
  UsageSummary,
  UseMemberLinkRequest,
  VerifiedPayoutAddress,
  VerifyPayoutAddressRequest,
  WebhookDelivery,
  WebhookEvent,
  WebhookSecret,
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
  readonly intents: IntentsResource;
  readonly exceptions: ExceptionsResource;
  readonly publicIntents: PublicIntentsResource;
  readonly sandbox: SandboxResource;
  readonly projects: ProjectsResource;
  readonly customers: CustomersResource;
  readonly products: ProductsResource;
  readonly prices: PricesResource;
  readonly checkoutSessions: CheckoutSessionsResource;
  readonly invoices: InvoicesResource;
  readonly subscriptions: SubscriptionsResource;
  readonly paymentLinks: PaymentLinksResource;
  readonly publicLinks: PublicLinksResource;
  readonly usage: UsageResource;
  readonly billing: BillingResource;
  readonly webhookDeliveries: WebhookDeliveriesResource;
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
    this.intents = new IntentsResource(send);
    this.exceptions = new ExceptionsResource(send);
    this.publicIntents = new PublicIntentsResource(send);
    this.sandbox = new SandboxResource(send);
    this.projects = new ProjectsResource(send);
    this.customers = new CustomersResource(send);
    this.products = new ProductsResource(send);
    this.prices = new PricesResource(send);
    this.checkoutSessions = new CheckoutSessionsResource(send);
    this.invoices = new InvoicesResource(send);
    this.subscriptions = new SubscriptionsResource(send);
    this.paymentLinks = new PaymentLinksResource(send);
    this.publicLinks = new PublicLinksResource(send);
    this.usage = new UsageResource(send);
    this.billing = new BillingResource(send);
    this.webhookDeliveries = new WebhookDeliveriesResource(send);
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
  async retrieve(options: RequestOptions = {}): Promise<MerchantProfile> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/me', isRepeatable: true }, options);
  }

  /** Get aggregate stats. Scopes: `payments:read`. */
  async stats(options: RequestOptions = {}): Promise<MerchantStats> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/stats', isRepeatable: true }, options);
  }

  /**
   * Set the webhook URL. Events carry the names and e-mail addresses of customers, so this needs all four scopes or an owner who confirmed just now.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async updateWebhook(body: UpdateWebhookRequest, options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/webhook', body }, options);
  }

  /**
   * Remove the webhook URL. Nothing is sent any more; events are kept and can be listed. 204 too when no URL is set.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async removeWebhook(options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'DELETE', path: '/api/b2b/merchants/webhook', isRepeatable: true }, options);
  }

  /** Get the payout address. Any valid key. */
  async retrievePayoutAddress(options: RequestOptions = {}): Promise<PayoutAddress> {
    return this.#send(
      { method: 'GET', path: '/api/b2b/merchants/payout-address', isRepeatable: true },
      options,
    );
  }

  /**
   * Set the payout address. Counts for intents created from now on; each keeps the destination it was created with. A program, a mint or a token account is refused. So is an address that another merchant of the installation uses, unless you prove that the wallet is yours. Where there is an address already, the change waits for `payoutChangeDelayHours`: the answer has it as `pendingChange`, every owner gets an e-mail, and an owner can cancel it. A newer change replaces it and waits anew.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async updatePayoutAddress(
    body: UpdatePayoutAddressRequest,
    options: RequestOptions = {},
  ): Promise<PayoutAddress> {
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
  ): Promise<PayoutChallenge> {
    return this.#send({ method: 'POST', path: '/api/b2b/merchants/payout-address/challenge', body }, options);
  }

  /**
   * Prove that a wallet is yours. Takes the signature of a challenge. The address belongs to your merchant alone from now on: another merchant that used it cannot ask for money there any more, and its owners are told by e-mail. Your own payout address stays as it is until you set it.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async verifyPayoutAddress(
    body: VerifyPayoutAddressRequest,
    options: RequestOptions = {},
  ): Promise<VerifiedPayoutAddress> {
    return this.#send({ method: 'POST', path: '/api/b2b/merchants/payout-address/verify', body }, options);
  }

  /**
   * Set how long payout address changes wait. A longer delay counts at once. A shorter one waits for as long as the delay is now, as `pendingDelayChange`. Changes that wait already keep their time.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async updatePayoutDelay(
    body: UpdatePayoutDelayRequest,
    options: RequestOptions = {},
  ): Promise<PayoutAddress> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/payout-address/delay', body }, options);
  }

  /**
   * Cancel a payout change that waits. Of the merchant’s payout address, of a project’s, or of the delay itself. Everything stays as it is. An owner needs no confirmation for it.
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
  async generateWebhookSecret(options: KeyedOptions = {}): Promise<WebhookSecret> {
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

  /** Get name and brand colour. Any valid key. */
  async retrieveBrand(options: RequestOptions = {}): Promise<Brand> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/brand', isRepeatable: true }, options);
  }

  /**
   * Change name and brand colour. What customers see. Changes what is named and leaves the rest; null clears the colour.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async updateBrand(body: UpdateBrandRequest, options: RequestOptions = {}): Promise<Brand> {
    return this.#send({ method: 'PATCH', path: '/api/b2b/merchants/brand', body }, options);
  }

  /**
   * List who changed what. The audit log only grows. It never holds a secret.
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

  /** Sign in with e-mail address and password. Sets the dashboard’s cookie, and one that makes the browser a known device. A session lasts 14 days, and ends after 12 hours without a call. After several failures each further one must wait, twice as long each time, up to 15 minutes: 429 with Retry-After. Failures elsewhere do not slow down a known device. */
  async signIn(body: SignInRequest, options: RequestOptions = {}): Promise<DashboardSession> {
    return this.#send({ method: 'POST', path: '/api/dashboard/sign-in', body, isKeyless: true }, options);
  }

  /** Begin to sign in with a passkey. What to ask the browser for. Good for one answer, within 5 minutes. */
  async startPasskeySignIn(options: RequestOptions = {}): Promise<PasskeyRequestOptions> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/sign-in/passkey-options', isKeyless: true },
      options,
    );
  }

  /** Sign in with a passkey. The passkey itself says who it is. */
  async signInWithPasskey(
    body: PasskeySignInRequest,
    options: RequestOptions = {},
  ): Promise<DashboardSession> {
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

  /** Begin to confirm with a passkey */
  async startPasskeyStepUp(options: RequestOptions = {}): Promise<PasskeyRequestOptions> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/step-up/passkey-options', isKeyless: true },
      options,
    );
  }

  /** Confirm that it is you. By password or passkey. For 10 minutes what answered 403 STEP_UP_REQUIRED goes through. The session gets a new cookie; its csrfToken stays. */
  async stepUp(body: StepUpRequest, options: RequestOptions = {}): Promise<DashboardSession> {
    return this.#send({ method: 'POST', path: '/api/dashboard/step-up', body, isKeyless: true }, options);
  }

  /** Change one’s own password. Ends every other session of the member. This one gets a new cookie; its csrfToken stays. */
  async changePassword(body: ChangePasswordRequest, options: RequestOptions = {}): Promise<DashboardSession> {
    return this.#send({ method: 'POST', path: '/api/dashboard/password', body, isKeyless: true }, options);
  }

  /** Look at a set-up, invitation or reset link. Uses nothing up. */
  async openLink(body: OpenMemberLinkRequest, options: RequestOptions = {}): Promise<MemberLink> {
    return this.#send(
      { method: 'POST', path: '/api/dashboard/links/open', body, isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Use a set-up, invitation or reset link. Once: makes the member with this password, or gives one back their way in, and signs them in. Whoever gets back in loses their passkeys and every other session. */
  async useLink(body: UseMemberLinkRequest, options: RequestOptions = {}): Promise<DashboardSession> {
    return this.#send({ method: 'POST', path: '/api/dashboard/links/use', body, isKeyless: true }, options);
  }

  /** Who is signed in */
  async retrieveSession(options: RequestOptions = {}): Promise<DashboardSession> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/session', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** List one’s own sessions */
  async listSessions(options: RequestOptions = {}): Promise<SignedInDevice[]> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/sessions', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** End one of one’s own sessions */
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

  /** Change one’s own name */
  async updateMe(body: UpdateOwnMemberRequest, options: RequestOptions = {}): Promise<Member> {
    return this.#send({ method: 'PATCH', path: '/api/dashboard/me', body, isKeyless: true }, options);
  }

  /** Get the security settings */
  async retrieveSecurity(options: RequestOptions = {}): Promise<SecuritySettings> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/security', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Change the security settings. To require passkeys of owners, you need one yourself. */
  async updateSecurity(body: UpdateSecurityRequest, options: RequestOptions = {}): Promise<SecuritySettings> {
    return this.#send({ method: 'PATCH', path: '/api/dashboard/security', body, isKeyless: true }, options);
  }
}

export class PasskeysResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** List one’s own passkeys */
  async list(options: RequestOptions = {}): Promise<Passkey[]> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/passkeys', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Begin to add a passkey. What to ask the browser for. Good for one answer, within 5 minutes. */
  async start(options: RequestOptions = {}): Promise<PasskeyCreationOptions> {
    return this.#send({ method: 'POST', path: '/api/dashboard/passkeys/options', isKeyless: true }, options);
  }

  /** Add a passkey */
  async add(body: AddPasskeyRequest, options: RequestOptions = {}): Promise<Passkey> {
    return this.#send({ method: 'POST', path: '/api/dashboard/passkeys', body, isKeyless: true }, options);
  }

  /** Rename a passkey */
  async rename(
    passkeyId: string,
    body: RenamePasskeyRequest,
    options: RequestOptions = {},
  ): Promise<Passkey> {
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
  async list(options: RequestOptions = {}): Promise<Member[]> {
    return this.#send(
      { method: 'GET', path: '/api/dashboard/members', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Change a member’s role, or disable them. Changes what is named and leaves the rest. Counts from their next call on. */
  async update(memberId: string, body: UpdateMemberRequest, options: RequestOptions = {}): Promise<Member> {
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

  /** Remove a member. For good. Keys they made stay; revoke those they know. */
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

  /** Give a member back their way in. A link for a member who forgot the password and has no passkey. It works once, within 24 hours, and replaces one made before. Using it removes their passkeys. */
  async createResetLink(memberId: string, options: RequestOptions = {}): Promise<ResetLink> {
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

  /** Invite somebody. A link to hand over; it works once, within 72 hours, and replaces an earlier one for the same address. Where a mail server is set it is mailed, too. */
  async create(body: InviteMemberRequest, options: RequestOptions = {}): Promise<NewInvitation> {
    return this.#send({ method: 'POST', path: '/api/dashboard/invitations', body, isKeyless: true }, options);
  }

  /** List open invitations */
  async list(options: RequestOptions = {}): Promise<Invitation[]> {
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
   * Generate an API key. The raw key is in this answer and nowhere else. A new key never holds more scopes, may be used from no more places, nor lives longer, than the key that asks; one that holds all four scopes may change the payout address, so of the members only an owner makes it. Not repeatable: the answer is not stored.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async generate(body: GenerateKeyRequest = {}, options: KeyedOptions = {}): Promise<GeneratedApiKey> {
    return this.#send(
      { method: 'POST', path: '/api/b2b/merchants/generate-key', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List API keys. Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`. */
  async list(options: RequestOptions = {}): Promise<ApiKey[]> {
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
  async list(options: RequestOptions = {}): Promise<Terminal[]> {
    return this.#send({ method: 'GET', path: '/api/b2b/merchants/terminals', isRepeatable: true }, options);
  }

  /** Create a terminal. Scopes: `payments:write`. */
  async create(body: CreateTerminalRequest, options: KeyedOptions = {}): Promise<Terminal> {
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
  ): Promise<Terminal> {
    return this.#send(
      { method: 'PATCH', path: `/api/b2b/merchants/terminals/${segment('terminalId', terminalId)}`, body },
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
   * Create a payment intent. Asks for money for an order. An order may have several intents until one of them succeeds.
   *
   * Scopes: `payments:write`.
   */
  async create(body: CreatePaymentIntentRequest, options: KeyedOptions = {}): Promise<PaymentIntent> {
    return this.#send(
      { method: 'POST', path: '/api/merchants/intents', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List payment intents. Scopes: `payments:read`. */
  list(query: IntentsListQuery = {}, options: RequestOptions = {}): List<PaymentIntent> {
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
  async retrieve(intentId: string, options: RequestOptions = {}): Promise<PaymentIntent> {
    return this.#send(
      { method: 'GET', path: `/api/merchants/intents/${segment('intentId', intentId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Cancel a payment intent. Only while nothing was paid toward it.
   *
   * Scopes: `payments:write`.
   */
  async cancel(intentId: string, options: KeyedOptions = {}): Promise<PaymentIntent> {
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
   * Get how a payment intent came about. Each change, the transactions that paid toward it, and money about it that needed a person.
   *
   * Scopes: `payments:read`.
   */
  async history(intentId: string, options: RequestOptions = {}): Promise<PaymentIntentHistory> {
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
   * List money that needs a person. Money that matched no intent, was too much, came too late, or was of the wrong kind. Less than a cent is dust: closed at once, and listed only when its status or transaction is asked for.
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
   * List money that needs a person. Money that matched no intent, was too much, came too late, or was of the wrong kind. Less than a cent is dust: closed at once, and listed only when its status or transaction is asked for.
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
   * Give the money to an intent. The intent is credited as if the payment had named it.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async link(
    exceptionId: string,
    body: LinkExceptionRequest,
    options: KeyedOptions = {},
  ): Promise<PaymentException> {
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
   * Note that the money was sent back. Florin holds no keys: you send it back from your wallet, and say so here.
   *
   * Scopes: `billing:read`, `billing:write`, `payments:read`, `payments:write`.
   */
  async markReturned(
    exceptionId: string,
    body: MarkReturnedRequest = {},
    options: KeyedOptions = {},
  ): Promise<PaymentException> {
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
}

export class PublicIntentsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** What a payer may know of an intent */
  async retrieve(intentId: string, options: RequestOptions = {}): Promise<PublicPaymentIntent> {
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

  /** Say that it is paid. The chain is looked at more closely soon; asking more often changes nothing. A transaction that is named is read like any other: it counts if it pays this intent. */
  async check(
    intentId: string,
    body: CheckPaymentRequest = {},
    options: RequestOptions = {},
  ): Promise<PublicPaymentIntent> {
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

  /** Send a signed payment. For wallets that sign and do not send. Only a transaction that pays exactly what is due to this intent is handed to the network; sent again it is the same payment. */
  async send(intentId: string, body: SendPaymentRequest, options: RequestOptions = {}): Promise<SentPayment> {
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
}

export class SandboxResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Pay with test money. A test wallet pays on the sandbox chain; the payment is found like any other.
   *
   * Any valid key.
   */
  async pay(body: SandboxPaymentRequest, options: RequestOptions = {}): Promise<SandboxPayment> {
    return this.#send({ method: 'POST', path: '/api/v2/sandbox/payments', body }, options);
  }

  /**
   * What time it is in the sandbox. Also answers while the time is being moved: how far it has come, and where it is going.
   *
   * Any valid key.
   */
  async clock(options: RequestOptions = {}): Promise<SandboxClock> {
    return this.#send({ method: 'GET', path: '/api/v2/sandbox/clock', isRepeatable: true }, options);
  }

  /**
   * Move the sandbox’s time forward. Answers when every step that became due has run. Webhook deliveries are not waited for. One advance runs at a time: another waits for it, and seconds then count from where it ended.
   *
   * Any valid key.
   */
  async moveClock(body: MoveSandboxClockRequest, options: RequestOptions = {}): Promise<SandboxClock> {
    return this.#send({ method: 'POST', path: '/api/v2/sandbox/clock', body }, options);
  }

  /**
   * Send a sample webhook. Goes to your webhook URL signed, retried and logged like any other. Its ids name nothing: no object of yours changes.
   *
   * Any valid key.
   */
  async sendEvent(body: SandboxEventRequest, options: RequestOptions = {}): Promise<SandboxEvent> {
    return this.#send({ method: 'POST', path: '/api/v2/sandbox/events', body }, options);
  }
}

export class ProjectsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Create a project. Customers, products, prices and everything sold belong to one project each.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreateProjectRequest, options: KeyedOptions = {}): Promise<Project> {
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
  async retrieve(projectId: string, options: RequestOptions = {}): Promise<Project> {
    return this.#send(
      { method: 'GET', path: `/api/v2/projects/${segment('projectId', projectId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a project. Changes what is named and leaves the rest; null clears. A limit holds from now on; a new volume limit counts what this month has seen already. Another payout address waits for the merchant’s `payoutChangeDelayHours` as `pendingChange`, unless the project could not be paid before.
   *
   * Scopes: `billing:write`.
   */
  async update(
    projectId: string,
    body: UpdateProjectRequest,
    options: RequestOptions = {},
  ): Promise<Project> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/projects/${segment('projectId', projectId)}`, body },
      options,
    );
  }

  /**
   * Archive a project. It can still be read, but takes nothing new. Not while an invoice is open. Deleting it again changes nothing.
   *
   * Scopes: `billing:write`.
   */
  async delete(projectId: string, options: RequestOptions = {}): Promise<void> {
    return this.#send(
      { method: 'DELETE', path: `/api/v2/projects/${segment('projectId', projectId)}`, isRepeatable: true },
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
  async create(body: CreateCustomerRequest, options: KeyedOptions = {}): Promise<Customer> {
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
  async retrieve(customerId: string, options: RequestOptions = {}): Promise<Customer> {
    return this.#send(
      { method: 'GET', path: `/api/v2/customers/${segment('customerId', customerId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a customer. Changes what is named and leaves the rest; null clears. The externalCustomerId stays.
   *
   * Scopes: `billing:write`.
   */
  async update(
    customerId: string,
    body: UpdateCustomerRequest,
    options: RequestOptions = {},
  ): Promise<Customer> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/customers/${segment('customerId', customerId)}`, body },
      options,
    );
  }

  /**
   * Adjust a balance. Give exactly one of `deltaCredits` and `deltaCents`. A balance never falls below zero.
   *
   * Scopes: `billing:write`.
   */
  async adjustBalance(
    customerId: string,
    body: AdjustBalanceRequest,
    options: KeyedOptions = {},
  ): Promise<BalanceEntry> {
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

export class ProductsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Create a product. Scopes: `billing:write`. */
  async create(body: CreateProductRequest, options: KeyedOptions = {}): Promise<Product> {
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
  async retrieve(productId: string, options: RequestOptions = {}): Promise<Product> {
    return this.#send(
      { method: 'GET', path: `/api/v2/products/${segment('productId', productId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a product. Changes what is named and leaves the rest; null clears.
   *
   * Scopes: `billing:write`.
   */
  async update(
    productId: string,
    body: UpdateProductRequest,
    options: RequestOptions = {},
  ): Promise<Product> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/products/${segment('productId', productId)}`, body },
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
   * Create a price. What a price asks and promises never changes; other terms are another price.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreatePriceRequest, options: KeyedOptions = {}): Promise<Price> {
    return this.#send(
      { method: 'POST', path: '/api/v2/prices', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List prices. Scopes: `billing:read`. */
  list(query: PricesListQuery = {}, options: RequestOptions = {}): List<Price> {
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
  async retrieve(priceId: string, options: RequestOptions = {}): Promise<Price> {
    return this.#send(
      { method: 'GET', path: `/api/v2/prices/${segment('priceId', priceId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Update a price. Its name, and whether it can be bought. Nothing else of a price ever changes.
   *
   * Scopes: `billing:write`.
   */
  async update(priceId: string, body: UpdatePriceRequest, options: RequestOptions = {}): Promise<Price> {
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
  async create(body: CreateCheckoutSessionRequest, options: KeyedOptions = {}): Promise<CheckoutSession> {
    return this.#send(
      { method: 'POST', path: '/api/v2/checkout-sessions', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List checkout sessions. Scopes: `billing:read`. */
  list(query: CheckoutSessionsListQuery = {}, options: RequestOptions = {}): List<CheckoutSession> {
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
  async retrieve(sessionId: string, options: RequestOptions = {}): Promise<CheckoutSession> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/checkout-sessions/${segment('sessionId', sessionId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Cancel a checkout session. Only while nothing was paid toward it. Its invoice is voided and its intent canceled.
   *
   * Scopes: `billing:write`, `payments:write`.
   */
  async cancel(sessionId: string, options: KeyedOptions = {}): Promise<CheckoutSession> {
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
  list(query: InvoicesListQuery = {}, options: RequestOptions = {}): List<Invoice> {
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
  async retrieve(invoiceId: string, options: RequestOptions = {}): Promise<Invoice> {
    return this.#send(
      { method: 'GET', path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}`, isRepeatable: true },
      options,
    );
  }

  /**
   * Get an invoice as a PDF. For people: the customer’s receipt once it is paid.
   *
   * Scopes: `billing:read`.
   */
  async pdf(invoiceId: string, options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/invoices/${segment('invoiceId', invoiceId)}/pdf`,
        isRepeatable: true,
        answer: 'bytes',
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
  list(query: SubscriptionsListQuery = {}, options: RequestOptions = {}): List<Subscription> {
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
  async retrieve(subscriptionId: string, options: RequestOptions = {}): Promise<Subscription> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Change the plan, or take a planned end back. Where the change costs something, it waits as `pendingChange` until the customer has paid it at its `checkoutUrl`.
   *
   * Scopes: `billing:write`.
   */
  async update(
    subscriptionId: string,
    body: UpdateSubscriptionRequest,
    options: RequestOptions = {},
  ): Promise<Subscription> {
    return this.#send(
      { method: 'PATCH', path: `/api/v2/subscriptions/${segment('subscriptionId', subscriptionId)}`, body },
      options,
    );
  }

  /**
   * Cancel a subscription. With the last paid period, or at once. An unpaid renewal is withdrawn. A plan change is kept at period end, in case the cancellation is undone, and withdrawn at once.
   *
   * Scopes: `billing:write`.
   */
  async cancel(
    subscriptionId: string,
    body: CancelSubscriptionRequest = {},
    options: KeyedOptions = {},
  ): Promise<Subscription> {
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
   * Preview a change of plan. `auto`: a dearer price is charged now for the rest of the period, a cheaper one waits for the next period, one with another interval begins anew. Changes nothing.
   *
   * Scopes: `billing:read`.
   */
  async previewChange(
    subscriptionId: string,
    body: PreviewSubscriptionChangeRequest,
    options: RequestOptions = {},
  ): Promise<SubscriptionChangePreview> {
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
   * Withdraw a change of plan. One that is planned, or waits for its payment: its invoice is void, and the plan stays as it is.
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
   * Create a payment link. For a price that exists. Project and price of a link never change.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreatePaymentLinkRequest, options: KeyedOptions = {}): Promise<PaymentLink> {
    return this.#send(
      { method: 'POST', path: '/api/v2/payment-links', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Set up a payment link in one step. Makes product, price and link together, or nothing.
   *
   * Scopes: `billing:write`.
   */
  async setUp(body: SetUpPaymentLinkRequest, options: KeyedOptions = {}): Promise<PaymentLinkSetup> {
    return this.#send(
      { method: 'POST', path: '/api/v2/payment-links/setup', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /** List payment links. Scopes: `billing:read`. */
  list(query: PaymentLinksListQuery = {}, options: RequestOptions = {}): List<PaymentLink> {
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
   * Get a payment link, or read a public one. With an id (a UUID): the link, for its owner’s key. With a public token: what a buyer may see of it, without a key. Reading creates nothing.
   *
   * Scopes: `billing:read`.
   */
  async retrieve(paymentLinkId: string, options: RequestOptions = {}): Promise<PaymentLink> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/v2/payment-links/${segment('paymentLinkId', paymentLinkId)}`,
        isRepeatable: true,
      },
      options,
    );
  }

  /**
   * Update a payment link. Switches it on or off and changes what it asks. Project and price stay.
   *
   * Scopes: `billing:write`.
   */
  async update(
    paymentLinkId: string,
    body: UpdatePaymentLinkRequest,
    options: RequestOptions = {},
  ): Promise<PaymentLink> {
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
   * Get a payment link, or read a public one. With an id (a UUID): the link, for its owner’s key. With a public token: what a buyer may see of it, without a key. Reading creates nothing.
   *
   * Scopes: `billing:read`.
   */
  async retrieve(paymentLinkId: string, options: RequestOptions = {}): Promise<PublicPaymentLink> {
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

  /** Start a checkout from a public link. Without a key. The buyer confirms, and only now is a session made; project, price, amount and where the money goes are the link’s. */
  async checkOut(
    publicToken: string,
    body: PublicCheckoutRequest = {},
    options: RequestOptions = {},
  ): Promise<PublicCheckout> {
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

export class UsageResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Record usage. A repeat of the same `idempotencyKey` answers the first record with `duplicate: true` and counts nothing. Where the project’s `usageCredits` name the metric, the customer’s prepaid credits are debited with it.
   *
   * Scopes: `billing:write`.
   */
  async record(body: RecordUsageRequest, options: KeyedOptions = {}): Promise<RecordedUsage> {
    return this.#send(
      { method: 'POST', path: '/api/v2/usage', body, key: 'header', isRepeatable: true },
      options,
    );
  }

  /**
   * Record usage in bulk. Up to 1,000 records, 1 MiB at most. Each is recorded or refused for itself, and `results` answers them in order. Sending a batch again is safe: every record has its own key.
   *
   * Scopes: `billing:write`.
   */
  async recordBatch(
    body: RecordUsageBatchRequest,
    options: RequestOptions = {},
  ): Promise<RecordedUsageBatch> {
    return this.#send({ method: 'POST', path: '/api/v2/usage/batch', body, isRepeatable: true }, options);
  }

  /**
   * List usage summaries. Sums by metric and project, for each period in which there was usage. Periods are half open, in UTC, and cut at `from` and `to`.
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
   * List usage summaries. Sums by metric and project, for each period in which there was usage. Periods are half open, in UTC, and cut at `from` and `to`.
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

  /** Billing in numbers. Scopes: `billing:read`. */
  async overview(query: BillingOverviewQuery = {}, options: RequestOptions = {}): Promise<BillingOverview> {
    return this.#send(
      { method: 'GET', path: '/api/v2/billing/overview', query, isRepeatable: true },
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
   * List webhook deliveries. Finished deliveries are kept for 30 days, unless the operator set it otherwise.
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
   * List webhook deliveries. Finished deliveries are kept for 30 days, unless the operator set it otherwise.
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
  async retrieve(deliveryId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
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
   * Resend a webhook delivery. Sends the same event, with the same id and the same bytes, to the URL that is set now. Receivers that handle each event id once are not disturbed.
   *
   * Scopes: `billing:write`.
   */
  async resend(deliveryId: string, options: KeyedOptions = {}): Promise<WebhookDelivery> {
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

export class EventsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List events. Everything that happened, newest first, whether or not a webhook URL is set. With `after` the order is oldest first, for following: ask again with `after` set to the last `nextCursor`, which is there even when nothing new is. No event is ever missed, however its transaction was delayed.
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
   * Create a portal session. A link into the portal for one customer. It works once, within the hour. It is a secret and not kept: an Idempotency-Key that is used again gets 409.
   *
   * Scopes: `billing:write`.
   */
  async create(body: CreatePortalSessionRequest, options: KeyedOptions = {}): Promise<PortalSession> {
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

  /** Enter the portal. Exchanges the token of a link for a cookie, once. The visit lasts one hour, whatever is done in it. The cookie is HttpOnly; `csrfToken` goes along with every change. */
  async enter(body: PortalLoginRequest, options: RequestOptions = {}): Promise<PortalVisit> {
    return this.#send({ method: 'POST', path: '/api/portal/login', body, isKeyless: true }, options);
  }

  /** Leave the portal */
  async leave(options: RequestOptions = {}): Promise<void> {
    return this.#send({ method: 'POST', path: '/api/portal/logout', isKeyless: true }, options);
  }

  /** Who is in the portal */
  async retrieveVisit(options: RequestOptions = {}): Promise<PortalVisit> {
    return this.#send(
      { method: 'GET', path: '/api/portal/me', isRepeatable: true, isKeyless: true },
      options,
    );
  }

  /** Correct e-mail and name. Changes what is named and leaves the rest; null clears. */
  async updateCustomer(
    body: UpdatePortalCustomerRequest,
    options: RequestOptions = {},
  ): Promise<PortalCustomer> {
    return this.#send({ method: 'PATCH', path: '/api/portal/me', body, isKeyless: true }, options);
  }

  /** List one’s subscriptions */
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
   * List one’s subscriptions
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

  /** Get one of one’s subscriptions */
  async retrieveSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<PortalSubscription> {
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

  /** Pay for the next period. The renewal that is open, or one ahead of its time. Never more than one period ahead. */
  async renewSubscription(subscriptionId: string, options: RequestOptions = {}): Promise<PortalRenewal> {
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
  async listPlans(subscriptionId: string, options: RequestOptions = {}): Promise<PortalPlans> {
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

  /** Preview a change of plan. As of now: a dearer plan is charged for the rest of the period, a cheaper one waits for the next, one with another interval begins anew. */
  async previewChange(
    subscriptionId: string,
    body: PreviewPortalChangeRequest,
    options: RequestOptions = {},
  ): Promise<SubscriptionChangePreview> {
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

  /** Change the plan. Where the change costs something, it waits as `pendingChange` until it is paid at its `checkoutUrl`. */
  async changePlan(
    subscriptionId: string,
    body: PortalChangeRequest,
    options: RequestOptions = {},
  ): Promise<PortalSubscription> {
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

  /** Withdraw a change of plan. One that is planned, or waits for its payment: its invoice is void, and the plan stays as it is. */
  async withdrawChange(subscriptionId: string, options: RequestOptions = {}): Promise<PortalSubscription> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/withdraw-change`,
        isKeyless: true,
      },
      options,
    );
  }

  /** Cancel at the end of the paid period. One whose renewal is overdue, or whose first payment was never made, ends at once. */
  async cancelSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<PortalSubscription> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/cancel`,
        isKeyless: true,
      },
      options,
    );
  }

  /** Take a planned end back */
  async resumeSubscription(
    subscriptionId: string,
    options: RequestOptions = {},
  ): Promise<PortalSubscription> {
    return this.#send(
      {
        method: 'POST',
        path: `/api/portal/subscriptions/${segment('subscriptionId', subscriptionId)}/resume`,
        isKeyless: true,
      },
      options,
    );
  }

  /** List one’s invoices */
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
   * List one’s invoices
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

  /** Get one of one’s invoices */
  async retrieveInvoice(invoiceId: string, options: RequestOptions = {}): Promise<PortalInvoice> {
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

  /** Get one of one’s invoices as a PDF */
  async invoicePdf(invoiceId: string, options: RequestOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.#send(
      {
        method: 'GET',
        path: `/api/portal/invoices/${segment('invoiceId', invoiceId)}/pdf`,
        isRepeatable: true,
        isKeyless: true,
        answer: 'bytes',
      },
      options,
    );
  }

  /** List the movements of one’s balances */
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
   * List the movements of one’s balances
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

  /** List one’s usage in sums */
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
   * List one’s usage in sums
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
   * Find anything by what is known of it. Payments, customers, invoices, subscriptions and all else, in one question.
   *
   * Scopes: `billing:read`, `payments:read`.
   */
  async find(query: SearchFindQuery, options: RequestOptions = {}): Promise<SearchResults> {
    return this.#send({ method: 'GET', path: '/api/v2/search', query, isRepeatable: true }, options);
  }
}

export class HealthResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Is the process alive? */
  async live(options: RequestOptions = {}): Promise<Health> {
    return this.#send({ method: 'GET', path: '/health/live', isRepeatable: true, isKeyless: true }, options);
  }

  /** Can it take traffic? */
  async ready(options: RequestOptions = {}): Promise<Health> {
    return this.#send({ method: 'GET', path: '/health/ready', isRepeatable: true, isKeyless: true }, options);
  }

  /** Metrics in Prometheus text format. For the machine itself, or for whoever holds the operator’s METRICS_TOKEN. */
  async metrics(options: RequestOptions = {}): Promise<string> {
    return this.#send(
      { method: 'GET', path: '/metrics', isRepeatable: true, isKeyless: true, answer: 'text' },
      options,
    );
  }
}

export interface MerchantListAuditEntriesQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  /** Only this action. */
  action?: string | undefined;
  /** Only what this actor did. */
  actor?: string | undefined;
  /** Only what was done to this. */
  targetId?: string | undefined;
}

export interface IntentsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
  /** Only what asks for exactly this. */
  amountCents?: Int64 | undefined;
  referenceAddress?: string | undefined;
  /** Only what this transaction paid toward. */
  txSignature?: string | undefined;
  /** Only what was asked of this address by a checkout, in any case. */
  customerEmail?: string | undefined;
}

export interface IntentsListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
  /** Only what asks for exactly this. */
  amountCents?: Int64 | undefined;
  referenceAddress?: string | undefined;
  /** Only what this transaction paid toward. */
  txSignature?: string | undefined;
  /** Only what was asked of this address by a checkout, in any case. */
  customerEmail?: string | undefined;
}

export interface ExceptionsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'linked'
    | 'returned'
    | 'dust'
    | readonly ('open' | 'linked' | 'returned' | 'dust')[]
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
    | readonly (
        | 'unmatched'
        | 'ambiguous'
        | 'wrong_mint'
        | 'canceled'
        | 'late'
        | 'surplus'
        | 'duplicate_order'
        | 'stray'
      )[]
    | undefined;
  txSignature?: string | undefined;
}

export interface ExceptionsListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'linked'
    | 'returned'
    | 'dust'
    | readonly ('open' | 'linked' | 'returned' | 'dust')[]
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
    | readonly (
        | 'unmatched'
        | 'ambiguous'
        | 'wrong_mint'
        | 'canceled'
        | 'late'
        | 'surplus'
        | 'duplicate_order'
        | 'stray'
      )[]
    | undefined;
  txSignature?: string | undefined;
}

export interface ProjectsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  /** true: only archived projects. Otherwise only the others. */
  archived?: boolean | undefined;
}

export interface ProjectsListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  /** true: only archived projects. Otherwise only the others. */
  archived?: boolean | undefined;
}

export interface CustomersListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  externalCustomerId?: string | undefined;
  /** Exactly this address, in any case. */
  email?: string | undefined;
}

export interface CustomersListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  externalCustomerId?: string | undefined;
  /** Exactly this address, in any case. */
  email?: string | undefined;
}

export interface CustomersListBalanceEntriesQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
}

export interface CustomersListBalanceEntriesCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
}

export interface ProductsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  isActive?: boolean | undefined;
}

export interface ProductsListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  isActive?: boolean | undefined;
}

export interface PricesListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  productId?: string | undefined;
  billingMode?: 'one_time' | 'balance_top_up' | 'subscription' | undefined;
  isActive?: boolean | undefined;
}

export interface PricesListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  productId?: string | undefined;
  billingMode?: 'one_time' | 'balance_top_up' | 'subscription' | undefined;
  isActive?: boolean | undefined;
}

export interface CheckoutSessionsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
}

export interface CheckoutSessionsListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
}

export interface InvoicesListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  status?:
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
  /** Exactly this number, in any case. */
  number?: string | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
}

export interface InvoicesListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  externalCustomerId?: string | undefined;
  status?:
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
  /** Exactly this number, in any case. */
  number?: string | undefined;
  merchantReference?: string | undefined;
  clientReferenceId?: string | undefined;
}

export interface SubscriptionsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  externalCustomerId?: string | undefined;
  priceId?: string | undefined;
  status?:
    | 'incomplete'
    | 'incomplete_expired'
    | 'active'
    | 'past_due'
    | 'canceled'
    | readonly ('incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled')[]
    | undefined;
}

export interface SubscriptionsListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  externalCustomerId?: string | undefined;
  priceId?: string | undefined;
  status?:
    | 'incomplete'
    | 'incomplete_expired'
    | 'active'
    | 'past_due'
    | 'canceled'
    | readonly ('incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'canceled')[]
    | undefined;
}

export interface PaymentLinksListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  priceId?: string | undefined;
  status?: 'active' | 'inactive' | readonly ('active' | 'inactive')[] | undefined;
}

export interface PaymentLinksListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  priceId?: string | undefined;
  status?: 'active' | 'inactive' | readonly ('active' | 'inactive')[] | undefined;
}

export interface UsageListSummariesQuery {
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this moment or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this moment. */
  to?: string | Date | undefined;
  /** One sum for each UTC day or month, or one in all (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
}

export interface UsageListSummariesCsvQuery {
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this moment or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this moment. */
  to?: string | Date | undefined;
  /** One sum for each UTC day or month, or one in all (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
}

export interface UsageListRecordsQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  projectId?: string | undefined;
  customerId?: string | undefined;
  subscriptionId?: string | undefined;
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  idempotencyKey?: string | undefined;
}

export interface UsageListRecordsCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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

export interface WebhookDeliveriesListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
}

export interface WebhookDeliveriesListCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
}

export interface EventsListQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  /** Only this event, such as `payment_intent.succeeded`. */
  event?: string | undefined;
  /** Follows events, oldest first: `nextCursor` of the answer before, `earliest` to begin with the first event, or `latest` for a cursor alone, to follow what comes from now on. Not with `cursor`, `createdFrom` or `createdTo`. */
  after?: string | undefined;
}

export interface PortalListSubscriptionsQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
}

export interface PortalListSubscriptionsCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
}

export interface PortalListInvoicesQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
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
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
  status?:
    | 'open'
    | 'paid'
    | 'void'
    | 'uncollectible'
    | readonly ('open' | 'paid' | 'void' | 'uncollectible')[]
    | undefined;
}

export interface PortalListBalanceEntriesQuery {
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
}

export interface PortalListBalanceEntriesCsvQuery {
  /** Only what was created at this moment or later. */
  createdFrom?: string | Date | undefined;
  /** Only what was created before this moment. */
  createdTo?: string | Date | undefined;
}

export interface PortalListUsageQuery {
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this moment or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this moment. */
  to?: string | Date | undefined;
  /** One sum for each UTC day or month, or one in all (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
  /** How many items to answer, 1 to 100. */
  limit?: number | undefined;
  /** nextCursor of the page before. */
  cursor?: string | undefined;
}

export interface PortalListUsageCsvQuery {
  /** What is counted: lower case letters, digits and _ . : - */
  metric?: string | undefined;
  /** Only usage recorded at this moment or later. */
  from?: string | Date | undefined;
  /** Only usage recorded before this moment. */
  to?: string | Date | undefined;
  /** One sum for each UTC day or month, or one in all (`total`). */
  granularity?: 'total' | 'day' | 'month' | undefined;
}

export interface SearchFindQuery {
  /** An order, e-mail address, name, invoice number or how one begins; an amount such as 12.50; a whole reference address, transaction signature, id or page address. */
  q: string;
  /** How many of each kind to answer, 1 to 20. */
  limit?: number | undefined;
}
