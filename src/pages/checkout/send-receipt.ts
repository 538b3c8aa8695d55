import type { Session } from '../../billing/checkout-sessions/session.ts';
import { printInvoice } from '../../billing/invoices/print-invoice.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { PAGE_HEADERS, type PageCall } from '../parts/page-route.ts';
import { requireSession } from './checkout-page.ts';
import type { CheckoutParts } from './read-payment.ts';

/** The invoice of a session that is paid; before that there is nothing to have a receipt for. */
export async function sendReceipt(parts: CheckoutParts, { params, language, reply }: PageCall) {
  const { session, merchantId } = await requireSession(parts, params.token!);
  if (session.status !== 'complete') throw new AppError('NOT_FOUND');
  const { number, bytes } = await printInvoice(
    parts.db,
    { merchantId, id: session.invoiceId },
    { network: parts.network, language, now: parts.clock.now(), ...typedBuyer(session) },
  );
  return reply
    .headers(PAGE_HEADERS)
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${number.replace(/[^\w.-]/g, '_')}.pdf"`)
    .send(bytes);
}

/** A stranger reads of themselves only what they typed. */
function typedBuyer({ origin, customerName: name, customerEmail: email }: Session) {
  return origin === 'link' ? { buyer: { name, email } } : {};
}
