import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { mintKey, SCOPES, type Scope } from './key.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const withKey = (key: string, method: string, path: string, body?: unknown) =>
  call(service.url + path, method, body, { authorization: `Bearer ${key}` });

describe('Authorization', () => {
  test('401, one same answer, for a missing, malformed, unknown, revoked, expired and foreign-environment key', async () => {
    const revoked = await shop.keyWith(SCOPES);
    const list = await shop.call('GET', '/api/b2b/merchants/keys');
    await shop.call('DELETE', `/api/b2b/merchants/keys/${list.body[0].id}`);
    const expiring = await shop.keyWith(SCOPES, new Date(service.clock.now().getTime() + 3_600_000));
    expect((await withKey(expiring, 'GET', '/api/b2b/merchants/me')).status).toBe(200);
    service.clock.setOffsetMs(3_600_001);
    const headers = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic Zm9vOmJhcg==' },
      { authorization: shop.key },
      { authorization: `Bearer ${shop.key}x` },
      { authorization: `Bearer ${shop.key.slice(0, -1)}` },
      { authorization: `Bearer ${mintKey('devnet').raw}` },
      { authorization: `Bearer ${mintKey('mainnet').raw}` },
      { authorization: `Bearer ${revoked}` },
      { authorization: `Bearer ${expiring}` },
    ] as Record<string, string>[];
    const answers = await Promise.all(
      headers.map((header) => call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, header)),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="florin"');
      expect(answer.body.error).toEqual({ ...answers[0]!.body.error, traceId: answer.body.error.traceId });
      expect(answer.body.error.code).toBe('UNAUTHORIZED');
    }
    expect(
      (
        await call(`${service.url}/api/b2b/merchants/me`, 'GET', undefined, {
          authorization: `bearer ${shop.key}`,
        })
      ).status,
    ).toBe(200);
  });

  test('a key revoked elsewhere is refused here within its second of freshness', async () => {
    const merchant = await service.createMerchant();
    await merchant.call('GET', '/api/b2b/merchants/me');
    await service.db.query('update api_keys set revoked_at = now() where merchant_id = $1', [merchant.id]);
    const deadline = performance.now() + 30_000;
    let status = 200;
    while (status === 200 && performance.now() < deadline)
      status = (await merchant.call('GET', '/api/b2b/merchants/me')).status;
    expect(status).toBe(401);
  });

  test('last use is kept', async () => {
    const merchant = await service.createMerchant();
    await merchant.call('GET', '/api/b2b/merchants/me');
    const deadline = performance.now() + 30_000;
    let lastUsedAt = null;
    while (lastUsedAt === null && performance.now() < deadline) {
      lastUsedAt = (await merchant.call('GET', '/api/b2b/merchants/keys')).body[0].lastUsedAt;
    }
    expect(lastUsedAt).not.toBeNull();
  });
});

/** Before what a single field of the body needs besides. */
const lackOf = (answer: TestAnswer): string => answer.body.error.message.split('. ')[0];

describe('scopes', () => {
  const all = [...SCOPES];
  /** Every keyed operation and exactly what it needs. A new route must be added here: the test below counts. */
  const needs: Record<string, readonly Scope[]> = {
    getProfile: [],
    getBrand: [],
    updateBrand: ['billing:write', 'payments:write'],
    updateProfile: ['billing:write', 'payments:write'],
    setLogo: ['billing:write', 'payments:write'],
    removeLogo: ['billing:write', 'payments:write'],
    listAuditEntries: all,
    createSandboxPayment: [],
    createSandboxEvent: [],
    getSandboxClock: [],
    moveSandboxClock: [],
    resetSandbox: all,
    getStats: ['payments:read'],
    listTerminals: ['payments:read'],
    getPaymentIntent: ['payments:read'],
    listPaymentIntents: ['payments:read'],
    createPaymentIntent: ['payments:write'],
    updatePaymentIntent: ['payments:write'],
    cancelPaymentIntent: ['payments:write'],
    getPaymentIntentHistory: ['payments:read'],
    createTerminal: ['payments:write'],
    updateTerminal: ['payments:write'],
    listTills: ['payments:read'],
    createTill: ['billing:read', 'payments:write'],
    unpairTill: ['payments:write'],
    listRefundRequests: ['payments:read'],
    approveRefundRequest: all,
    declineRefundRequest: all,
    updateWebhook: [...SCOPES],
    removeWebhook: [...SCOPES],
    getPayoutAddress: [],
    createPayoutChallenge: [...SCOPES],
    verifyPayoutAddress: [...SCOPES],
    listExceptions: ['billing:read', 'payments:read'],
    find: ['billing:read', 'payments:read'],
    linkException: all,
    markExceptionReturned: all,
    keepException: all,
    creditException: all,
    reopenException: all,
    listExceptionSuggestions: ['billing:read', 'payments:read'],
    paySandboxRefund: all,
    listRefunds: ['billing:read', 'payments:read'],
    listRefundsV1: ['billing:read', 'payments:read'],
    getSponsor: ['payments:read'],
    updateSponsor: ['payments:write'],
    getRefund: ['billing:read', 'payments:read'],
    getRefundV1: ['billing:read', 'payments:read'],
    createRefund: all,
    createRefundV1: all,
    updateRefund: all,
    updateRefundV1: all,
    cancelRefund: all,
    cancelRefundV1: all,
    createRefundClaimLink: all,
    createRefundClaimLinkV1: all,
    approveRefundAddress: all,
    approveRefundAddressV1: all,
    prepareRefunds: all,
    prepareRefundsV1: all,
    sendRefunds: all,
    sendRefundsV1: all,
    checkRefund: all,
    checkRefundV1: all,
    generateApiKey: all,
    listApiKeys: all,
    revokeApiKey: all,
    generateWebhookSecret: all,
    updatePayoutAddress: all,
    updatePayoutDelay: all,
    cancelPayoutChange: all,
    recordUsage: ['billing:write'],
    recordUsageV1: ['billing:write'],
    recordUsageBatch: ['billing:write'],
    recordUsageBatchV1: ['billing:write'],
    listUsageSummaries: ['billing:read'],
    listUsageSummariesV1: ['billing:read'],
    listUsageRecords: ['billing:read'],
    listUsageRecordsV1: ['billing:read'],
    createNotification: [...SCOPES],
    createNotificationV1: [...SCOPES],
    listNotifications: ['billing:read'],
    listNotificationsV1: ['billing:read'],
    getNotification: ['billing:read'],
    getNotificationV1: ['billing:read'],
    updateNotification: [...SCOPES],
    updateNotificationV1: [...SCOPES],
    deleteNotification: [...SCOPES],
    deleteNotificationV1: [...SCOPES],
    testNotification: ['billing:write'],
    testNotificationV1: ['billing:write'],
    createWebhookEndpoint: [...SCOPES],
    createWebhookEndpointV1: [...SCOPES],
    listWebhookEndpoints: ['billing:read'],
    listWebhookEndpointsV1: ['billing:read'],
    getWebhookEndpoint: ['billing:read'],
    getWebhookEndpointV1: ['billing:read'],
    updateWebhookEndpoint: [...SCOPES],
    updateWebhookEndpointV1: [...SCOPES],
    deleteWebhookEndpoint: [...SCOPES],
    deleteWebhookEndpointV1: [...SCOPES],
    generateWebhookEndpointSecret: [...SCOPES],
    generateWebhookEndpointSecretV1: [...SCOPES],
    testWebhookEndpoint: ['billing:write'],
    testWebhookEndpointV1: ['billing:write'],
    listWebhookDeliveries: ['billing:read'],
    listWebhookDeliveriesV1: ['billing:read'],
    getWebhookDelivery: ['billing:read'],
    getWebhookDeliveryV1: ['billing:read'],
    resendWebhookDelivery: ['billing:write'],
    resendWebhookDeliveryV1: ['billing:write'],
    listRequestLogs: ['billing:read', 'payments:read'],
    getRequestLog: ['billing:read', 'payments:read'],
    listEvents: ['billing:read', 'payments:read'],
    listEventsV1: ['billing:read', 'payments:read'],
    createProject: ['billing:write'],
    createProjectV1: ['billing:write'],
    listProjects: ['billing:read'],
    listProjectsV1: ['billing:read'],
    getProject: ['billing:read'],
    getProjectV1: ['billing:read'],
    updateProject: ['billing:write'],
    updateProjectV1: ['billing:write'],
    deleteProject: ['billing:write'],
    deleteProjectV1: ['billing:write'],
    setProjectLogo: ['billing:write'],
    setProjectLogoV1: ['billing:write'],
    removeProjectLogo: ['billing:write'],
    removeProjectLogoV1: ['billing:write'],
    setProductImage: ['billing:write'],
    setProductImageV1: ['billing:write'],
    removeProductImage: ['billing:write'],
    removeProductImageV1: ['billing:write'],
    createPortalSession: ['billing:write'],
    createPortalSessionV1: ['billing:write'],
    createCustomer: ['billing:write'],
    createCustomerV1: ['billing:write'],
    listCustomers: ['billing:read'],
    listCustomersV1: ['billing:read'],
    getCustomer: ['billing:read'],
    getCustomerV1: ['billing:read'],
    updateCustomer: ['billing:write'],
    updateCustomerV1: ['billing:write'],
    mergeCustomer: all,
    mergeCustomerV1: all,
    deleteCustomer: ['billing:write'],
    deleteCustomerV1: ['billing:write'],
    getCustomerErasure: ['billing:read'],
    getCustomerErasureV1: ['billing:read'],
    createProduct: ['billing:write'],
    createProductV1: ['billing:write'],
    listProducts: ['billing:read'],
    listProductsV1: ['billing:read'],
    getProduct: ['billing:read'],
    getProductV1: ['billing:read'],
    updateProduct: ['billing:write'],
    updateProductV1: ['billing:write'],
    createTaxRate: ['billing:write'],
    listTaxRates: ['billing:read'],
    getTaxRate: ['billing:read'],
    updateTaxRate: ['billing:write'],
    createTaxRateV1: ['billing:write'],
    listTaxRatesV1: ['billing:read'],
    getTaxRateV1: ['billing:read'],
    updateTaxRateV1: ['billing:write'],
    createDiscount: ['billing:write'],
    listDiscounts: ['billing:read'],
    getDiscount: ['billing:read'],
    updateDiscount: ['billing:write'],
    createDiscountV1: ['billing:write'],
    listDiscountsV1: ['billing:read'],
    getDiscountV1: ['billing:read'],
    updateDiscountV1: ['billing:write'],
    createPromotionCode: ['billing:write'],
    listPromotionCodes: ['billing:read'],
    getPromotionCode: ['billing:read'],
    updatePromotionCode: ['billing:write'],
    createPromotionCodeV1: ['billing:write'],
    listPromotionCodesV1: ['billing:read'],
    getPromotionCodeV1: ['billing:read'],
    updatePromotionCodeV1: ['billing:write'],
    createPrice: ['billing:write'],
    createPriceV1: ['billing:write'],
    listPrices: ['billing:read'],
    listPricesV1: ['billing:read'],
    getPrice: ['billing:read'],
    getPriceV1: ['billing:read'],
    updatePrice: ['billing:write'],
    updatePriceV1: ['billing:write'],
    listSubscriptions: ['billing:read'],
    listSubscriptionsV1: ['billing:read'],
    getSubscription: ['billing:read'],
    getSubscriptionV1: ['billing:read'],
    previewSubscriptionChange: ['billing:read'],
    previewSubscriptionChangeV1: ['billing:read'],
    updateSubscription: ['billing:write'],
    updateSubscriptionV1: ['billing:write'],
    withdrawSubscriptionChange: ['billing:write'],
    withdrawSubscriptionChangeV1: ['billing:write'],
    cancelSubscription: ['billing:write'],
    cancelSubscriptionV1: ['billing:write'],
    adjustBalance: ['billing:write'],
    adjustBalanceV1: ['billing:write'],
    listBalanceEntries: ['billing:read'],
    listBalanceEntriesV1: ['billing:read'],
    createCheckoutSession: ['billing:write', 'payments:write'],
    createCheckoutSessionV1: ['billing:write', 'payments:write'],
    updateCheckoutSession: ['billing:write'],
    updateCheckoutSessionV1: ['billing:write'],
    cancelCheckoutSession: ['billing:write', 'payments:write'],
    cancelCheckoutSessionV1: ['billing:write', 'payments:write'],
    listCheckoutSessions: ['billing:read'],
    listCheckoutSessionsV1: ['billing:read'],
    getCheckoutSession: ['billing:read'],
    getCheckoutSessionV1: ['billing:read'],
    listInvoices: ['billing:read'],
    listInvoicesV1: ['billing:read'],
    getInvoice: ['billing:read'],
    updateInvoice: ['billing:write'],
    updateInvoiceV1: ['billing:write'],
    createInvoice: ['billing:write'],
    createInvoiceV1: ['billing:write'],
    deleteInvoice: ['billing:write'],
    deleteInvoiceV1: ['billing:write'],
    openInvoice: ['billing:write', 'payments:write'],
    openInvoiceV1: ['billing:write', 'payments:write'],
    sendInvoice: ['billing:write'],
    sendInvoiceV1: ['billing:write'],
    voidInvoice: ['billing:write', 'payments:write'],
    voidInvoiceV1: ['billing:write', 'payments:write'],
    acceptPaymentIntent: all,
    remindPayer: ['billing:write', 'payments:write'],
    acceptInvoice: all,
    acceptInvoiceV1: all,
    remindInvoice: ['billing:write'],
    remindInvoiceV1: ['billing:write'],
    getInvoicePdf: ['billing:read'],
    getInvoiceXml: ['billing:read'],
    getInvoiceV1: ['billing:read'],
    getInvoicePdfV1: ['billing:read'],
    getInvoiceXmlV1: ['billing:read'],
    listCreditNotes: ['billing:read'],
    listCreditNotesV1: ['billing:read'],
    getCreditNote: ['billing:read'],
    getCreditNoteV1: ['billing:read'],
    getCreditNotePdf: ['billing:read'],
    getCreditNoteXml: ['billing:read'],
    getCreditNotePdfV1: ['billing:read'],
    getCreditNoteXmlV1: ['billing:read'],
    createPaymentLink: ['billing:write'],
    createPaymentLinkV1: ['billing:write'],
    setUpPaymentLink: ['billing:write'],
    setUpPaymentLinkV1: ['billing:write'],
    listPaymentLinks: ['billing:read'],
    listPaymentLinksV1: ['billing:read'],
    getPaymentLink: ['billing:read'],
    getPaymentLinkV1: ['billing:read'],
    updatePaymentLink: ['billing:write'],
    updatePaymentLinkV1: ['billing:write'],
    deletePaymentLink: ['billing:write'],
    deletePaymentLinkV1: ['billing:write'],
    verifyCreditToken: ['billing:read'],
    verifyCreditTokenV1: ['billing:read'],
    revokeCreditToken: ['billing:write'],
    revokeCreditTokenV1: ['billing:write'],
    createPaywall: ['billing:write'],
    createPaywallV1: ['billing:write'],
    listPaywalls: ['billing:read'],
    listPaywallsV1: ['billing:read'],
    getPaywall: ['billing:read'],
    getPaywallV1: ['billing:read'],
    deletePaywall: ['billing:write'],
    deletePaywallV1: ['billing:write'],
    getX402Supported: ['billing:read'],
    verifyX402Payment: ['billing:write'],
    settleX402Payment: ['billing:write'],
    getBillingOverview: ['billing:read'],
    getBillingOverviewV1: ['billing:read'],
    getRevenue: ['billing:read', 'payments:read'],
    getRevenueV1: ['billing:read', 'payments:read'],
    getTaxReport: ['billing:read'],
    getTaxReportV1: ['billing:read'],
    listNotes: ['billing:read', 'payments:read'],
    createNote: ['billing:write', 'payments:write'],
    editNote: ['billing:write', 'payments:write'],
    deleteNote: ['billing:write', 'payments:write'],
    getMonthlyReport: ['billing:read', 'payments:read'],
    getMonthlyReportV1: ['billing:read', 'payments:read'],
    getMonthlyReportPdf: ['billing:read', 'payments:read'],
    getMonthlyReportPdfV1: ['billing:read', 'payments:read'],
    getGeneralLedger: ['billing:read', 'payments:read'],
    getGeneralLedgerV1: ['billing:read', 'payments:read'],
    getBankStatement: ['billing:read', 'payments:read'],
    getBankStatementV1: ['billing:read', 'payments:read'],
  };

  test('every keyed route is in the table', () => {
    const keyed = service.app.routeDescriptions.filter((route) => route.scopes);
    expect(keyed.map((route) => route.id).sort()).toEqual(Object.keys(needs).sort());
  });

  test('403 INSUFFICIENT_SCOPE names every missing scope, for every route and every subset of scopes that lacks one', async () => {
    const subsets = Array.from({ length: 15 }, (_, bits) =>
      SCOPES.filter((_scope, i) => (bits + 1) & (1 << i)),
    );
    for (const scopes of subsets) {
      const key = await shop.keyWith(scopes);
      for (const { id, method, path } of service.app.routeDescriptions) {
        const wanted = needs[id];
        if (!wanted) continue;
        const answer = await withKey(
          key,
          method,
          path.replace(/\{\w+\}/g, randomUUID()),
          method === 'GET' ? undefined : '{"?":1}',
        );
        const missing = wanted.filter((scope) => !scopes.includes(scope));
        if (missing.length > 0) {
          expect([id, scopes, answer.status, answer.body.error.code]).toEqual([
            id,
            scopes,
            403,
            'INSUFFICIENT_SCOPE',
          ]);
          const named = SCOPES.filter((scope) => lackOf(answer).includes(scope));
          expect([id, scopes, named]).toEqual([id, scopes, missing]);
        } else expect([id, scopes, answer.status]).not.toEqual([id, scopes, 403]);
      }
    }
  });
});

describe('POST /api/b2b/merchants/generate-key', () => {
  const generate = (body?: unknown, headers = {}) =>
    shop.call('POST', '/api/b2b/merchants/generate-key', body, headers);

  test('200 with the raw key once, under both names, that works', async () => {
    const { status, body } = await generate({ name: 'Server', scopes: ['payments:read'] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Server',
      scopes: ['payments:read'],
      environment: 'devnet',
      expiresAt: null,
    });
    expect(body.rawApiKey).toBe(body.apiKey);
    expect(body.apiKey.startsWith(body.prefix)).toBe(true);
    expect((await withKey(body.apiKey, 'GET', '/api/b2b/merchants/stats')).status).toBe(200);
    const listed = await shop.call('GET', '/api/b2b/merchants/keys');
    expect(listed.text).not.toContain(body.apiKey);
    expect(listed.body.find((key: { id: string }) => key.id === body.id)).toMatchObject({
      prefix: body.prefix,
      revokedAt: null,
    });
    const dump = await service.db.query('select * from api_keys where id = $1', [body.id]);
    expect(JSON.stringify(dump)).not.toContain(body.apiKey);
  });

  test('200 without a body, and with an empty one: all four scopes', async () => {
    for (const body of [undefined, {}]) {
      expect((await generate(body)).body.scopes).toEqual([...SCOPES]);
    }
  });

  test('400 for scopes or an expiry beyond the asking key, bad values, unknown fields', async () => {
    const soon = new Date(service.clock.now().getTime() + 3_600_000);
    const limited = await shop.keyWith(SCOPES, soon);
    const later = new Date(soon.getTime() + 1_000).toISOString();
    const over = await withKey(limited, 'POST', '/api/b2b/merchants/generate-key', { expiresAt: later });
    expect([over.status, over.body.error.message.split(' ')[0]]).toEqual([400, 'expiresAt']);
    const inherited = await withKey(limited, 'POST', '/api/b2b/merchants/generate-key', {});
    expect(inherited.body.expiresAt).toBe(soon.toISOString());
    for (const body of [
      { scopes: [] },
      { scopes: ['payments:read', 'payments:read'] },
      { scopes: ['admin'] },
      { scopes: 'payments:read' },
      { expiresAt: '2020-01-01T00:00:00Z' },
      { expiresAt: 'soon' },
      { name: '' },
      { name: 'x'.repeat(256) },
      { role: 'owner' },
      [],
    ]) {
      expect([body, (await generate(body)).status]).toEqual([body, 400]);
    }
  });

  test('revokeExisting ends every other key, the asking one included', async () => {
    const merchant = await service.createMerchant();
    const second = await merchant.keyWith(SCOPES);
    const fresh = await merchant.call('POST', '/api/b2b/merchants/generate-key', { revokeExisting: true });
    expect(fresh.status).toBe(200);
    expect((await merchant.call('GET', '/api/b2b/merchants/me')).status).toBe(401);
    expect((await withKey(second, 'GET', '/api/b2b/merchants/me')).status).toBe(401);
    expect((await withKey(fresh.body.apiKey, 'GET', '/api/b2b/merchants/me')).status).toBe(200);
  });

  test('409 when its Idempotency-Key is used again, and no second key', async () => {
    const merchant = await service.createMerchant();
    const headers = { 'idempotency-key': 'k' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => merchant.call('POST', '/api/b2b/merchants/generate-key', {}, headers)),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
    expect((await merchant.call('GET', '/api/b2b/merchants/keys')).body).toHaveLength(2);
  });
});

describe('DELETE /api/b2b/merchants/keys/{keyId}', () => {
  test('204, twice as well; 404 for unknown and foreign keys', async () => {
    const { body } = await shop.call('POST', '/api/b2b/merchants/generate-key', {});
    const path = `/api/b2b/merchants/keys/${body.id}`;
    expect((await shop.call('DELETE', path)).status).toBe(204);
    expect((await withKey(body.apiKey, 'GET', '/api/b2b/merchants/me')).status).toBe(401);
    expect((await shop.call('DELETE', path)).status).toBe(204);
    expect((await shop.call('DELETE', `/api/b2b/merchants/keys/${randomUUID()}`)).status).toBe(404);
    const other = await service.createMerchant();
    const theirs = (await other.call('GET', '/api/b2b/merchants/keys')).body[0].id;
    expect((await shop.call('DELETE', `/api/b2b/merchants/keys/${theirs}`)).status).toBe(404);
    expect((await other.call('GET', '/api/b2b/merchants/me')).status).toBe(200);
    const audit = await service.db.query(
      `select from audit_entries where action = 'api_key.revoked' and target_id = $1`,
      [body.id],
    );
    expect(audit).toHaveLength(1);
  });
});
