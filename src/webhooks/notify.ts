import { composeNotificationEmail } from '../email/compose-notification-email.ts';
import { type Mailer, SendFailure } from '../email/mailer.ts';
import { elapsedMs, realNow } from '../platform/lib/clock.ts';
import type { Claim, Outcome } from './delivery.ts';
import type { Channel } from './notifications/channel.ts';
import { composeEmailText, composePost } from './notifications/compose.ts';
import { describeEvent } from './notifications/describe-event.ts';
import { parseRetryAfter } from './retry.ts';
import type { Sender } from './send.ts';

export interface NotifyParts {
  sender: Sender;
  userAgent: string;
  mailer?: Mailer | undefined;
  publicUrl(): string;
  open(sealed: Buffer): string;
}

export type NotificationClaim = Claim & { kind: Channel; url: string; body: string };

/** Tells people of an event: the same attempts, retries and log as a webhook has, but a sentence instead of the event. */
export function createNotifier(parts: NotifyParts) {
  return async function notify(claim: NotificationClaim): Promise<Outcome> {
    return claim.kind === 'email' ? mail(parts, claim) : post(parts, { ...claim, kind: claim.kind });
  };
}

const NOTHING = { durationMs: 0, httpStatus: null, responseBody: null, retryAfterMs: null };

async function post(
  { sender, userAgent, publicUrl, open }: NotifyParts,
  claim: NotificationClaim & { kind: Exclude<Channel, 'email'> },
): Promise<Outcome> {
  const startedAt = realNow();
  let url: string;
  try {
    url = open(claim.secret);
  } catch {
    return { ...NOTHING, startedAt, error: 'the URL of this notification cannot be read' };
  }
  const text = composePost(claim.kind, describeEvent(claim.body), {
    publicUrl: publicUrl(),
    chatId: claim.chatId,
  });
  const headers = ['content-type', 'application/json', 'user-agent', userAgent];
  const { retryAfter, ...result } = await sender.post({ url, headers, body: Buffer.from(text) });
  const hide = hiding(url);
  return {
    ...result,
    error: result.error && hide(result.error),
    responseBody: result.responseBody && hide(result.responseBody),
    startedAt,
    retryAfterMs: parseRetryAfter(retryAfter, realNow()),
  };
}

const SHORTEST_SECRET = 6;

/** A server may repeat the path in its answer, and anyone who knows it can write to the channel. */
export function hiding(url: string): (text: string) => string {
  const { pathname, search } = new URL(url);
  const pieces = [url, pathname + search, pathname, ...pathname.split('/'), ...search.slice(1).split(/[=&]/)];
  const hidden = [...new Set(pieces.flatMap((piece) => [piece, decoded(piece)]))]
    .filter((piece) => piece.length >= SHORTEST_SECRET && piece !== 'sendMessage')
    .sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((left, piece) => left.replaceAll(piece, '…'), text);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

const WHY = 'You get this because somebody added your address under Notifications in the dashboard.';

async function mail({ mailer, publicUrl }: NotifyParts, claim: NotificationClaim): Promise<Outcome> {
  const startedAt = realNow();
  if (!mailer) return { ...NOTHING, startedAt, error: 'no mail server is set' };
  const startedMs = elapsedMs();
  const content = composeEmailText(describeEvent(claim.body), publicUrl());
  const to = claim.url.slice('mailto:'.length);
  const outcome = (error: string | null) => ({
    ...NOTHING,
    startedAt,
    durationMs: Math.round(elapsedMs() - startedMs),
    error,
  });
  try {
    await mailer.send(composeNotificationEmail({ ...content, id: claim.id, to, closing: WHY }));
    return outcome(null);
  } catch (error) {
    // The server's own words may name what is in our network.
    const code = error instanceof SendFailure ? ` (${error.code})` : '';
    return outcome(`the mail server did not take it${code}`);
  }
}
