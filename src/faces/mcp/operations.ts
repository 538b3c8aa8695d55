import type { Principal } from '../../platform/access/principal.ts';
import type { App, RouteDescription } from '../../platform/http/route.ts';
import type { TSchema } from '../../platform/http/schema.ts';
import { WITHHELD } from './withheld.ts';

/** Offered by `read`: they change nothing. */
const READS = new Set([
  'getProfile',
  'getBrand',
  'getStats',
  'listAuditEntries',
  'listTerminals',
  'listTills',
  'listRefundRequests',
  'listPaymentIntents',
  'getPaymentIntent',
  'getPaymentIntentHistory',
  'listExceptions',
  'listExceptionSuggestions',
  'getSandboxClock',
  'listProjects',
  'getProject',
  'listCustomers',
  'getCustomer',
  'getCustomerErasure',
  'listProducts',
  'getProduct',
  'listPrices',
  'getPrice',
  'listTaxRates',
  'getTaxRate',
  'listDiscounts',
  'getDiscount',
  'listPromotionCodes',
  'getPromotionCode',
  'listWebhookEndpoints',
  'getWebhookEndpoint',
  'listNotifications',
  'getNotification',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'listBalanceEntries',
  'listInvoices',
  'getInvoice',
  'listCheckoutSessions',
  'getCheckoutSession',
  'listSubscriptions',
  'getSubscription',
  'previewSubscriptionChange',
  'listPaymentLinks',
  'getPaymentLink',
  'listUsageSummaries',
  'listUsageRecords',
  'listRefunds',
  'getRefund',
  'listCreditNotes',
  'getCreditNote',
  'getBillingOverview',
  'getRevenue',
  'getMonthlyReport',
  'listNotes',
  'getTaxReport',
  'listRequestLogs',
  'getRequestLog',
  'listEvents',
  'find',
  'getSponsor',
  'listPaywalls',
  'getPaywall',
]);

interface WriteRules {
  /** Fields an assistant may not set. */
  refused?: readonly string[];
  /** Fields it may not set together with another one. */
  refusedWith?: Readonly<Record<string, readonly string[]>>;
  /** The name its Idempotency-Keys are stored under, where that is not its own. */
  storedAs?: string;
  /** Sentence for an assistant on what else the operation refuses it. */
  note?: string;
  /** Ends or removes something. */
  destructive?: boolean;
}

/** Assistants do not decide where money goes, how much of it they may refund, whether fees are sponsored, who is taxed, whom buyers write to, or how customers sign in. */
const PROJECT_RULES = {
  refused: [
    ...['payoutAddress', 'seller'],
    ...['settings.agentRefundLimitCents', 'settings.sponsorFees', 'settings.embedOrigins'],
    ...['settings.supportEmail', 'settings.termsUrl', 'settings.portalSignIn'],
  ],
} as const;

/**
 * Offered by `write`. Each either takes an Idempotency-Key, or has the same effect when it is repeated (PATCH, DELETE,
 * `checkRefund`); a test holds this list to that.
 */
const WRITES: Record<string, WriteRules> = {
  updateBrand: {},
  updateProfile: {},
  createTerminal: {},
  updateTerminal: {},
  createPaymentIntent: { storedAs: 'createIntent' },
  updatePaymentIntent: {},
  cancelPaymentIntent: { storedAs: 'cancelIntent', destructive: true },
  createProject: PROJECT_RULES,
  updateProject: PROJECT_RULES,
  deleteProject: { destructive: true },
  // A mailbox signs in as the customer and names where their refund goes: whose it is, is not an assistant's to say.
  createCustomer: { refusedWith: { email: ['externalCustomerId'] } },
  updateCustomer: { refused: ['email'] },
  createProduct: {},
  updateProduct: {},
  createPrice: { refused: ['trialDays'] },
  updatePrice: {},
  resendWebhookDelivery: {},
  // Discounts and free trials are for a person to decide.
  createCheckoutSession: {
    refused: ['discountId', 'promotionCode', 'trialDays'],
    refusedWith: { customerEmail: ['externalCustomerId', 'customerId'] },
  },
  updateCheckoutSession: {},
  // Drafts only: a person reads what an assistant wrote before a customer owes it.
  createInvoice: { refused: ['discountId', 'promotionCode', 'send'] },
  updateInvoice: { refused: ['discountId', 'promotionCode', 'send'] },
  deleteInvoice: { destructive: true },
  cancelCheckoutSession: { destructive: true },
  // Changes of plan are checked when they are worked out, because auto can mean anything.
  updateSubscription: {
    note: 'An assistant changes a plan with prorationBehavior charge_now or next_period only. Where auto would be reset or none, as previewSubscriptionChange says, ask for next_period.',
  },
  cancelSubscription: { destructive: true },
  withdrawSubscriptionChange: { destructive: true },
  createPaymentLink: {},
  setUpPaymentLink: { refused: ['trialDays'] },
  updatePaymentLink: {},
  deletePaymentLink: { destructive: true },
  recordUsage: {},
  createPaywall: {},
  deletePaywall: { destructive: true },
  // The limit is enforced where the refund is created. To whom the money goes is for the customer and a person to say.
  createRefund: { refused: ['address', 'exceptionId'] },
  updateRefund: {},
  checkRefund: {},
};

export type Offer = (Required<WriteRules> & { tool: 'read' | 'write' }) | { tool: undefined; reason: string };

/**
 * Decides if an assistant may call a route. One that is in no list is not offered, and a test refuses a route that
 * takes a key and is in no list, so that a new one is only offered by decision.
 */
export function offerOf(route: RouteDescription): Offer {
  const withheld = withheldByKind(route) ?? WITHHELD[route.id];
  if (withheld !== undefined) return { tool: undefined, reason: withheld };
  const offered = { refused: [], refusedWith: {}, note: '', storedAs: route.id, destructive: false };
  if (READS.has(route.id)) return { ...offered, tool: 'read' };
  const rules = Object.hasOwn(WRITES, route.id) ? WRITES[route.id] : undefined;
  if (rules) return { ...offered, ...rules, tool: 'write' };
  return { tool: undefined, reason: 'It is not offered to assistants.' };
}

/** Routes that are never an assistant's, whatever they do. */
function withheldByKind({ scopes, portal, dashboard, id, path }: RouteDescription): string | undefined {
  if (portal || dashboard) return 'It is for a person who is signed in.';
  if (scopes === undefined) return 'It is for the public or the operator, and takes no key.';
  if (id.endsWith('V1') && !path.startsWith('/api/v2/')) return `Use ${id.slice(0, -2)}.`;
  return undefined;
}

/** True if a route is in exactly one of the lists, for the test that keeps them complete. */
export function isClassified(route: RouteDescription): boolean {
  if (withheldByKind(route)) return true;
  const lists = [READS.has(route.id), Object.hasOwn(WRITES, route.id), Object.hasOwn(WITHHELD, route.id)];
  return lists.filter(Boolean).length === 1;
}

/** Names in the lists, for the test that finds those of operations that no longer exist. */
export const CLASSIFIED = [...READS, ...Object.keys(WRITES), ...Object.keys(WITHHELD)];

export interface Operation {
  route: RouteDescription;
  offer: Extract<Offer, { tool: 'read' | 'write' }>;
}

/** Everything the principal's key can do through `read` and `write`. */
export function listOffered(app: App, principal: Principal): Operation[] {
  return app.routeDescriptions.flatMap((route) => {
    const offer = offerOf(route);
    return offer.tool && holds(principal, route.scopes!) ? [{ route, offer }] : [];
  });
}

export function holds({ scopes }: Principal, needed: readonly string[]): boolean {
  return needed.every((scope) => (scopes as readonly string[]).includes(scope));
}

/** A schema as other programs read it: without our own formats, and without the fields that are refused. */
export function plainSchema(schema: TSchema | undefined, refused: readonly string[] = []): unknown {
  return schema && withoutFields(cleaned(schema), refused);
}

function cleaned(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(cleaned);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      typeof value !== 'bigint' &&
      !(key === 'title' && typeof value === 'string') &&
      !(key === 'format' && /^text/.test(String(value))),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, cleaned(value)]));
}

function withoutFields(schema: unknown, refused: readonly string[]): unknown {
  for (const field of refused) {
    const names = field.split('.');
    const parent = names.slice(0, -1).reduce((at, name) => at?.properties?.[name], schema as Properties);
    delete parent?.properties?.[names.at(-1)!];
  }
  return schema;
}

type Properties = { properties?: Record<string, Properties> } | undefined;
