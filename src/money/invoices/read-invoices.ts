/** For those who read invoices and change nothing of them. */
export { findInvoice, listInvoices } from './queries.ts';
