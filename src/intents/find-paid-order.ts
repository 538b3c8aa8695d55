export { findPaidOrder, listPaidAmong } from './queries.ts';
