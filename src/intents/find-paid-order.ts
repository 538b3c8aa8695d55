export { findPaidOrder } from './queries.ts';
