import type { Html } from '../../platform/http/html.ts';
import { html } from '../../platform/http/html.ts';
import { type RateText, taxText } from '../pages/tax-text.ts';
import { sumRow } from './sum-row.ts';
import type { Translator } from './translator.ts';

/** What is added to the prices comes before a total, what they contain after it. */
export function taxRows(
  translator: Translator,
  taxes: readonly RateText[],
  behavior: RateText['behavior'],
): Html[] {
  return taxes
    .filter((tax) => tax.taxCents !== 0n && tax.behavior === behavior)
    .map((tax) => sumRow(translator, html`<bdi>${taxText(tax, translator.language)}</bdi>`, tax.taxCents));
}
