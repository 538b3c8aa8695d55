import type {
  DelayFacts,
  OwnerContent,
  PayoutFacts,
  SecretFacts,
  SponsorFacts,
  WebhookFacts,
} from './email.ts';

export type Row = [label: string, value: string];

interface OwnerNews {
  subject: string;
  paragraphs: string[];
  rows: Row[];
  /** Default: where to see more about a change. */
  closing?: string;
}

/** Composes what owners read about a change that can move money or data; `short` makes a name fit a line. */
export function composeOwnerEmail(
  { kind, facts }: OwnerContent,
  sender: string,
  short: (name: string) => string,
): OwnerNews {
  if (kind === 'sponsor_low') return sponsorNews(facts, sender);
  if (kind === 'webhook_url_changed') return webhookNews(facts, sender);
  if (kind === 'secrets_replaced') return secretNews(facts, sender);
  if (kind === 'payout_delay_changed') return delayNews(facts, sender);
  const what = facts.projectName === null ? sender : `${short(facts.projectName)} of ${sender}`;
  const { takesEffectAt } = facts;
  return takesEffectAt ? pendingNews({ ...facts, takesEffectAt }, what) : changeNews(facts, what);
}

/** `2026-02-28 23:59 UTC`: read the same way everywhere. */
function formatUtc(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function changeNews(facts: PayoutFacts, what: string): OwnerNews {
  return {
    subject: 'Your payout address was changed',
    paragraphs: facts.isTakenOver
      ? [
          `Another merchant proved by signature that the payout address of ${what} is theirs. It was removed from your settings. Payments already requested still count for you.`,
          facts.projectName === null
            ? 'Nobody can pay you until you add another payout address.'
            : 'New payments in this project go to your main payout address.',
        ]
      : [
          `The payout address of ${what} was changed. New payments go to the new address.`,
          'If this wasn’t you or a colleague, sign in immediately, change it back and revoke any API key you don’t recognize.',
        ],
    rows: changed(facts),
  };
}

/** One that is pending, or was until another merchant proved that the wallet is theirs. */
function pendingNews(facts: PayoutFacts & { takesEffectAt: Date }, what: string): OwnerNews {
  const none = facts.projectName === null ? 'none' : 'your main payout address';
  const addresses: Row[] = [
    ['Now', facts.from ?? none],
    ['New', facts.to ?? none],
  ];
  if (facts.isTakenOver) {
    return {
      subject: 'Your payout address will not change',
      paragraphs: [
        `Another merchant proved by signature that the new payout address of ${what} is theirs. The pending change was dropped. Payments keep going to the current address.`,
      ],
      rows: [...addresses, ['Dropped', formatUtc(facts.at)], ['By', facts.actor]],
    };
  }
  if (facts.isCanceled) {
    return {
      subject: 'Your payout address will not change',
      paragraphs: [
        `The pending change to the payout address of ${what} was canceled. Payments keep going to the current address.`,
        'If this wasn’t you or a colleague, sign in, check the audit log and request the change again.',
      ],
      rows: [...addresses, ['Canceled', formatUtc(facts.at)], ['By', facts.actor]],
    };
  }
  return {
    subject: 'Your payout address is about to change',
    paragraphs: [
      `A new payout address was requested for ${what}. Until it takes effect, payments go to the current address.`,
      'If this wasn’t you or a colleague, sign in immediately, cancel it in Settings and revoke any API key you don’t recognize.',
    ],
    rows: [
      ...addresses,
      ['Takes effect', formatUtc(facts.takesEffectAt)],
      ['Requested', formatUtc(facts.at)],
      ['By', facts.actor],
    ],
  };
}

function delayNews(facts: DelayFacts, sender: string): OwnerNews {
  const delays: Row[] = [
    ['Now', hours(facts.from)],
    ['New', hours(facts.to)],
  ];
  if (facts.isCanceled) {
    return {
      subject: 'The delay for payout address changes stays the same',
      paragraphs: [
        `The pending shorter delay for payout address changes at ${sender} was canceled. The current delay stays in place.`,
        'If this wasn’t you or a colleague, sign in, check the audit log and request it again.',
      ],
      rows: [...delays, ['Canceled', formatUtc(facts.at)], ['By', facts.actor]],
    };
  }
  return {
    subject: 'The delay for payout address changes is about to get shorter',
    paragraphs: [
      `A shorter delay for payout address changes at ${sender} was requested. It leaves less time to cancel a change that isn’t yours.`,
      'If this wasn’t you or a colleague, sign in immediately, cancel it in Settings and revoke any API key you don’t recognize.',
    ],
    rows: [
      ...delays,
      ['Takes effect', formatUtc(facts.takesEffectAt)],
      ['Requested', formatUtc(facts.at)],
      ['By', facts.actor],
    ],
  };
}

function hours(count: number): string {
  return count === 1 ? '1 hour' : `${count} hours`;
}

/** The new URL may carry a secret of the receiver, but owners can read it in the dashboard anyway. */
function webhookNews(facts: WebhookFacts, sender: string): OwnerNews {
  return {
    subject: `Your webhook URL was ${facts.to === null ? 'removed' : 'changed'}`,
    paragraphs: [
      facts.to === null
        ? `The webhook URL of ${sender} was removed. Events are no longer sent.`
        : `The webhook URL of ${sender} was changed. Events, including customers’ names and e-mail addresses, are now sent there.`,
      'If this wasn’t you or a colleague, sign in immediately, change it back and revoke any API key you don’t recognize.',
    ],
    rows: changed(facts),
  };
}

function changed({ from, to, at, actor }: WebhookFacts): Row[] {
  return [
    ['Before', from ?? 'none'],
    ['Now', to ?? 'none'],
    ['Changed', formatUtc(at)],
    ['By', actor],
  ];
}

function secretNews({ webhooks, notifications, actor, at }: SecretFacts, sender: string): OwnerNews {
  const paragraphs = [
    `The service that runs ${sender} lost the key that its stored secrets were sealed with.`,
  ];
  if (webhooks.length > 0)
    paragraphs.push(
      'Your webhook secrets were replaced. Your servers refuse our events until they know the new ones, and we send each event again for three days. In your dashboard, generate a new secret for each webhook below.',
    );
  if (notifications.length > 0)
    paragraphs.push(
      'These notifications were removed, because their addresses were lost. Add them again in your dashboard.',
    );
  return {
    subject: webhooks.length > 0 ? 'Your webhook secrets were replaced' : 'Notifications were removed',
    paragraphs,
    rows: [
      ...webhooks.map((url): Row => ['Webhook', url]),
      ...notifications.map((name): Row => ['Notification', name]),
      ['Changed', formatUtc(at)],
      ['By', actor],
    ],
  };
}

const LAMPORTS_PER_SOL = 1_000_000_000n;

function sponsorNews(facts: SponsorFacts, sender: string): OwnerNews {
  return {
    subject: 'The wallet that pays network fees is running low',
    paragraphs: [
      `The wallet that pays network fees for the customers of ${sender} is running low. Once it holds less than ${sol(facts.minLamports)} SOL, customers need SOL of their own, and programs can no longer pay by x402.`,
      'Send SOL to its address, or ask the operator of your Florin to do so.',
    ],
    rows: [
      ['Address', facts.address],
      ['Balance', `${sol(facts.balanceLamports)} SOL`],
      ['Seen', formatUtc(facts.at)],
    ],
    closing: 'See Settings in your dashboard for what it has spent today.',
  };
}

/** `0.0125`: every digit that counts. */
function sol(lamports: string): string {
  const amount = BigInt(lamports);
  const fraction = (amount % LAMPORTS_PER_SOL).toString().padStart(9, '0').replace(/0+$/, '');
  return `${amount / LAMPORTS_PER_SOL}${fraction && `.${fraction}`}`;
}
