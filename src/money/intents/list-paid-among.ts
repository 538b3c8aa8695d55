export { listPaidAmong } from './queries.ts';
