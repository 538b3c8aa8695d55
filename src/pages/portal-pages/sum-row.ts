import { type Html, html } from '../../platform/http/html.ts';
import type { Translator } from './translator.ts';

export function sumRow({ usd }: Translator, label: Html, cents: bigint): Html {
  return html`<div><dt>${label}</dt><dd class="amount">${usd(cents)}</dd></div>`;
}
