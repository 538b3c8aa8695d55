import {
  decimalOf,
  type StructuredDocument,
  type StructuredLine,
  type StructuredParty,
  type StructuredPeriod,
  type StructuredTax,
} from './structured-document.ts';
import { group, text, writeXml, type XmlElement } from './xml.ts';

const STANDARD = 'urn:un:unece:uncefact:data:standard';
const NAMESPACES = {
  'xmlns:rsm': `${STANDARD}:CrossIndustryInvoice:100`,
  'xmlns:ram': `${STANDARD}:ReusableAggregateBusinessInformationEntity:100`,
  'xmlns:qdt': `${STANDARD}:QualifiedDataType:100`,
  'xmlns:udt': `${STANDARD}:UnqualifiedDataType:100`,
};
const UNIT = { unitCode: 'C62' };

/** A Cross Industry Invoice (D16B) in the syntax of EN 16931. The order of elements is the schema's. */
export function writeCii(document: StructuredDocument): string {
  const note = document.notes.length === 0 ? null : text('ram:Content', document.notes.join(' '));
  return writeXml(
    'rsm:CrossIndustryInvoice',
    NAMESPACES,
    group(
      'rsm:ExchangedDocumentContext',
      group('ram:GuidelineSpecifiedDocumentContextParameter', text('ram:ID', 'urn:cen.eu:en16931:2017')),
    ),
    group(
      'rsm:ExchangedDocument',
      text('ram:ID', document.number),
      text('ram:TypeCode', document.kind === 'invoice' ? '380' : '381'),
      day('ram:IssueDateTime', document.issuedAt),
      group('ram:IncludedNote', note),
    ),
    group(
      'rsm:SupplyChainTradeTransaction',
      document.lines.map(lineOf),
      group(
        'ram:ApplicableHeaderTradeAgreement',
        text('ram:BuyerReference', document.buyerReference),
        partyOf('ram:SellerTradeParty', document.seller),
        partyOf('ram:BuyerTradeParty', document.buyer),
      ),
      deliveryOf(document),
      settlementOf(document),
    ),
  );
}

function lineOf(line: StructuredLine, at: number): XmlElement | null {
  const { allowance } = line;
  return group(
    'ram:IncludedSupplyChainTradeLineItem',
    group('ram:AssociatedDocumentLineDocument', text('ram:LineID', String(at + 1))),
    group('ram:SpecifiedTradeProduct', text('ram:Name', line.name)),
    group(
      'ram:SpecifiedLineTradeAgreement',
      group(
        'ram:NetPriceProductTradePrice',
        amount('ram:ChargeAmount', line.priceCents),
        text('ram:BasisQuantity', line.priceQuantity.toString(), UNIT),
      ),
    ),
    group('ram:SpecifiedLineTradeDelivery', text('ram:BilledQuantity', line.quantity.toString(), UNIT)),
    group(
      'ram:SpecifiedLineTradeSettlement',
      group(
        'ram:ApplicableTradeTax',
        text('ram:TypeCode', 'VAT'),
        text('ram:CategoryCode', line.category),
        text('ram:RateApplicablePercent', line.percent),
      ),
      periodOf(line.period),
      allowance &&
        group(
          'ram:SpecifiedTradeAllowanceCharge',
          group('ram:ChargeIndicator', text('udt:Indicator', 'false')),
          amount('ram:ActualAmount', allowance.cents),
          text('ram:Reason', allowance.reason),
        ),
      group(
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        amount('ram:LineTotalAmount', line.netCents),
      ),
    ),
  );
}

function partyOf(name: string, party: StructuredParty): XmlElement | null {
  return group(
    name,
    text('ram:ID', party.id),
    text('ram:Name', party.name),
    group('ram:SpecifiedLegalOrganization', text('ram:ID', party.registrationNumber)),
    group(
      'ram:DefinedTradeContact',
      group('ram:EmailURIUniversalCommunication', text('ram:URIID', party.email)),
    ),
    group(
      'ram:PostalTradeAddress',
      text('ram:PostcodeCode', party.postalCode),
      text('ram:LineOne', party.line1),
      text('ram:LineTwo', party.line2),
      text('ram:CityName', party.city),
      text('ram:CountryID', party.country),
      text('ram:CountrySubDivisionName', party.state),
    ),
    group('ram:SpecifiedTaxRegistration', text('ram:ID', party.taxNumber, { schemeID: 'FC' })),
    group('ram:SpecifiedTaxRegistration', text('ram:ID', party.vatId, { schemeID: 'VA' })),
  );
}

/** There is always one, also where it says nothing. */
function deliveryOf({ deliveredTo, issuedAt }: StructuredDocument): XmlElement {
  const name = 'ram:ApplicableHeaderTradeDelivery';
  if (deliveredTo === null) return { name, attributes: {}, content: '' };
  return group(
    name,
    group('ram:ShipToTradeParty', group('ram:PostalTradeAddress', text('ram:CountryID', deliveredTo))),
    group('ram:ActualDeliverySupplyChainEvent', day('ram:OccurrenceDateTime', issuedAt)),
  )!;
}

function settlementOf(document: StructuredDocument): XmlElement | null {
  const { payment, totals, corrects } = document;
  return group(
    'ram:ApplicableHeaderTradeSettlement',
    text('ram:InvoiceCurrencyCode', document.currency),
    group(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      text('ram:TypeCode', 'ZZZ'),
      text('ram:Information', payment.means),
      group('ram:PayeePartyCreditorFinancialAccount', text('ram:ProprietaryID', payment.account)),
    ),
    document.taxes.map(taxOf),
    periodOf(document.period),
    group(
      'ram:SpecifiedTradePaymentTerms',
      text('ram:Description', payment.terms),
      day('ram:DueDateDateTime', document.dueAt),
    ),
    group(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      amount('ram:LineTotalAmount', totals.linesCents),
      amount('ram:TaxBasisTotalAmount', totals.linesCents),
      amount('ram:TaxTotalAmount', totals.taxCents, { currencyID: document.currency }),
      amount('ram:GrandTotalAmount', totals.grossCents),
      amount('ram:TotalPrepaidAmount', totals.paidCents),
      amount('ram:DuePayableAmount', totals.dueCents),
    ),
    corrects &&
      group(
        'ram:InvoiceReferencedDocument',
        text('ram:IssuerAssignedID', corrects.number),
        day('ram:FormattedIssueDateTime', corrects.issuedAt, 'qdt'),
      ),
  );
}

function taxOf(tax: StructuredTax): XmlElement | null {
  return group(
    'ram:ApplicableTradeTax',
    amount('ram:CalculatedAmount', tax.taxCents),
    text('ram:TypeCode', 'VAT'),
    text('ram:ExemptionReason', tax.reason),
    amount('ram:BasisAmount', tax.taxableCents),
    text('ram:CategoryCode', tax.category),
    text('ram:ExemptionReasonCode', tax.reasonCode),
    text('ram:RateApplicablePercent', tax.percent),
  );
}

function periodOf(period: StructuredPeriod | null): XmlElement | null {
  if (!period) return null;
  return group(
    'ram:BillingSpecifiedPeriod',
    day('ram:StartDateTime', period.start),
    day('ram:EndDateTime', period.end),
  );
}

/** `102` is year, month and day without anything between. */
function day(name: string, at: Date | null, types = 'udt'): XmlElement | null {
  const digits = at?.toISOString().slice(0, 10).replaceAll('-', '') ?? null;
  return group(name, text(`${types}:DateTimeString`, digits, { format: '102' }));
}

function amount(name: string, cents: bigint, attributes: Record<string, string> = {}): XmlElement | null {
  return text(name, decimalOf(cents), attributes);
}
