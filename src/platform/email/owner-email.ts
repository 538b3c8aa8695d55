import type { DelayFacts, OwnerContent, PayoutFacts, WebhookFacts } from './email.ts';

export type Row = [label: string, value: string];

interface OwnerNews {
  subject: string;
  paragraphs: string[];
  rows: Row[];
}

/** What an owner reads of a change that can move money or data; `short` makes a name fit a line. */
export function composeOwnerEmail(
  { kind, facts }: OwnerContent,
  sender: string,
  short: (name: string) => string,
): OwnerNews {
  if (kind === 'webhook_url_changed') return tellOfWebhook(facts, sender);
  if (kind === 'payout_delay_changed') return tellOfDelay(facts, sender);
  const what = facts.projectName === null ? sender : `${short(facts.projectName)} of ${sender}`;
  const { takesEffectAt } = facts;
  return takesEffectAt ? tellOfPending({ ...facts, takesEffectAt }, what) : tellOfChange(facts, what);
}

/** `2026-02-28 23:59 UTC`: read the same way everywhere. */
export function formatMoment(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function tellOfChange(facts: PayoutFacts, what: string): OwnerNews {
  return {
    subject: 'the payout address was changed',
    paragraphs: facts.isTakenOver
      ? [
          `Another merchant proved by signature that the payout address of ${what} is their wallet. It was removed from your settings; payments that were already requested still count for you.`,
          facts.projectName === null
            ? 'Nobody can pay you until you set another payout address.'
            : 'New payments of this project go to your main payout address.',
        ]
      : [
          `The payout address of ${what} was changed. New payments arrive at the new address.`,
          'If that was not you or a colleague, sign in at once, set it back, and revoke every key you do not know.',
        ],
    rows: changed(facts),
  };
}

/** One that waits, or waited until another merchant proved that the wallet is theirs. */
function tellOfPending(facts: PayoutFacts & { takesEffectAt: Date }, what: string): OwnerNews {
  const none = facts.projectName === null ? 'none' : 'your main payout address';
  const addresses: Row[] = [
    ['Now', facts.from ?? none],
    ['New', facts.to ?? none],
  ];
  if (facts.isTakenOver) {
    return {
      subject: 'the payout address will not change',
      paragraphs: [
        `Another merchant proved by signature that the new payout address of ${what} is their wallet. The change that waited will not happen; payments arrive where they did.`,
      ],
      rows: [...addresses, ['Dropped', formatMoment(facts.at)], ['By', facts.actor]],
    };
  }
  if (facts.isCanceled) {
    return {
      subject: 'the payout address will not change',
      paragraphs: [
        `The change of the payout address of ${what} that was waiting was canceled. Payments arrive where they did.`,
        'If that was not you or a colleague, sign in, look at the audit log, and request the change again.',
      ],
      rows: [...addresses, ['Canceled', formatMoment(facts.at)], ['By', facts.actor]],
    };
  }
  return {
    subject: 'the payout address is about to change',
    paragraphs: [
      `A new payout address of ${what} was requested. Until it takes effect, payments arrive where they did.`,
      'If that was not you or a colleague, sign in at once, cancel it under Settings, and revoke every key you do not know.',
    ],
    rows: [
      ...addresses,
      ['Takes effect', formatMoment(facts.takesEffectAt)],
      ['Requested', formatMoment(facts.at)],
      ['By', facts.actor],
    ],
  };
}

function tellOfDelay(facts: DelayFacts, sender: string): OwnerNews {
  const delays: Row[] = [
    ['Now', hours(facts.from)],
    ['New', hours(facts.to)],
  ];
  if (facts.isCanceled) {
    return {
      subject: 'payout address changes wait as long as before',
      paragraphs: [
        `A shorter delay for changes of the payout addresses of ${sender} was waiting. It was canceled: they wait as long as before.`,
        'If that was not you or a colleague, sign in, look at the audit log, and request it again.',
      ],
      rows: [...delays, ['Canceled', formatMoment(facts.at)], ['By', facts.actor]],
    };
  }
  return {
    subject: 'payout address changes are about to wait less',
    paragraphs: [
      `A shorter delay for changes of the payout addresses of ${sender} was requested. With it there is less time to cancel a change that is not yours.`,
      'If that was not you or a colleague, sign in at once, cancel it under Settings, and revoke every key you do not know.',
    ],
    rows: [
      ...delays,
      ['Takes effect', formatMoment(facts.takesEffectAt)],
      ['Requested', formatMoment(facts.at)],
      ['By', facts.actor],
    ],
  };
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`;
}

/** The new URL may carry a secret of the receiver, but owners can read it in the dashboard anyway. */
function tellOfWebhook(facts: WebhookFacts, sender: string): OwnerNews {
  return {
    subject: `the webhook URL was ${facts.to === null ? 'removed' : 'changed'}`,
    paragraphs: [
      facts.to === null
        ? `The webhook URL of ${sender} was removed. No events are sent any more.`
        : `The webhook URL of ${sender} was changed. Events, with the names and e-mail addresses of customers, go there now.`,
      'If that was not you or a colleague, sign in at once, set it back, and revoke every key you do not know.',
    ],
    rows: changed(facts),
  };
}

function changed({ from, to, at, actor }: WebhookFacts): Row[] {
  return [
    ['Before', from ?? 'none'],
    ['Now', to ?? 'none'],
    ['Changed', formatMoment(at)],
    ['By', actor],
  ];
}
