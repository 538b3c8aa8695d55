import { html } from '../../platform/http/html.ts';
import type { PortalContent } from './frame.ts';
import type { Translator } from './translator.ts';

/** The same for what belongs to someone else and for what does not exist. */
export function notFound({ text, to }: Translator, status: number): PortalContent {
  const { title, text: why, button } = text.notFound;
  return {
    title,
    status,
    body: html`<p>${why}</p>
<p><a class="button" href="${to('/portal')}">${button}</a></p>`,
  };
}
