import { html } from '../../platform/http/html.ts';
import type { AppError } from '../../platform/lib/errors.ts';
import type { Language } from '../../platform/lib/language.ts';
import { commonMessages } from './messages/languages.ts';
import type { CommonMessages } from './messages/messages.ts';
import type { Page } from './page.ts';

/** An error page for a person who did nothing wrong. */
export function errorPage(error: AppError, language: Language, traceId: string): Page {
  const messages = commonMessages[language];
  const { title, text } = messages.errors[kindOf(error)];
  return {
    language,
    title,
    status: error.status,
    isNotice: true,
    body: html`<section class="card notice-page">
<h1>${title}</h1>
<p>${text}</p>
${error.status === 429 || error.status >= 500 ? html`<p><a class="button" href="">${messages.tryAgain}</a></p>` : undefined}
<p class="muted small">${messages.trace} <code dir="ltr">${traceId}</code></p>
</section>`,
  };
}

function kindOf({ status }: AppError): keyof CommonMessages['errors'] {
  switch (status) {
    case 404:
      return 'notFound';
    case 410:
      return 'gone';
    case 429:
      return 'tooMany';
    case 503:
      return 'unavailable';
    default:
      return status >= 500 ? 'broken' : 'refused';
  }
}
