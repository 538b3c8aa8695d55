import { strict as assert } from 'node:assert';
import type { Tx } from '../db/database.ts';
import { DEFAULT_SETTINGS } from './project.ts';
import { updateLastInvoiceNumber } from './queries.ts';

export interface InvoiceNumber {
  number: bigint;
  /** As printed: `INV-000001`. */
  text: string;
}

/** The project's next invoice number. A transaction that fails gives its number back, so none is ever left out. */
export async function takeInvoiceNumber(
  tx: Tx,
  { merchantId, projectId }: { merchantId: string; projectId: string },
): Promise<InvoiceNumber> {
  const taken = await updateLastInvoiceNumber(tx, merchantId, projectId);
  assert(taken, 'an invoice is numbered in a project that exists');
  const prefix = taken.prefix ?? DEFAULT_SETTINGS.invoicePrefix;
  return { number: taken.number, text: `${prefix}-${taken.number.toString().padStart(6, '0')}` };
}
