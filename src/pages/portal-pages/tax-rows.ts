import type { Html } from '../../platform/http/html.ts';
import { html } from '../../platform/http/html.ts';
import { type RateText, taxText } from '../parts/tax-text.ts';
import { sumRow } from './sum-row.ts';
import type { Translator } from './translator.ts';

/** Rows of taxes: those added to the prices come before a total, those contained in them after it. */
export function taxRows(
  translator: Translator,
  taxes: readonly RateText[],
  behavior: RateText['behavior'],
): Html[] {
  return taxes
    .filter((tax) => tax.taxCents !== 0n && tax.behavior === behavior)
    .map((tax) => sumRow(translator, html`<bdi>${taxText(tax, translator.language)}</bdi>`, tax.taxCents));
}
