/**
 * Statements that do not name the merchant of every table in them, by why they may. They work within one cell, and none
 * of them may be what a request of one merchant waits for, except where somebody is found.
 */

/** Claims work that is due for any merchant: what follows names the merchant. */
const DUE = [
  'platform/set-aside/queries.ts countSetAside',
  'platform/set-aside/queries.ts deleteForgotten',
  'platform/set-aside/queries.ts listRetried',
  'intents/queries.ts listDueIntents',
  'accounts/payouts/pending-queries.ts listDuePending',
  'billing/payment-links/queries.ts listUnseenOfEnded',
  'billing/payment-links/queries.ts updateExpired',
  'billing/discounts/redemption-queries.ts listHeldRedemptions',
  'billing/subscriptions/due-queries.ts listDue',
  'chain/solana/queries.ts claimDueAccounts',
  'chain/solana/queries.ts claimRescan',
  'chain/solana/sweep-queries.ts updateEndedWatches',
  'reports/overview/standing-queries.ts listBusyProjects',
  'reports/overview/fold-queries.ts listUnfolded',
  'pages/portal/sign-in-queries.ts deleteOldestSignIn',
  'intents/queries.ts hasDueIntents',
  'intents/queries.ts listDueDestinations',
  'intents/queries.ts lockDueIntents',
  'intents/queries.ts lockDueReferenceCheck',
  'billing/invoices/draft-queries.ts listDueSteps',
  'webhooks/lease-queries.ts updateLeases',
  'webhooks/lease-queries.ts updateResults',
  'webhooks/notification-queries.ts listDueSummaries',
  'webhooks/queries.ts findWork',
  'webhooks/queries.ts insertDeliveries',
  'email/queries.ts updateLeases',
  'platform/events/queries.ts deleteUndispatched',
  'platform/events/queries.ts listUndispatchedMerchants',
  'operations/erasure/queries.ts listUnfinished',
  'payments/refunds/check-queries.ts listProvenRefunds',
  'payments/refunds/queries.ts listRefundsToExpire',
  'payments/refunds/queries.ts listRefundsWithEffects',
  'sandbox/queries.ts findNextMoment',
  'payments/transfers/session-queries.ts listPayableOfArchived',
  'payments/sponsor/queries.ts claimUnderWay',
  'payments/reserved-amounts/queries.ts updateEnded',
  'payments/transfers/abandoned-queries.ts hasWaitingAbandoned',
  'payments/transfers/abandoned-queries.ts listAbandoned',
  'payments/transfers/queries.ts listPendingTransfers',
  'payments/transfers/session-queries.ts hasWaitingInvoices',
  'payments/transfers/session-queries.ts hasWaitingRenewals',
  'payments/transfers/session-queries.ts hasWaitingSessions',
  'payments/transfers/session-queries.ts listDueSessions',
  'payments/transfers/session-queries.ts listUnapplied',
  'payments/transfers/session-queries.ts listWaitingDestinations',
  'payments/watcher/queries.ts listDueWatched',
];

/** Deletes by age. */
const OLD = [
  'accounts/payouts/queries.ts deleteOldChallenges',
  'pages/portal/queries.ts deleteExpiredBefore',
  'accounts/customers/email-change-queries.ts deleteEmailChangesBefore',
  'webhooks/queries.ts deleteOlderThan',
  'email/queries.ts deleteOlderThan',
  'platform/events/prune-queries.ts listMerchantsWithOldEvents',
  'platform/idempotency/queries.ts deleteOlderThan',
  'platform/request-log/queries.ts deleteOlderThan',
  'payments/offers/queries.ts deleteOldOrderKeys',
  'payments/reserved-amounts/queries.ts deleteEnded',
  'payments/transfers/queries.ts deleteMentions',
];

/** Numbers about the whole installation, for its operator. */
const COUNTED = [
  'accounts/projects/number-queries.ts listNumberedProjects',
  'accounts/payouts/pending-queries.ts countPending',
  'accounts/payouts/queries.ts listPaidAddresses',
  'billing/renewals/stuck-queries.ts countStuckRenewals',
  'billing/subscriptions/due-queries.ts countDue',
  'chain/solana/queries.ts findOldestRead',
  'chain/solana/queries.ts listFailingAccounts',
  'chain/solana/unlisted-queries.ts listUnlisted',
  'chain/solana/sweep-queries.ts countWatched',
  'chain/solana/sweep-queries.ts findFirstWatched',
  'intents/stats-queries.ts sumWaived',
  'webhooks/queries.ts findDeliveryBacklog',
  'email/queries.ts findEmailBacklog',
  'platform/events/queries.ts countUndispatched',
  'operations/erasure/queries.ts countUnfinished',
  'operations/doctor/queries.ts countActivity',
  'payments/refunds/credit-note-queries.ts listLastCreditNotes',
];

/** The operator's own commands, and what resets a sandbox. */
const OPERATORS = [
  'accounts/merchants/closing-queries.ts hasTransactionBefore',
  'accounts/merchants/closing-queries.ts findNewestTransaction',
  'chain/solana/queries.ts listEveryWatched',
  'platform/access/queries.ts findKeyAnywhere',
  'operations/moving/content-queries.ts findForeignReference',
  'sandbox/reset-queries.ts findSharedPayment',
  'payments/sponsor/queries.ts listSponsoringMerchants',
];

/** Statements about an address, a wallet or a transaction of the chain, which is not one merchant's alone. */
const ON_CHAIN = [
  'chain/solana/queries.ts listWatched',
  'chain/solana/queries.ts listWatchedAfter',
  'chain/solana/sweep-queries.ts listWatchedNames',
  'chain/solana/sweep-queries.ts updateNextPollSoon',
  'payments/reserved-amounts/queries.ts isRestOfAnother',
  'payments/reserved-amounts/queries.ts listUnavailableAmounts',
  'payments/reserved-amounts/queries.ts lockIntentOfAmount',
  'payments/sponsor/queries.ts listSponsoredAmong',
  'payments/sponsor/queries.ts readWalletRecord',
  'payments/sponsor/risk-queries.ts sumAtRisk',
  'payments/transfers/batch-queries.ts listAllocationsAmong',
  'payments/transfers/batch-queries.ts upsertTransfers',
  'payments/transfers/queries.ts deletePendingAllocations',
  'payments/transfers/queries.ts listAllocationsOf',
  'agents/x402/queries.ts isDecidedElsewhere',
  'agents/x402/queries.ts listUnclaimed',
];

/** Finds somebody or something by what a person without a merchant can name. */
const FOUND = [
  'accounts/images/queries.ts findImageAnywhere',
  'accounts/members/device-queries.ts findDevice',
  'accounts/members/device-queries.ts updateDeviceToken',
  'accounts/members/queries.ts listMembersByEmail',
  'accounts/projects/queries.ts findProjectOfAnyone',
  'platform/live/queries.ts listTillVersions',
  'operations/moving/caller-queries.ts findClosedMerchant',
];

export const CROSS_MERCHANT: readonly string[] = [
  ...DUE,
  ...OLD,
  ...COUNTED,
  ...OPERATORS,
  ...ON_CHAIN,
  ...FOUND,
];
