export { hasPaymentUnderWay, hasPendingAllocation } from './queries.ts';
