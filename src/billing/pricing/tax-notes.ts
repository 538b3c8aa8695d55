import type { LineTax } from './tax.ts';

/** Notes that the law requires on an invoice without tax, in the languages of the pages. */
const NOTES: Partial<Record<LineTax['category'], Record<string, string>>> = {
  AE: {
    en: 'Reverse charge: the customer is liable for the VAT.',
    de: 'Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).',
    es: 'Inversión del sujeto pasivo: el cliente es el deudor del IVA.',
    fr: 'Autoliquidation : la TVA est due par le preneur.',
    ar: 'الاحتساب العكسي: العميل هو المسؤول عن سداد ضريبة القيمة المضافة.',
  },
  K: {
    en: 'Intra-Community supply, exempt from VAT.',
    de: 'Steuerfreie innergemeinschaftliche Lieferung.',
    es: 'Entrega intracomunitaria exenta de IVA.',
    fr: 'Livraison intracommunautaire exonérée de TVA.',
    ar: 'توريد داخل الاتحاد الأوروبي معفى من ضريبة القيمة المضافة.',
  },
  G: {
    en: 'Export, exempt from VAT.',
    de: 'Steuerfreie Ausfuhrlieferung.',
    es: 'Exportación exenta de IVA.',
    fr: 'Exportation exonérée de TVA.',
    ar: 'تصدير معفى من ضريبة القيمة المضافة.',
  },
};

/** The notes of an invoice, each once, in the buyer's language if it is one of ours, else in English. */
export function taxNotes(taxes: readonly (LineTax | null)[], language: string | null): string[] {
  const tongue = language?.toLowerCase().split('-')[0] ?? 'en';
  const notes = taxes.flatMap((tax) => {
    const texts = tax && NOTES[tax.category];
    return texts ? [texts[tongue] ?? texts.en!] : [];
  });
  return [...new Set(notes)];
}

/** The one of these notes that says why a category is charged nothing, or that note in English. */
export function noteOfCategory(category: string, notes: readonly string[]): string | null {
  const texts = NOTES[category as LineTax['category']];
  if (!texts) return null;
  return notes.find((note) => Object.values(texts).includes(note)) ?? texts.en!;
}
