import type { RateTotal } from '@florin/sdk';
import type { ReactNode } from 'react';
import { Money } from '../parts/money.tsx';
import { rateText } from '../tax/use-tax-rates.ts';
import { t } from '../words/t.ts';

/** The tax by rate; nothing where there is none. One country's rate may have another's name and percentage. */
export function taxFacts(taxes: readonly RateTotal[]): (readonly [string, ReactNode])[] {
  return taxes.map((tax) => {
    const label = labelOf(tax);
    return [label, <Money key={label} cents={tax.taxCents} />];
  });
}

/** `19% VAT (DE)`, or `incl. 19% VAT (DE)` where the amounts contain it. */
function labelOf(tax: RateTotal): string {
  const rate = rateText(tax);
  return tax.behavior === 'inclusive' && tax.percent !== 0 ? t('incl. {rate}', { rate }) : rate;
}
