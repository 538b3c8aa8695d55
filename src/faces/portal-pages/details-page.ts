import { patchCustomer } from '../../accounts/customers/patch-customer.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { Page } from '../pages/page.ts';
import type { PageScope } from '../pages/page-route.ts';
import { actorOf } from '../portal/portal-session.ts';
import { accepts } from './accepts.ts';
import { form, framed } from './frame.ts';
import type { PortalMessages } from './messages/messages.ts';
import { type PortalPageParts, portalPageRoute } from './portal-page-route.ts';
import { named, type Translator, t } from './translator.ts';
import type { Visit, VisitCall } from './visit.ts';

const PATH = '/portal/details';

type Field = 'name' | 'email';
type Typed = Record<Field, string>;
type Problems = Partial<Record<Field, Html>>;

/** E-mail and name are the customer's own to correct. */
export function detailsPages(scope: PageScope, parts: PortalPageParts): void {
  const { db } = parts;

  portalPageRoute(scope, parts, {
    method: 'GET',
    path: PATH,
    async handle(call) {
      const { name, email } = call.visit.customer;
      return formPage(call, { name: name ?? '', email: email ?? '' }, {});
    },
  });

  portalPageRoute(scope, parts, {
    method: 'POST',
    path: PATH,
    async handle(call) {
      const { form: sent, visitor, translator, now } = call;
      const typed = { name: sent.name ?? '', email: sent.email ?? '' };
      const problems = check(translator.text, typed);
      if (problems.name || problems.email) return formPage(call, typed, problems);
      const { merchantId, customerId: id } = visitor;
      const change = { name: typed.name || null, email: typed.email || null };
      const input = { merchantId, id, actor: actorOf(visitor), isOwnChange: true, change, now };
      await db.transaction((tx) => patchCustomer(tx, input));
      return { redirectTo: translator.to('/portal', { done: 'saved' }) };
    },
  });
}

const MOST = { name: 255, email: 254 } as const;
function check({ details }: PortalMessages, typed: Typed): Problems {
  const problems: Problems = {};
  for (const field of ['name', 'email'] as const) {
    const text = typed[field];
    if (text === '' || accepts[field](text)) continue;
    const isTooLong = [...text].length > MOST[field];
    problems[field] = isTooLong
      ? t(details.tooLong, { most: MOST[field] })
      : t(field === 'email' ? details.emailForm : details.notText);
  }
  return problems;
}

function formPage(call: VisitCall, typed: Typed, problems: Problems): Page {
  const { translator, visit } = call;
  const { text, to } = translator;
  const { details } = text;
  const hasProblems = Object.keys(problems).length > 0;
  return framed(call, {
    title: details.editTitle,
    ...(hasProblems && { notice: { tone: 'bad' as const, text: t(details.problem) }, status: 400 }),
    body: html`<div class="card">
${form(
  translator,
  visit,
  PATH,
  html`<div class="stack">
${field('name', 'text', details.name, details.nameHint, typed.name, problems.name)}
${field('email', 'email', details.email, details.emailHint, typed.email, problems.email)}
<div class="actions"><button class="primary">${details.save}</button><a class="button" href="${to('/portal')}">${details.back}</a></div>
</div>`,
)}
</div>`,
  });
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

export function detailsSection({ text, to }: Translator, { customer }: Visit): Html {
  const { details } = text;
  const row = (label: string, value: string | null) =>
    html`<div><dt>${label}</dt><dd>${value !== null ? named(value) : html`<span class="muted">${details.missing}</span>`}</dd></div>`;
  return html`<section class="portal-section" aria-labelledby="details">
<div class="portal-head"><h2 id="details">${details.title}</h2><a href="${to(PATH)}">${details.edit}<span class="unseen">: ${details.title}</span></a></div>
<dl class="card facts">${row(details.name, customer.name)}${row(details.email, customer.email)}</dl>
</section>`;
}
