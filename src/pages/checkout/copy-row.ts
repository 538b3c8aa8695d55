import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';
import { checkoutMessages } from './messages/languages.ts';

/** A value to send by hand, with its name and a button that copies it. */
export function copyRow(language: Language, label: string, value: string, shown = value): Html {
  return html`<div><dt>${label}</dt><dd><code dir="ltr">${shown}</code> ${copyButton(language, label, value)}</dd></div>`;
}

/** Away without scripts, which it needs. */
export function copyButton(language: Language, label: string, value: string): Html {
  const text = checkoutMessages[language].waiting;
  return html`<button type="button" class="small needs-script" data-copy="${value}" data-copied="${text.copied}"><span data-label>${text.copy}</span><span class="unseen"> ${label}</span></button>`;
}
