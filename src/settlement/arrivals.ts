export {
  countLongPending,
  findFinalBefore,
  findFinalSlot,
  listFinalArrivals,
  listKnownSignatures,
  listNewestBalances,
  listPendingArrivals,
  sumMovements,
} from './queries.ts';
