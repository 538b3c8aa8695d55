export {
  findFinalBefore,
  listFinalArrivals,
  listKnownSignatures,
  listNewestBalances,
  listPendingArrivals,
} from './queries.ts';
