export {
  countLongPending,
  findFinalBefore,
  findFinalSlot,
  listFinalTransfers,
  listKnownSignatures,
  listNewestBalances,
  listPendingTransfers,
  sumMovements,
} from './queries.ts';
