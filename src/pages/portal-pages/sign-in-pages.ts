import { signInPath } from '../../accounts/projects/portal-sign-in.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import { type PageScope, pageRoute } from '../parts/page-route.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { readSignInPlace, type SignInPlace } from '../portal/read-sign-in.ts';
import { requestSignIn } from '../portal/request-sign-in.ts';
import { accepts } from './accepts.ts';
import { sandboxBanner } from './frame.ts';
import { signInMessages } from './messages/sign-in/languages.ts';
import type { PortalPageParts } from './portal-page-route.ts';
import { named, type Translator, t, translatorOf } from './translator.ts';

const PATH = '/portal/sign-in/:projectId';

/** Pages on which customers request a link by e-mail. They look the same for every address. */
export function signInPages(scope: PageScope, parts: PortalPageParts): void {
  const { db, network } = parts;
  const isSandbox = network === 'sandbox';

  async function requirePlace(id: string): Promise<SignInPlace> {
    const place = await readSignInPlace(db, id);
    if (!place) throw new AppError('NOT_FOUND');
    return place;
  }

  pageRoute(scope, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const place = await requirePlace(call.params.projectId!);
      const translator = translatorOf(call);
      const content = call.query.sent === '1' ? sent(translator, place) : ask(translator, place, undefined);
      return signInPage(translator, place, content, isSandbox);
    },
  });

  pageRoute(scope, {
    method: 'POST',
    path: PATH,
    rate: 'sign-in',
    async handle(call) {
      const place = await requirePlace(call.params.projectId!);
      const translator = translatorOf(call);
      const { email = '' } = call.form;
      if (!accepts.email(email))
        return { ...signInPage(translator, place, ask(translator, place, email), isSandbox), status: 400 };
      await requestSignIn(db, place, email, { language: call.language, ip: call.request.ip });
      return { redirectTo: translator.to(signInPath(place.projectId), { sent: '1' }) };
    },
  });
}

interface Content {
  title: string;
  body: Html;
}

function signInPage(
  translator: Translator,
  { merchantName, brandColor, logoFile, supportEmail, termsUrl }: SignInPlace,
  { title, body }: Content,
  isSandbox: boolean,
): Page {
  return {
    language: translator.language,
    title: `${title} · ${merchantName}`,
    brandColor,
    banner: isSandbox ? sandboxBanner(translator) : undefined,
    seller: { supportEmail, termsUrl },
    body: html`<section class="card notice-page">
${sellerSign(merchantName, logoFile)}
<h1>${title}</h1>
${body}
</section>`,
  };
}

/** `wrong`: what was typed and is no address. */
function ask(
  { language, to }: Translator,
  { merchantName, projectId }: SignInPlace,
  wrong?: string,
): Content {
  const { title, text: what, label, submit, problem } = signInMessages[language];
  const hasProblem = wrong !== undefined;
  const describedBy = hasProblem && html` aria-invalid="true" aria-describedby="email-problem" autofocus`;
  return {
    title,
    body: html`<p>${t(what, { merchant: named(merchantName) })}</p>
<form class="stack" method="post" action="${to(signInPath(projectId))}" novalidate>
<div class="field">
<label for="email">${label}</label>
${hasProblem && html`<p class="problem" id="email-problem" role="alert">${problem}</p>`}
<input id="email" name="email" type="email" dir="ltr" required maxlength="254" autocomplete="email" value="${wrong ?? ''}"${describedBy}>
</div>
<button class="primary full">${submit}</button>
</form>`,
  };
}

function sent({ language, to }: Translator, { merchantName, projectId }: SignInPlace): Content {
  const { sentTitle, sentText, notThere, again } = signInMessages[language];
  return {
    title: sentTitle,
    body: html`<p role="status">${t(sentText, { merchant: named(merchantName) })}</p>
<p class="muted small">${notThere}</p>
<p><a href="${to(signInPath(projectId))}">${again}</a></p>`,
  };
}
