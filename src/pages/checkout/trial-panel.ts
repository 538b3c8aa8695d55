import type { Session } from '../../billing/checkout-sessions/session.ts';
import { awaitsMailbox } from '../../billing/checkout-sessions/session-trial.ts';
import { html } from '../../platform/http/html.ts';
import type { Language } from '../../platform/lib/language.ts';
import { checkoutMessages } from './messages/languages.ts';
import type { StagePanel } from './stage-panel.ts';

/**
 * Panel in place of what there is to pay: a link was mailed, or, for a customer who has opened it, the button that
 * begins the trial. Opening alone begins nothing, because programs that scan mail open links, too.
 */
export function trialPanel(
  session: Session,
  startPath: string | undefined,
  language: Language,
  now: Date,
): StagePanel | undefined {
  if (!awaitsMailbox(session) || now >= session.expiresAt) return undefined;
  const text = checkoutMessages[language].trialLink;
  if (startPath === undefined) {
    const panel = html`<h2>${text.mailedTitle}</h2><p>${text.mailed(session.customerEmail!)}</p>`;
    return { title: text.mailedTitle, panel };
  }
  const panel = html`<h2>${text.title}</h2>
<p>${text.text}</p>
<form method="post" action="${startPath}?lang=${language}"><button class="primary full">${text.start}</button></form>`;
  return { title: text.title, panel };
}
