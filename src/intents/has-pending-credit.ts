export { hasPaymentUnderWay, hasPendingCredit } from './queries.ts';
