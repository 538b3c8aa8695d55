/**
 * Where each operation of openapi.json is found in the client: `resource.method`. The command line has the same words:
 * `florin resource method`. An operation that is not here stops the generator. Version 1 of billing (`…V1`) has no names of
 * its own: the client asks version 2.
 */
export const names: Record<string, string> = {
  getProfile: 'merchant.retrieve',
  getStats: 'merchant.stats',
  updateWebhook: 'merchant.updateWebhook',
  removeWebhook: 'merchant.removeWebhook',
  getPayoutAddress: 'merchant.retrievePayoutAddress',
  updatePayoutAddress: 'merchant.updatePayoutAddress',
  createPayoutChallenge: 'merchant.createPayoutChallenge',
  verifyPayoutAddress: 'merchant.verifyPayoutAddress',
  updatePayoutDelay: 'merchant.updatePayoutDelay',
  cancelPayoutChange: 'merchant.cancelPayoutChange',
  generateWebhookSecret: 'merchant.generateWebhookSecret',

  getBrand: 'merchant.retrieveBrand',
  updateBrand: 'merchant.updateBrand',
  setLogo: 'merchant.setLogo',
  removeLogo: 'merchant.removeLogo',
  listAuditEntries: 'merchant.listAuditEntries',

  signIn: 'dashboard.signIn',
  startPasskeySignIn: 'dashboard.startPasskeySignIn',
  signInWithPasskey: 'dashboard.signInWithPasskey',
  signOut: 'dashboard.signOut',
  signOutEverywhere: 'dashboard.signOutEverywhere',
  startPasskeyStepUp: 'dashboard.startPasskeyStepUp',
  stepUp: 'dashboard.stepUp',
  changePassword: 'dashboard.changePassword',
  openMemberLink: 'dashboard.openLink',
  useMemberLink: 'dashboard.useLink',
  getDashboardSession: 'dashboard.retrieveSession',
  listDashboardSessions: 'dashboard.listSessions',
  endDashboardSession: 'dashboard.endSession',
  updateOwnMember: 'dashboard.updateMe',
  getSecuritySettings: 'dashboard.retrieveSecurity',
  updateSecuritySettings: 'dashboard.updateSecurity',

  listPasskeys: 'passkeys.list',
  startPasskey: 'passkeys.start',
  addPasskey: 'passkeys.add',
  renamePasskey: 'passkeys.rename',
  removePasskey: 'passkeys.remove',

  listMembers: 'members.list',
  updateMember: 'members.update',
  removeMember: 'members.remove',
  createResetLink: 'members.createResetLink',

  inviteMember: 'invitations.create',
  listInvitations: 'invitations.list',
  withdrawInvitation: 'invitations.withdraw',

  generateApiKey: 'apiKeys.generate',
  listApiKeys: 'apiKeys.list',
  revokeApiKey: 'apiKeys.revoke',

  listTerminals: 'terminals.list',
  createTerminal: 'terminals.create',
  updateTerminal: 'terminals.update',

  createPaymentIntent: 'intents.create',
  listPaymentIntents: 'intents.list',
  getPaymentIntent: 'intents.retrieve',
  updatePaymentIntent: 'intents.update',
  cancelPaymentIntent: 'intents.cancel',
  getPaymentIntentHistory: 'intents.history',

  listExceptions: 'exceptions.list',
  linkException: 'exceptions.link',
  markExceptionReturned: 'exceptions.markReturned',

  createRefund: 'refunds.create',
  listRefunds: 'refunds.list',
  getRefund: 'refunds.retrieve',
  updateRefund: 'refunds.update',
  cancelRefund: 'refunds.cancel',
  createRefundClaimLink: 'refunds.createClaimLink',
  approveRefundAddress: 'refunds.approveAddress',
  prepareRefunds: 'refunds.prepare',
  sendRefunds: 'refunds.send',
  checkRefund: 'refunds.check',
  listCreditNotes: 'creditNotes.list',
  getCreditNote: 'creditNotes.retrieve',
  getCreditNotePdf: 'creditNotes.pdf',
  getPublicRefund: 'publicRefunds.retrieve',
  claimPublicRefund: 'publicRefunds.claim',

  getPublicPaymentIntent: 'publicIntents.retrieve',
  checkPublicPaymentIntent: 'publicIntents.check',
  createPublicPaymentTransaction: 'publicIntents.createTransaction',
  sendPublicPayment: 'publicIntents.send',
  getSponsor: 'sponsor.retrieve',
  updateSponsor: 'sponsor.update',

  createSandboxPayment: 'sandbox.pay',
  paySandboxRefund: 'sandbox.payRefund',
  getSandboxClock: 'sandbox.clock',
  moveSandboxClock: 'sandbox.moveClock',
  createSandboxEvent: 'sandbox.sendEvent',
  resetSandbox: 'sandbox.reset',

  createProject: 'projects.create',
  listProjects: 'projects.list',
  getProject: 'projects.retrieve',
  updateProject: 'projects.update',
  deleteProject: 'projects.delete',
  setProjectLogo: 'projects.setLogo',
  removeProjectLogo: 'projects.removeLogo',

  createCustomer: 'customers.create',
  listCustomers: 'customers.list',
  getCustomer: 'customers.retrieve',
  updateCustomer: 'customers.update',
  adjustBalance: 'customers.adjustBalance',
  listBalanceEntries: 'customers.listBalanceEntries',

  createProduct: 'products.create',
  listProducts: 'products.list',
  getProduct: 'products.retrieve',
  updateProduct: 'products.update',

  createDiscount: 'discounts.create',
  listDiscounts: 'discounts.list',
  getDiscount: 'discounts.retrieve',
  updateDiscount: 'discounts.update',
  createPromotionCode: 'promotionCodes.create',
  listPromotionCodes: 'promotionCodes.list',
  getPromotionCode: 'promotionCodes.retrieve',
  updatePromotionCode: 'promotionCodes.update',
  createPrice: 'prices.create',
  listPrices: 'prices.list',
  getPrice: 'prices.retrieve',
  updatePrice: 'prices.update',

  createCheckoutSession: 'checkoutSessions.create',
  listCheckoutSessions: 'checkoutSessions.list',
  getCheckoutSession: 'checkoutSessions.retrieve',
  updateCheckoutSession: 'checkoutSessions.update',
  cancelCheckoutSession: 'checkoutSessions.cancel',

  listInvoices: 'invoices.list',
  getInvoice: 'invoices.retrieve',
  updateInvoice: 'invoices.update',
  getInvoicePdf: 'invoices.pdf',

  listSubscriptions: 'subscriptions.list',
  getSubscription: 'subscriptions.retrieve',
  updateSubscription: 'subscriptions.update',
  cancelSubscription: 'subscriptions.cancel',
  previewSubscriptionChange: 'subscriptions.previewChange',
  withdrawSubscriptionChange: 'subscriptions.withdrawChange',

  createPaymentLink: 'paymentLinks.create',
  setUpPaymentLink: 'paymentLinks.setUp',
  listPaymentLinks: 'paymentLinks.list',
  getPaymentLink: 'paymentLinks.retrieve',
  updatePaymentLink: 'paymentLinks.update',
  deletePaymentLink: 'paymentLinks.delete',
  checkOutPaymentLink: 'publicLinks.checkOut',

  createPaywall: 'paywalls.create',
  listPaywalls: 'paywalls.list',
  getPaywall: 'paywalls.retrieve',
  deletePaywall: 'paywalls.delete',

  verifyCreditToken: 'creditTokens.verify',
  revokeCreditToken: 'creditTokens.revoke',

  getX402Supported: 'x402.supported',
  verifyX402Payment: 'x402.verify',
  settleX402Payment: 'x402.settle',

  recordUsage: 'usage.record',
  recordUsageBatch: 'usage.recordBatch',
  listUsageSummaries: 'usage.listSummaries',
  listUsageRecords: 'usage.listRecords',

  getBillingOverview: 'billing.overview',

  createWebhookEndpoint: 'webhookEndpoints.create',
  listWebhookEndpoints: 'webhookEndpoints.list',
  getWebhookEndpoint: 'webhookEndpoints.retrieve',
  updateWebhookEndpoint: 'webhookEndpoints.update',
  deleteWebhookEndpoint: 'webhookEndpoints.delete',
  generateWebhookEndpointSecret: 'webhookEndpoints.generateSecret',
  testWebhookEndpoint: 'webhookEndpoints.test',
  listWebhookDeliveries: 'webhookDeliveries.list',
  getWebhookDelivery: 'webhookDeliveries.retrieve',
  resendWebhookDelivery: 'webhookDeliveries.resend',

  listEvents: 'events.list',

  createPortalSession: 'portalSessions.create',
  enterPortal: 'portal.enter',
  leavePortal: 'portal.leave',
  getPortalVisit: 'portal.retrieveVisit',
  updatePortalCustomer: 'portal.updateCustomer',
  listPortalSubscriptions: 'portal.listSubscriptions',
  getPortalSubscription: 'portal.retrieveSubscription',
  renewPortalSubscription: 'portal.renewSubscription',
  listPortalPlans: 'portal.listPlans',
  previewPortalChange: 'portal.previewChange',
  changePortalPlan: 'portal.changePlan',
  withdrawPortalChange: 'portal.withdrawChange',
  cancelPortalSubscription: 'portal.cancelSubscription',
  resumePortalSubscription: 'portal.resumeSubscription',
  listPortalInvoices: 'portal.listInvoices',
  getPortalInvoice: 'portal.retrieveInvoice',
  getPortalInvoicePdf: 'portal.invoicePdf',
  listPortalRefunds: 'portal.listRefunds',
  getPortalRefund: 'portal.retrieveRefund',
  getPortalCreditNotePdf: 'portal.creditNotePdf',
  listPortalBalanceEntries: 'portal.listBalanceEntries',
  listPortalUsage: 'portal.listUsage',

  find: 'search.find',

  getLiveness: 'health.live',
  getReadiness: 'health.ready',
  getMetrics: 'health.metrics',
};

/**
 * Operations that answer a buyer without a key another thing than they answer the owner: the same path under a
 * second name, with one of the two answers each.
 */
export const twoFaced: Record<string, { owner: string; buyer: { name: string; answer: string } }> = {
  getPaymentLink: {
    owner: 'ExpandedPaymentLink',
    buyer: { name: 'publicLinks.retrieve', answer: 'PublicPaymentLink' },
  },
};

/** POSTs that may be sent twice without a key: they change nothing, or each record carries a key of its own. */
export const repeatable = new Set([
  'previewSubscriptionChange',
  'previewPortalChange',
  'recordUsageBatch',
  'checkPublicPaymentIntent',
  'createPublicPaymentTransaction',
  'sendPublicPayment',
  'openMemberLink',
]);
