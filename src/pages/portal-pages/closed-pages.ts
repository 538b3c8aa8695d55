import { signInPath } from '../../accounts/projects/portal-sign-in.ts';
import { html } from '../../platform/http/html.ts';
import type { Page } from '../parts/page.ts';
import type { SignInPlace } from '../portal/read-sign-in.ts';
import { signInMessages } from './messages/sign-in/languages.ts';
import type { Translator } from './translator.ts';

/**
 * Page for visitors who are not signed in: no cookie, an invalid one, or an expired visit. All of them get the same
 * page.
 */
export function visitOverPage({ language, text }: Translator, { wasChange }: { wasChange: boolean }): Page {
  const { title, text: why, newLink, notDone } = text.over;
  return {
    language,
    title,
    status: 401,
    body: html`<section class="card notice-page">
<h1>${title}</h1>
${wasChange && html`<p class="notice warn" role="alert">${notDone}</p>`}
<p>${why}</p>
<p>${newLink}</p>
</section>`,
  };
}

/** A form of another visit: it may be another customer's, so nothing of it is done. */
export function outdatedPage({ language, text, to }: Translator): Page {
  const { title, text: why, button } = text.outdated;
  return {
    language,
    title,
    status: 403,
    body: html`<section class="card notice-page">
<h1>${title}</h1>
<p>${why}</p>
<p><a class="button primary" href="${to('/portal')}">${button}</a></p>
</section>`,
  };
}

/** Page after signing out, with the way back in if customers can sign in by e-mail. */
export function signedOutPage({ language, text, to }: Translator, place: SignInPlace | undefined): Page {
  const { title, text: what } = text.signedOut;
  return {
    language,
    title,
    announce: title,
    brandColor: place?.brandColor,
    body: html`<section class="card notice-page">
<h1>${title}</h1>
${
  place
    ? html`<p><a class="button full" href="${to(signInPath(place.projectId))}">${signInMessages[language].title}</a></p>`
    : html`<p>${what}</p>`
}
</section>`,
  };
}
