export {
  findFinalBefore,
  listFinalArrivals,
  listKnownSignatures,
  listNewestBalances,
  listPendingArrivals,
  sumMovements,
} from './queries.ts';
