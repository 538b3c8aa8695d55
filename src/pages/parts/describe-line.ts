import type { Invoice, InvoiceLine } from '../../billing/invoices/invoice.ts';
import { standardTextOf } from '../../billing/invoices/standard-text.ts';
import { paperMessages } from '../../documents/layouts/messages/languages.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';

/**
 * The description of an invoice line in the reader's language. Our words around a name are translated; names are the
 * merchant's, and stay as written.
 */
export function describeLine(invoice: Invoice, line: InvoiceLine, language: Language): Html {
  const ours = standardTextOf(invoice, line);
  if (!ours) return html`<bdi>${line.description}</bdi>`;
  // Splitting at the placeholder gives the parts before and after the name.
  const [before, after] = paperMessages[language].lines[ours.line].split('{name}');
  return html`${before}${ours.name !== null && html`<bdi>${ours.name}</bdi>`}${after}`;
}
