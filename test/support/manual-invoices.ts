import { expect } from 'vitest';
import type { TestMerchant } from './service.ts';

/** Owner and recipient of the invoices. */
export interface Books {
  shop: TestMerchant;
  projectId: string;
  customerId: string;
}

export const HOURS = { name: 'Consulting', unitAmountCents: 12_000, quantity: 8 };

/** A draft over 960.00. */
export async function newDraft({ shop, projectId, customerId }: Books, fields: object = {}) {
  const body = { projectId, customerId, lineItems: [HOURS], ...fields };
  const answer = await shop.call('POST', '/api/v2/invoices', body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body;
}

export async function newOpenInvoice(books: Books, fields: object = {}) {
  const { id } = await newDraft(books, fields);
  const { status, body, text } = await books.shop.call('POST', `/api/v2/invoices/${id}/open`);
  expect([status, text]).toEqual([200, text]);
  return body;
}

/** The status and message of an error. */
export async function refusalOf(answer: Promise<{ status: number; body: { error: { message: string } } }>) {
  const { status, body } = await answer;
  return [status, body.error.message];
}
