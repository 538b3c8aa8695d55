import { html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import { type PageCall, type PageScope, pageRoute } from '../parts/page-route.ts';
import { sellerSign } from '../parts/seller-sign.ts';
import { clearCookie, readCookie, setCookie } from '../portal/cookie.ts';
import { enterPortal, findVisitor, leavePortal } from '../portal/enter-portal.ts';
import { type PortalLink, readLink } from '../portal/read-link.ts';
import { findSignInPath, readSignInPlace } from '../portal/read-sign-in.ts';
import { signedOutPage } from './closed-pages.ts';
import { sandboxBanner } from './frame.ts';
import { signInMessages } from './messages/sign-in/languages.ts';
import { noneWithoutVisit, type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { named, type Translator, t, translatorOf } from './translator.ts';

/** The way in and the way out. */
export function entryPages(scope: PageScope, parts: PortalPageParts): void {
  const { db, clock, publicUrl } = parts;

  async function isAlreadyIn({ request }: PageCall, { sessionId }: PortalLink): Promise<boolean> {
    const cookie = readCookie(request.headers, publicUrl());
    const visitor = await findVisitor(db, cookie, clock.now()).catch(noneWithoutVisit);
    return visitor?.sessionId === sessionId;
  }

  // Programs that scan mail follow links as well: only the button uses one up.
  pageRoute(scope, {
    method: 'GET',
    path: '/portal/:token',
    async handle(call) {
      const translator = translatorOf(call);
      const link = await readLink(db, call.params.token!, clock.now());
      if (link?.isOpen) return openPage(translator, link, parts.network === 'sandbox');
      if (link && (await isAlreadyIn(call, link))) return { redirectTo: translator.to('/portal') };
      return deadLinkPage(translator, link);
    },
  });

  pageRoute(scope, {
    method: 'POST',
    path: '/portal/:token',
    async handle(call) {
      const translator = translatorOf(call);
      const token = call.params.token!;
      try {
        const { cookie } = await enterPortal(db, token, clock.now());
        call.reply.header('set-cookie', setCookie(publicUrl(), cookie));
        return { redirectTo: translator.to('/portal') };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const link = await readLink(db, token, clock.now());
        // The button pressed twice: the first time has let them in.
        if (link && (await isAlreadyIn(call, link))) return { redirectTo: translator.to('/portal') };
        return deadLinkPage(translator, link);
      }
    },
  });

  exitPages(scope, parts);
}

function exitPages(scope: PageScope, parts: PortalPageParts): void {
  const { db, publicUrl } = parts;

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: '/portal/sign-out',
    async handle({ visitor, translator, reply, now }) {
      await leavePortal(db, visitor, now);
      reply.header('set-cookie', clearCookie(publicUrl()));
      const project = (await findSignInPath(db, visitor)) && visitor.projectId;
      return { redirectTo: translator.to('/portal/signed-out', project ? { project } : {}) };
    },
  });

  pageRoute(scope, {
    method: 'GET',
    path: '/portal/signed-out',
    async handle(call) {
      const place = await readSignInPlace(db, call.query.project ?? '');
      return signedOutPage(translatorOf(call), place);
    },
  });
}

function openPage(translator: Translator, link: PortalLink, isSandbox: boolean): Page {
  const { merchantName, brandColor, logoFile } = link;
  const { title, text: what, hint, button } = translator.text.link;
  return {
    language: translator.language,
    title: `${title} · ${merchantName}`,
    brandColor,
    banner: isSandbox ? sandboxBanner(translator) : undefined,
    body: html`<section class="card notice-page">
${sellerSign(merchantName, logoFile)}
<h1>${title}</h1>
<p>${t(what, { merchant: named(merchantName) })}</p>
<form method="post"><button class="primary full">${button}</button></form>
<p class="muted small">${hint}</p>
</section>`,
  };
}

/** Statuses as in the API: gone when it was a link once, unauthorized when it never was. */
function deadLinkPage({ language, text, to }: Translator, link: PortalLink | undefined): Page {
  const { usedTitle, usedText, unknownTitle, unknownText } = text.link;
  const title = link ? usedTitle : unknownTitle;
  return {
    language,
    title,
    status: link ? 410 : 401,
    brandColor: link?.brandColor,
    body: html`<section class="card notice-page">
<h1>${title}</h1>
${
  link?.signInPath
    ? html`<p>${signInMessages[language].usedText}</p>\n<p><a class="button primary full" href="${to(link.signInPath)}">${signInMessages[language].newLink}</a></p>`
    : html`<p>${link ? t(usedText, { merchant: named(link.merchantName) }) : unknownText}</p>`
}
</section>`,
  };
}
