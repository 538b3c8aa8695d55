import { commonMessages } from '../../pages/parts/messages/languages.ts';
import type { Page } from '../../pages/parts/page.ts';
import { html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';
import { tillMessages } from './messages/languages.ts';

/**
 * The shell of the till, the same for everybody: what is sold, and by whom, its script reads once it is paired. So it can
 * be kept on the device and opened without a connection.
 */
export function tillPage(language: Language, { isSandbox }: { isSandbox: boolean }): Page {
  const words = tillMessages[language];
  return {
    language,
    title: words.title,
    wide: true,
    app: { manifest: `/till/manifest.webmanifest?lang=${language}`, icon: '/till/icon-180.png' },
    banner: html`${isSandbox && html`<p class="banner">${commonMessages[language].sandbox}</p>`}<p class="banner" id="offline" role="status" hidden></p>`,
    body: html`<p class="without-script notice warn">${words.noScript}</p>
<div id="till" class="till" data-words="${JSON.stringify(words)}"${isSandbox && html` data-sandbox`}></div>`,
  };
}
