import {
  decimalOf,
  type StructuredDocument,
  type StructuredLine,
  type StructuredParty,
  type StructuredPeriod,
  type StructuredRate,
  type StructuredTax,
} from './structured-document.ts';
import { group, text, writeXml, type XmlElement } from './xml.ts';

const OASIS = 'urn:oasis:names:specification:ubl:schema:xsd';
const UNIT = { unitCode: 'C62' };

/** Names that differ between the two kinds of documents. */
const INVOICE = { root: 'Invoice', type: '380', line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' };
const CREDIT_NOTE = {
  root: 'CreditNote',
  type: '381',
  line: 'cac:CreditNoteLine',
  quantity: 'cbc:CreditedQuantity',
};

/** UBL 2.1 in the syntax of EN 16931. The order of elements is the schema's. */
export function writeUbl(document: StructuredDocument): string {
  const isInvoice = document.kind === 'invoice';
  const names = isInvoice ? INVOICE : CREDIT_NOTE;
  const { corrects, totals } = document;
  const namespaces = {
    xmlns: `${OASIS}:${names.root}-2`,
    'xmlns:cac': `${OASIS}:CommonAggregateComponents-2`,
    'xmlns:cbc': `${OASIS}:CommonBasicComponents-2`,
  };
  return writeXml(
    names.root,
    namespaces,
    text('cbc:CustomizationID', 'urn:cen.eu:en16931:2017'),
    text('cbc:ID', document.number),
    day('cbc:IssueDate', document.issuedAt),
    isInvoice ? day('cbc:DueDate', document.dueAt) : null,
    text(`cbc:${names.root}TypeCode`, names.type),
    document.notes.length === 0 ? null : text('cbc:Note', document.notes.join(' ')),
    text('cbc:DocumentCurrencyCode', document.currency),
    text('cbc:BuyerReference', document.buyerReference),
    periodOf(document.period),
    corrects &&
      group(
        'cac:BillingReference',
        group(
          'cac:InvoiceDocumentReference',
          text('cbc:ID', corrects.number),
          day('cbc:IssueDate', corrects.issuedAt),
        ),
      ),
    group('cac:AccountingSupplierParty', partyOf(document.seller)),
    group('cac:AccountingCustomerParty', partyOf(document.buyer)),
    deliveryOf(document),
    paymentMeansOf(document),
    group('cac:PaymentTerms', text('cbc:Note', document.payment.terms)),
    group('cac:TaxTotal', amount('cbc:TaxAmount', totals.taxCents), document.taxes.map(subtotalOf)),
    group(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', totals.linesCents),
      amount('cbc:TaxExclusiveAmount', totals.linesCents),
      amount('cbc:TaxInclusiveAmount', totals.grossCents),
      amount('cbc:PrepaidAmount', totals.paidCents),
      amount('cbc:PayableAmount', totals.dueCents),
    ),
    document.lines.map((line, at) => lineOf(line, at, names)),
  );
}

function partyOf(party: StructuredParty): XmlElement | null {
  return group(
    'cac:Party',
    group('cac:PartyIdentification', text('cbc:ID', party.id)),
    group(
      'cac:PostalAddress',
      text('cbc:StreetName', party.line1),
      text('cbc:AdditionalStreetName', party.line2),
      text('cbc:CityName', party.city),
      text('cbc:PostalZone', party.postalCode),
      text('cbc:CountrySubentity', party.state),
      group('cac:Country', text('cbc:IdentificationCode', party.country)),
    ),
    registrationOf(party.vatId, 'VAT'),
    registrationOf(party.taxNumber, 'TAX'),
    group(
      'cac:PartyLegalEntity',
      text('cbc:RegistrationName', party.name),
      text('cbc:CompanyID', party.registrationNumber),
    ),
    group('cac:Contact', text('cbc:ElectronicMail', party.email)),
  );
}

function registrationOf(id: string | null, scheme: string): XmlElement | null {
  const number = text('cbc:CompanyID', id);
  return number && group('cac:PartyTaxScheme', number, schemeOf(scheme));
}

function schemeOf(id = 'VAT'): XmlElement | null {
  return group('cac:TaxScheme', text('cbc:ID', id));
}

function deliveryOf({ deliveredTo, issuedAt }: StructuredDocument): XmlElement | null {
  if (deliveredTo === null) return null;
  const country = group('cac:Country', text('cbc:IdentificationCode', deliveredTo));
  return group(
    'cac:Delivery',
    day('cbc:ActualDeliveryDate', issuedAt),
    group('cac:DeliveryLocation', group('cac:Address', country)),
  );
}

/** `ZZZ`: as both sides have agreed. */
function paymentMeansOf({ payment }: StructuredDocument): XmlElement | null {
  return group(
    'cac:PaymentMeans',
    text('cbc:PaymentMeansCode', 'ZZZ', { name: payment.means }),
    group('cac:PayeeFinancialAccount', text('cbc:ID', payment.account)),
  );
}

function subtotalOf({
  taxableCents,
  taxCents,
  reason,
  reasonCode,
  ...rate
}: StructuredTax): XmlElement | null {
  return group(
    'cac:TaxSubtotal',
    amount('cbc:TaxableAmount', taxableCents),
    amount('cbc:TaxAmount', taxCents),
    categoryOf('cac:TaxCategory', rate, [
      text('cbc:TaxExemptionReasonCode', reasonCode),
      text('cbc:TaxExemptionReason', reason),
    ]),
  );
}

function categoryOf(
  name: string,
  { category, percent }: StructuredRate,
  reasons: (XmlElement | null)[] = [],
): XmlElement | null {
  return group(name, text('cbc:ID', category), text('cbc:Percent', percent), reasons, schemeOf());
}

function lineOf(line: StructuredLine, at: number, names: typeof INVOICE): XmlElement | null {
  const { allowance } = line;
  return group(
    names.line,
    text('cbc:ID', String(at + 1)),
    text(names.quantity, line.quantity.toString(), UNIT),
    amount('cbc:LineExtensionAmount', line.netCents),
    periodOf(line.period),
    allowance &&
      group(
        'cac:AllowanceCharge',
        text('cbc:ChargeIndicator', 'false'),
        text('cbc:AllowanceChargeReason', allowance.reason),
        amount('cbc:Amount', allowance.cents),
      ),
    group('cac:Item', text('cbc:Name', line.name), categoryOf('cac:ClassifiedTaxCategory', line)),
    group(
      'cac:Price',
      amount('cbc:PriceAmount', line.priceCents),
      text('cbc:BaseQuantity', line.priceQuantity.toString(), UNIT),
    ),
  );
}

function periodOf(period: StructuredPeriod | null): XmlElement | null {
  if (!period) return null;
  return group('cac:InvoicePeriod', day('cbc:StartDate', period.start), day('cbc:EndDate', period.end));
}

function day(name: string, at: Date | null): XmlElement | null {
  return at && text(name, at.toISOString().slice(0, 10));
}

function amount(name: string, cents: bigint): XmlElement | null {
  return text(name, decimalOf(cents), { currencyID: 'USD' });
}
