import type { Session } from '../../billing/checkout-sessions/session.ts';
import { type Html, html } from '../../platform/http/html.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { CheckoutMessages } from './messages/messages.ts';
import type { PaymentView } from './payment-view.ts';

/** Reasons why a code was refused, as the address of the page has them after a form was sent. */
export const CODE_PROBLEMS = ['invalid', 'refused', 'idle'] as const;
export type CodeProblem = (typeof CODE_PROBLEMS)[number];

/** Form to enter or remove a promotion code; only while nothing was paid. */
export function codeForm(
  { allowPromotionCodes, discount }: Session,
  { stage }: PaymentView,
  problem: CodeProblem | undefined,
  action: string,
  { code: text }: CheckoutMessages,
): Html | undefined {
  if (!allowPromotionCodes || stage !== 'waiting') return undefined;
  return html`<form method="post" action="${action}" class="code-form">
<label for="code">${text.label}</label>
<div class="code-row"><input id="code" name="code" dir="ltr" maxlength="50" required autocomplete="off" autocapitalize="characters" spellcheck="false"${problem && html` aria-invalid="true" aria-describedby="code-problem"`}><button>${text.apply}</button></div>
${problem && html`<p class="problem" id="code-problem" role="alert">${text[problem]}</p>`}
</form>
${discount?.promotionCode != null && html`<form method="post" action="${action}" class="code-remove"><button class="small" name="remove" value="yes">${text.remove} <bdi>${discount.promotionCode}</bdi></button></form>`}`;
}

/** Maps a refusal to a message for the customer; undefined if it is not the customer's. */
export function problemOfCode(error: unknown): CodeProblem | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.code === 'INVALID_STATE' || error.code === 'RATE_LIMITED') return 'refused';
  if (error.code !== 'BAD_REQUEST') return undefined;
  return error.message.includes('applies to nothing') ? 'idle' : 'invalid';
}
