import type { ClaimedEmail } from '../../email/email.ts';
import type { Attachment } from '../../email/mailer.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { languageOf } from '../../platform/lib/language.ts';
import { fileNameOf, type Print, printInvoice } from './print-invoice.ts';

/** The PDF of the invoice that an e-mail brings, as it is when it is sent, in the e-mail's language. */
export async function attachInvoice(
  db: Queryable,
  {
    merchantId,
    invoiceId,
    kind,
    language,
  }: Pick<ClaimedEmail, 'merchantId' | 'invoiceId' | 'kind' | 'language'>,
  { network, now }: Omit<Print, 'language'>,
): Promise<Attachment[]> {
  if (kind !== 'invoice' || invoiceId === null) return [];
  const { number, bytes } = await printInvoice(
    db,
    { merchantId, id: invoiceId },
    { network, language: languageOf(language), now },
  );
  return [{ filename: fileNameOf(number), content: bytes, contentType: 'application/pdf' }];
}
