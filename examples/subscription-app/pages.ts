import type { Access } from './access.ts';
import type { Int64, Subscription, SubscriptionChangePreview } from './florin.ts';
import { type Html, html } from './html.ts';
import type { Plan } from './set-up.ts';

/** The number of the attempt is in the form: pressing the button twice is one checkout. */
export function pricingPage(
  { seatCents, trialDays }: Plan,
  team: string | undefined,
  attempt: string,
): string {
  const offer = html`<p><b>${dollars(seatCents)}</b> per seat and month. The first ${String(trialDays)} days are free.</p>`;
  if (team === undefined) {
    return page(
      'Team notes',
      html`${offer}
    <form method="post" action="/sign-in">
      <label>Your team <input name="team" required pattern="[a-z0-9\\-]{1,40}"></label> <button>Sign in</button>
    </form>`,
    );
  }
  return page(
    'Team notes',
    html`${offer}
    <form method="post" action="/subscribe">
      <input type="hidden" name="attempt" value="${attempt}">
      <label>Seats for ${team} <input name="seats" type="number" min="1" max="500" value="3" required></label>
      <label>Promotion code <input name="code" maxlength="40"></label>
      <button>Start free trial</button>
    </form>`,
  );
}

export const notesPage = ({ team, seats }: Access): string =>
  page('Notes', html`<p>The notes of ${team}, with ${seatsText(seats)}.</p>${ACCOUNT}`);

export const waitingPage = (): string =>
  page(
    'Your plan',
    html`<p>We are waiting for your plan.</p>`,
    html`<meta http-equiv="refresh" content="2">`,
  );

const STATUS: Record<Subscription['status'], string> = {
  incomplete: 'Not paid yet.',
  incomplete_expired: 'It was not paid in time.',
  trialing: 'Free trial.',
  active: 'Active.',
  past_due: 'Your renewal is overdue. Please pay it to keep your notes open.',
  canceled: 'Ended.',
};

export function accountPage({ team, seats, status, hasAccess }: Access, now: Subscription): string {
  const { renewalCheckoutUrl, pendingChange } = now;
  return page(
    'Your plan',
    html`<p class="status" data-status="${status}">${team}: ${seatsText(seats)}. ${STATUS[status]}</p>
    ${renewalCheckoutUrl === null ? html`` : html`<p><a href="${renewalCheckoutUrl}">Pay your renewal</a></p>`}
    ${
      pendingChange?.checkoutUrl
        ? html`<p><a href="${pendingChange.checkoutUrl}">Pay for ${seatsText(pendingChange.quantity)}</a></p>`
        : html``
    }
    ${
      hasAccess
        ? html`<p><a href="/notes">Open your notes</a></p>
    <form method="post" action="/seats/preview">
      <label>Seats <input name="seats" type="number" min="1" max="500" value="${String(seats)}" required></label>
      <button>See what changes</button>
    </form>`
        : html`<p><a href="/">Choose a plan</a></p>`
    }
    <form method="post" action="/portal"><button>Invoices and cancellation</button></form>`,
  );
}

export function previewPage(preview: SubscriptionChangePreview): string {
  const { newQuantity, amountDueCents, nextInvoice, effectiveAt, previewToken } = preview;
  const when = amountDueCents === 0 ? `from ${effectiveAt.slice(0, 10)}` : 'as soon as that is paid';
  return page(
    seatsText(newQuantity),
    html`<p>Due now: <b>${dollars(amountDueCents)}</b>. The seats are yours ${when}.</p>
    <p>Next invoice, on ${nextInvoice.date.slice(0, 10)}: ${dollars(nextInvoice.amountCents)}.</p>
    <form method="post" action="/seats">
      <input type="hidden" name="seats" value="${String(newQuantity)}">
      <input type="hidden" name="token" value="${previewToken}">
      <button>Change to ${seatsText(newQuantity)}</button>
    </form>${ACCOUNT}`,
  );
}

export const messagePage = (text: string): string =>
  page('One moment', html`<p>${text}</p><p><a href="/">Back</a></p>`);

const ACCOUNT = html`<p><a href="/account">Your plan</a></p>`;

const seatsText = (seats: number): string => (seats === 1 ? '1 seat' : `${seats} seats`);

function dollars(amountCents: Int64): string {
  const cents = BigInt(amountCents);
  return `$${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

const STYLE = html`<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  form { margin: 1.5rem 0; }
  label { display: block; margin: .75rem 0; }
  input { font: inherit; padding: .3rem .5rem; }
  button { font: inherit; padding: .4rem 1.2rem; border: 0; border-radius: .5rem; background: #1d4ed8; color: #fff; }
  .status { padding: 1rem; border-radius: .5rem; background: #f3f4f6; }
  .status[data-status="active"], .status[data-status="trialing"] { background: #dcfce7; }
  .status[data-status="past_due"] { background: #fef3c7; }
</style>`;

function page(title: string, content: Html, head: Html = html``): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  ${STYLE}${head}
</head>
<body>
  <h1>${title}</h1>
  ${content}
</body>
</html>`.markup;
}
