export { hasPendingCredit } from './queries.ts';
