import { strict as assert } from 'node:assert';
import type { Tx } from '../../platform/db/database.ts';
import { DEFAULT_SETTINGS } from './project.ts';
import { updateLastInvoiceNumbers } from './queries.ts';

export interface InvoiceNumber {
  number: bigint;
  /** As printed: `INV-000001`. */
  text: string;
}

/** The project's next invoice number. A transaction that fails gives its number back, so none is ever left out. */
export async function nextInvoiceNumber(
  tx: Tx,
  { merchantId, projectId }: { merchantId: string; projectId: string },
): Promise<InvoiceNumber> {
  const [next] = await nextInvoiceNumbers(tx, [{ merchantId, projectId }]);
  return next!;
}

/** The next numbers for many invoices, in their order: each project's row is locked once. */
export async function nextInvoiceNumbers(
  tx: Tx,
  invoices: readonly { merchantId: string; projectId: string }[],
): Promise<InvoiceNumber[]> {
  const wanted = new Map<string, { merchantId: string; projectId: string; count: number }>();
  for (const { merchantId, projectId } of invoices) {
    const place = `${merchantId} ${projectId}`;
    const count = (wanted.get(place)?.count ?? 0) + 1;
    wanted.set(place, { merchantId, projectId, count });
  }
  const taken = await updateLastInvoiceNumbers(tx, [...wanted.values()]);
  assert(taken.length === wanted.size, 'invoices are numbered in projects that exist');
  const next = new Map(
    taken.map(({ merchantId, projectId, last, prefix }) => {
      const place = `${merchantId} ${projectId}`;
      return [place, { number: last - BigInt(wanted.get(place)!.count), prefix }];
    }),
  );
  return invoices.map(({ merchantId, projectId }) => {
    const counter = next.get(`${merchantId} ${projectId}`)!;
    counter.number += 1n;
    return printed(counter.number, counter.prefix);
  });
}

function printed(number: bigint, chosenPrefix: string | null): InvoiceNumber {
  const prefix = chosenPrefix ?? DEFAULT_SETTINGS.invoicePrefix;
  return { number, text: `${prefix}-${number.toString().padStart(6, '0')}` };
}
