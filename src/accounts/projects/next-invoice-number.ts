import { strict as assert } from 'node:assert';
import type { Tx } from '../../platform/db/database.ts';
import { isSameSeller, type SellerIdentity } from '../parties/same-seller.ts';
import { ownPrefix } from './own-prefix.ts';
import { DEFAULT_SETTINGS } from './project.ts';
import { type LastNumber, updateLastInvoiceNumbers } from './queries.ts';

export interface InvoiceNumber {
  number: bigint;
  /** The number as printed: `INV-000001`. */
  text: string;
}

/** An invoice that gets a number, and who issues it: as it says on the document, which may not be who the project's seller is by now. */
export interface ToNumber {
  merchantId: string;
  projectId: string;
  seller: SellerIdentity | null;
}

/**
 * The project's next invoice number. A transaction that fails gives its number back, so none is ever left out. No other
 * invoice of the seller has the number or can get it, also where the project has another seller by now.
 */
export async function nextInvoiceNumber(tx: Tx, invoice: ToNumber): Promise<InvoiceNumber> {
  const [next] = await nextInvoiceNumbers(tx, [invoice]);
  return next!;
}

/** The next numbers for many invoices, in their order: each project's row is locked once. */
export async function nextInvoiceNumbers(tx: Tx, invoices: readonly ToNumber[]): Promise<InvoiceNumber[]> {
  const wanted = new Map<string, { merchantId: string; projectId: string; count: number }>();
  for (const { merchantId, projectId } of invoices) {
    const place = `${merchantId} ${projectId}`;
    const count = (wanted.get(place)?.count ?? 0) + 1;
    wanted.set(place, { merchantId, projectId, count });
  }
  const taken = await updateLastInvoiceNumbers(tx, [...wanted.values()]);
  assert(taken.length === wanted.size, 'invoices are numbered in projects that exist');
  const next = new Map(
    taken.map((project) => {
      const place = `${project.merchantId} ${project.projectId}`;
      return [place, { project, number: project.last - BigInt(wanted.get(place)!.count) }];
    }),
  );
  const numbers: InvoiceNumber[] = [];
  for (const { merchantId, projectId, seller } of invoices) {
    const counter = next.get(`${merchantId} ${projectId}`)!;
    counter.number += 1n;
    numbers.push(printed(counter.number, await prefixOf(tx, counter.project, seller)));
  }
  return numbers;
}

/**
 * The project's prefix is its seller's and nobody else of that name has it: changes of the project wait for its row. Of
 * an invoice from before the seller changed, it may be another project's by now.
 */
async function prefixOf(tx: Tx, project: LastNumber, seller: SellerIdentity | null): Promise<string> {
  const prefix = project.prefix ?? DEFAULT_SETTINGS.invoicePrefix;
  if (seller === null || (project.seller && isSameSeller(seller, project.seller))) return prefix;
  const { merchantId, projectId: id } = project;
  return ownPrefix(tx, { merchantId, id }, seller, prefix);
}

function printed(number: bigint, prefix: string): InvoiceNumber {
  return { number, text: `${prefix}-${number.toString().padStart(6, '0')}` };
}
