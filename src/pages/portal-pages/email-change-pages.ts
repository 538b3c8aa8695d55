import { html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import { type PageScope, pageRoute } from '../parts/page-route.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import {
  confirmEmailChange,
  type EmailChangePlace,
  readEmailChange,
  withdrawEmailChange,
} from '../portal/confirm-email-change.ts';
import { sandboxBanner } from './frame.ts';
import { emailChangeMessages } from './messages/email-change/languages.ts';
import { signInMessages } from './messages/sign-in/languages.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { named, type Translator, t, translatorOf } from './translator.ts';

const PATH = '/portal/email/:token';

/** The link that confirms an address, in any browser, and the way to withdraw one before. */
export function emailChangePages(scope: PageScope, parts: PortalPageParts): void {
  const { db, clock, network } = parts;
  const isSandbox = network === 'sandbox';

  // Only the button uses the link up, as with the link into the portal.
  pageRoute(scope, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const translator = translatorOf(call);
      const change = await readEmailChange(db, call.params.token!, clock.now());
      return change?.isOpen ? askPage(translator, change, isSandbox) : deadPage(translator, change);
    },
  });

  pageRoute(scope, {
    method: 'POST',
    path: PATH,
    async handle(call) {
      const translator = translatorOf(call);
      const token = call.params.token!;
      try {
        await confirmEmailChange(db, token, clock.now());
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return deadPage(translator, await readEmailChange(db, token, clock.now()));
      }
      return donePage(translator, (await readEmailChange(db, token, clock.now()))!, isSandbox);
    },
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: '/portal/details/withdraw-email',
    async handle({ visitor, translator, now }) {
      await db.transaction((tx) => withdrawEmailChange(tx, visitor, now));
      return { redirectTo: translator.to('/portal', { done: 'email-kept' }) };
    },
  });
}

function askPage(translator: Translator, change: EmailChangePlace, isSandbox: boolean): Page {
  const { confirmTitle, confirmText, confirmWarning, confirmButton } =
    emailChangeMessages[translator.language];
  const { merchantName, email } = change;
  return {
    ...placed(translator, change, isSandbox, confirmTitle),
    body: html`<section class="card notice-page">
${sellerSign(merchantName, change.logoFile)}
<h1>${confirmTitle}</h1>
<p>${t(confirmText, { merchant: named(merchantName), email: html`<strong>${named(email)}</strong>` })}</p>
<form method="post"><button class="primary full">${confirmButton}</button></form>
<p class="muted small">${t(confirmWarning, { merchant: named(merchantName) })}</p>
</section>`,
  };
}

function donePage(translator: Translator, change: EmailChangePlace, isSandbox: boolean): Page {
  const { doneTitle, doneText } = emailChangeMessages[translator.language];
  const { merchantName, email } = change;
  return {
    ...placed(translator, change, isSandbox, doneTitle),
    announce: doneTitle,
    body: html`<section class="card notice-page">
${sellerSign(merchantName, change.logoFile)}
<h1>${doneTitle}</h1>
<p>${t(doneText, { merchant: named(merchantName), email: named(email) })}</p>
${signInLink(translator, change)}
</section>`,
  };
}

function placed(translator: Translator, change: EmailChangePlace, isSandbox: boolean, title: string) {
  return {
    language: translator.language,
    title: `${title} · ${change.merchantName}`,
    brandColor: change.brandColor,
    banner: isSandbox ? sandboxBanner(translator) : undefined,
  };
}

/** Statuses as of the link into the portal. */
function deadPage(translator: Translator, change: EmailChangePlace | undefined): Page {
  const { deadTitle, deadText } = emailChangeMessages[translator.language];
  return {
    language: translator.language,
    title: deadTitle,
    status: change ? 410 : 401,
    brandColor: change?.brandColor,
    body: html`<section class="card notice-page">
<h1>${deadTitle}</h1>
<p>${deadText}</p>
${change && signInLink(translator, change)}
</section>`,
  };
}

function signInLink({ language, to }: Translator, { signInPath }: EmailChangePlace) {
  return (
    signInPath !== undefined &&
    html`<p><a class="button full" href="${to(signInPath)}">${signInMessages[language].title}</a></p>`
  );
}
