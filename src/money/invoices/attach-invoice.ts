import type { Queryable } from '../../platform/db/database.ts';
import type { ClaimedEmail } from '../../platform/email/email.ts';
import type { Attachment } from '../../platform/email/mailer.ts';
import type { InvoiceDocument } from '../../platform/pdf/invoice-document.ts';
import { fileNameOf, printInvoice } from './print-invoice.ts';

/** The PDF of the invoice that an e-mail brings, as it is when it is sent. */
export async function attachInvoice(
  db: Queryable,
  { merchantId, invoiceId, kind }: Pick<ClaimedEmail, 'merchantId' | 'invoiceId' | 'kind'>,
  network: InvoiceDocument['network'],
): Promise<Attachment[]> {
  if (kind !== 'invoice' || invoiceId === null) return [];
  const { number, bytes } = await printInvoice(db, { merchantId, id: invoiceId }, network);
  return [{ filename: fileNameOf(number), content: bytes, contentType: 'application/pdf' }];
}
