/**
 * Statements that do not name the merchant of every table in them, by why they may. They work within one cell, and none
 * of them may be what a request of one merchant waits for, except where somebody is found.
 */

/** Claims work that is due for any merchant: what follows names the merchant. */
const DUE = [
  'platform/set-aside/queries.ts countSetAside',
  'platform/set-aside/queries.ts deleteForgotten',
  'platform/set-aside/queries.ts listRetried',
  'money/intents/queries.ts listDueIntents',
  'accounts/payouts/pending-queries.ts listDuePending',
  'billing/payment-links/queries.ts listUnseenOfEnded',
  'billing/payment-links/queries.ts updateExpired',
  'billing/discounts/redemption-queries.ts listHeldRedemptions',
  'billing/subscriptions/due-queries.ts listDue',
  'chain/solana/queries.ts claimDueAccounts',
  'chain/solana/queries.ts claimRescan',
  'chain/solana/sweep-queries.ts updateEndedWatches',
  'faces/overview/standing-queries.ts listBusyProjects',
  'faces/overview/fold-queries.ts listUnfolded',
  'faces/portal/sign-in-queries.ts deleteOldestSignIn',
  'money/intents/queries.ts hasDueIntents',
  'money/intents/queries.ts listDueDestinations',
  'money/intents/queries.ts lockDueIntents',
  'money/intents/queries.ts lockDueReferenceCheck',
  'money/invoices/draft-queries.ts listDueSteps',
  'money/webhooks/lease-queries.ts updateLeases',
  'money/webhooks/lease-queries.ts updateResults',
  'money/webhooks/notification-queries.ts listDueSummaries',
  'money/webhooks/queries.ts findWork',
  'money/webhooks/queries.ts insertDeliveries',
  'platform/email/queries.ts updateLeases',
  'platform/events/queries.ts deleteUndispatched',
  'platform/events/queries.ts listUndispatchedMerchants',
  'settlement/erasure/queries.ts listUnfinished',
  'settlement/refunds/check-queries.ts listProvenRefunds',
  'settlement/refunds/queries.ts listRefundsToExpire',
  'settlement/refunds/queries.ts listRefundsWithEffects',
  'settlement/sandbox/queries.ts findNextMoment',
  'settlement/transfers/session-queries.ts listPayableOfArchived',
  'settlement/sponsor/queries.ts claimUnderWay',
  'settlement/transfers/abandoned-queries.ts hasWaitingAbandoned',
  'settlement/transfers/abandoned-queries.ts listAbandoned',
  'settlement/transfers/queries.ts listPendingTransfers',
  'settlement/transfers/session-queries.ts hasWaitingInvoices',
  'settlement/transfers/session-queries.ts hasWaitingRenewals',
  'settlement/transfers/session-queries.ts hasWaitingSessions',
  'settlement/transfers/session-queries.ts listDueSessions',
  'settlement/transfers/session-queries.ts listUnapplied',
  'settlement/transfers/session-queries.ts listWaitingDestinations',
];

/** Deletes by age. */
const OLD = [
  'accounts/payouts/queries.ts deleteOldChallenges',
  'faces/portal/queries.ts deleteExpiredBefore',
  'accounts/customers/email-change-queries.ts deleteEmailChangesBefore',
  'money/webhooks/queries.ts deleteOlderThan',
  'platform/email/queries.ts deleteOlderThan',
  'platform/events/prune-queries.ts listMerchantsWithOldEvents',
  'platform/idempotency/queries.ts deleteOlderThan',
  'platform/request-log/queries.ts deleteOlderThan',
  'settlement/offers/queries.ts deleteOldOrderKeys',
  'settlement/transfers/queries.ts deleteMentions',
];

/** Numbers about the whole installation, for its operator. */
const COUNTED = [
  'accounts/projects/number-queries.ts listNumberedProjects',
  'accounts/payouts/pending-queries.ts countPending',
  'billing/renewals/stuck-queries.ts countStuckRenewals',
  'billing/subscriptions/due-queries.ts countDue',
  'chain/solana/queries.ts findOldestRead',
  'chain/solana/queries.ts listFailingAccounts',
  'chain/solana/unlisted-queries.ts listUnlisted',
  'chain/solana/sweep-queries.ts countWatched',
  'chain/solana/sweep-queries.ts findFirstWatched',
  'money/intents/stats-queries.ts sumWaived',
  'money/webhooks/queries.ts findDeliveryBacklog',
  'platform/email/queries.ts findEmailBacklog',
  'platform/events/queries.ts countUndispatched',
  'settlement/erasure/queries.ts countUnfinished',
  'settlement/refunds/credit-note-queries.ts listLastCreditNotes',
];

/** The operator's own commands, and what resets a sandbox. */
const OPERATORS = [
  'accounts/merchants/closing-queries.ts hasTransactionBefore',
  'accounts/merchants/closing-queries.ts findNewestTransaction',
  'chain/solana/queries.ts listEveryWatched',
  'platform/access/queries.ts findKeyAnywhere',
  'settlement/moving/content-queries.ts findForeignReference',
  'settlement/sandbox/reset-queries.ts findSharedPayment',
  'settlement/sponsor/queries.ts listSponsoringMerchants',
];

/** Statements about an address, a wallet or a transaction of the chain, which is not one merchant's alone. */
const ON_CHAIN = [
  'chain/solana/queries.ts listWatched',
  'chain/solana/queries.ts listWatchedAfter',
  'chain/solana/sweep-queries.ts listWatchedNames',
  'chain/solana/sweep-queries.ts updateNextPollSoon',
  'settlement/sponsor/queries.ts readWalletRecord',
  'settlement/sponsor/risk-queries.ts sumAtRisk',
  'settlement/transfers/batch-queries.ts listAllocationsAmong',
  'settlement/transfers/batch-queries.ts upsertTransfers',
  'settlement/transfers/queries.ts deletePendingAllocations',
  'settlement/transfers/queries.ts listAllocationsOf',
  'settlement/x402/queries.ts isDecidedElsewhere',
  'settlement/x402/queries.ts listUnclaimed',
];

/** Finds somebody or something by what a person without a merchant can name. */
const FOUND = [
  'accounts/images/queries.ts findImageAnywhere',
  'accounts/members/device-queries.ts findDevice',
  'accounts/members/device-queries.ts updateDeviceToken',
  'accounts/members/queries.ts listMembersByEmail',
  'accounts/projects/queries.ts findProjectOfAnyone',
  'platform/live/queries.ts listTillVersions',
  'settlement/moving/caller-queries.ts findClosedMerchant',
];

export const CROSS_MERCHANT: readonly string[] = [
  ...DUE,
  ...OLD,
  ...COUNTED,
  ...OPERATORS,
  ...ON_CHAIN,
  ...FOUND,
];
