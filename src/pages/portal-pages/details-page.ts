import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Page } from '../parts/page.ts';
import type { PageScope } from '../parts/page-route.ts';
import { changeOwnDetails } from '../portal/change-own-details.ts';
import { accepts } from './accepts.ts';
import { form, framed, senderOf } from './frame.ts';
import { emailChangeMessages } from './messages/email-change/languages.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { named, type Translator, t } from './translator.ts';
import type { Visit, VisitCall } from './visit.ts';

const PATH = '/portal/details';

type Field = 'name' | 'email';
type Typed = Record<Field, string>;
type Problems = Partial<Record<Field, Html>>;

/** E-mail and name are the customer's own to correct; an address that is new to us has to be confirmed. */
export function detailsPages(scope: PageScope, parts: PortalPageParts): void {
  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { name, email } = call.visit.customer;
      return formPage(call, { name: name ?? '', email: email ?? '' }, {}, 200);
    },
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: PATH,
    async handle(call) {
      const { form: sent, translator, visit } = call;
      const before = visit.customer.email ?? '';
      const typed = { name: sent.name ?? '', email: visit.canChangeEmail ? (sent.email ?? '') : before };
      const problems = check(call, typed);
      if (problems.name || problems.email) return formPage(call, typed, problems, 400);
      try {
        await save(parts, call, typed);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'RATE_LIMITED')) throw error;
        const { tooMany } = emailChangeMessages[translator.language];
        return formPage(call, typed, { email: t(tooMany) }, 429);
      }
      return {
        redirectTo: translator.to('/portal', { done: typed.email === before ? 'saved' : 'email-sent' }),
      };
    },
  });
}

async function save(
  { db, secrets, publicUrl }: PortalPageParts,
  call: VisitCall,
  typed: Typed,
): Promise<void> {
  const { visitor, visit, now, request } = call;
  const isNew = typed.email !== (visit.customer.email ?? '');
  const change = { name: typed.name || null, ...(isNew && { email: typed.email }) };
  const { language } = call.translator;
  const input = { visitor, change, language, ip: request.ip, secrets, publicUrl: publicUrl(), now };
  await db.transaction((tx) => changeOwnDetails(tx, input));
}

const MAX = { name: 255, email: 254 } as const;
function check({ translator, visit }: VisitCall, typed: Typed): Problems {
  const { details } = translator.text;
  const problems: Problems = {};
  for (const field of ['name', 'email'] as const) {
    const text = typed[field];
    if (text === '' || accepts[field](text)) continue;
    const isTooLong = [...text].length > MAX[field];
    problems[field] = isTooLong
      ? t(details.tooLong, { most: MAX[field] })
      : t(field === 'email' ? details.emailForm : details.notText);
  }
  if (typed.email === '' && visit.customer.email !== null) {
    const { needed } = emailChangeMessages[translator.language];
    problems.email = t(needed, { merchant: named(senderOf(visit)) });
  }
  return problems;
}

function formPage(call: VisitCall, typed: Typed, problems: Problems, status: number): Page {
  const { translator, visit } = call;
  const { text, to } = translator;
  const { details } = text;
  return framed(call, {
    title: details.editTitle,
    ...(status !== 200 && { notice: { tone: 'bad' as const, text: t(details.problem) }, status }),
    body: html`<div class="card">
${form(
  translator,
  visit,
  PATH,
  html`<div class="stack">
${field('name', 'text', details.name, details.nameHint, typed.name, problems.name)}
${visit.canChangeEmail ? emailField(translator, typed, problems) : fixedEmail(translator, visit)}
<div class="actions"><button class="primary">${details.save}</button><a class="button" href="${to('/portal')}">${details.back}</a></div>
</div>`,
)}
${waitingEmail(translator, visit)}
</div>`,
  });
}

function emailField({ text, language }: Translator, typed: Typed, problems: Problems): Html {
  const { hint } = emailChangeMessages[language];
  return field('email', 'email', text.details.email, hint, typed.email, problems.email);
}

/** Nobody could confirm another where no e-mail is sent. */
function fixedEmail({ text, language }: Translator, visit: Visit): Html {
  const { details } = text;
  const { email } = visit.customer;
  const { fixed } = emailChangeMessages[language];
  return html`<div class="field"><strong>${details.email}</strong>
<p>${email === null ? details.missing : named(email)}</p>
<p class="hint">${t(fixed, { merchant: named(senderOf(visit)) })}</p></div>`;
}

function field(
  name: Field,
  type: 'text' | 'email',
  label: string,
  hint: string,
  value: string,
  problem: Html | undefined,
): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
${problem && html`<p class="problem" id="${name}-problem">${problem}</p>`}
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${name}" dir="auto" aria-describedby="${problem && html`${name}-problem `}${name}-hint"${problem && html` aria-invalid="true"`}>
</div>`;
}

/** The address that waits to be confirmed, and the way to withdraw it. */
function waitingEmail(translator: Translator, visit: Visit): Html | undefined {
  const { pendingEmail } = visit.customer;
  if (!pendingEmail) return undefined;
  const { waiting, withdraw } = emailChangeMessages[translator.language];
  const parts = { email: named(pendingEmail.email), moment: translator.moment(pendingEmail.expiresAt) };
  return html`<div class="portal-waiting"><p>${t(waiting, parts)}</p>
${form(translator, visit, '/portal/details/withdraw-email', html`<button class="small">${withdraw}</button>`)}</div>`;
}

export function detailsSection(translator: Translator, visit: Visit): Html {
  const { text, to } = translator;
  const { customer } = visit;
  const { details } = text;
  const row = (label: string, value: string | null, more?: Html) =>
    html`<div><dt>${label}</dt><dd>${value !== null ? named(value) : html`<span class="muted">${details.missing}</span>`}${more}</dd></div>`;
  return html`<section class="portal-section" aria-labelledby="details">
<div class="portal-head"><h2 id="details">${details.title}</h2><a href="${to(PATH)}">${details.edit}<span class="unseen">: ${details.title}</span></a></div>
<dl class="card facts">${row(details.name, customer.name)}${row(details.email, customer.email, waitingEmail(translator, visit))}</dl>
</section>`;
}
