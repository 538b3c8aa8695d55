import type { Session } from '../../billing/checkout-sessions/session.ts';
import { largestTip, tipOf, withoutTip } from '../../billing/checkout-sessions/tip.ts';
import { amountOfLines } from '../../billing/invoices/invoice.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { readMoney } from '../parts/read-money.ts';
import type { CheckoutMessages } from './messages/messages.ts';
import type { PaymentView } from './payment-view.ts';

/** Reasons why a tip was refused, as the address of the page has them after a form was sent. */
export const TIP_PROBLEMS = ['wrong', 'refused'] as const;
export type TipProblem = (typeof TIP_PROBLEMS)[number];

/** Form to add a tip; only while nothing was paid. */
export function tipForm(
  session: Session,
  { stage }: PaymentView,
  problem: TipProblem | undefined,
  { action, language }: { action: string; language: Language },
  { tip: text }: CheckoutMessages,
): Html | undefined {
  const { tipPercents, tipCents, lines } = session;
  if (tipPercents.length === 0 || stage !== 'waiting') return undefined;
  const goodsCents = amountOfLines(withoutTip(session, lines));
  const said = { wrong: text.wrong(formatUsd(largestTip(goodsCents), language)), refused: text.refused };
  return html`<form method="post" action="${action}" class="code-form tip-form" novalidate>
<fieldset><legend>${text.label}</legend>
<div class="tips">${tipPercents.map((percent) => {
    const cents = tipOf(goodsCents, percent);
    return html`<button name="percent" value="${`${percent}`}" formnovalidate${cents === tipCents && html` aria-pressed="true"`}><bdi dir="ltr">${percent}%</bdi> <span class="small" dir="ltr">${formatUsd(cents, language)}</span></button>`;
  })}${tipCents > 0n && html`<button name="percent" value="0" formnovalidate>${text.none}</button>`}</div>
</fieldset>
<label for="tip">${text.other}</label>
<div class="code-row"><input id="tip" name="amount" dir="ltr" maxlength="20" inputmode="decimal" autocomplete="off"${problem && html` aria-invalid="true" aria-describedby="tip-problem"`}><button>${text.add}</button></div>
${problem && html`<p class="problem" id="tip-problem" role="alert">${said[problem]}</p>`}
</form>`;
}

/** Reads the tip from the form; undefined if it is no amount. */
export function readTip({ percent, amount = '' }: Record<string, string | undefined>) {
  if (percent === '0') return { cents: 0n };
  if (percent !== undefined) return /^\d{1,3}$/.test(percent) ? { percent: Number(percent) } : undefined;
  const cents = readMoney(amount);
  return cents === undefined ? undefined : { cents };
}

/** Maps a refusal to a message for the customer; undefined if it is not the customer's. */
export function problemOfTip(error: unknown): TipProblem | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'INVALID_STATE') return 'refused';
  return error.code === 'BAD_REQUEST' ? 'wrong' : undefined;
}
