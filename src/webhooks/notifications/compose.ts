import type { Channel } from './channel.ts';
import type { News } from './describe-event.ts';
import { speak } from './sentence.ts';

export interface Composing {
  /** Our address as the world reaches us. */
  publicUrl: string;
  chatId: string | null;
}

type Posted = Exclude<Channel, 'email'>;

/**
 * The message in the form that a channel takes, as JSON text. Nothing in a value is markup, a mention or a link in
 * disguise there.
 */
export function composePost(channel: Posted, news: News, { publicUrl, chatId }: Composing): string {
  const link = linkTo(news, publicUrl);
  const text = (shape: (value: string) => string, most: number) =>
    cut(`${speak(news.sentence, shape)}\n${link}`, most);
  const { event, eventId, createdAt } = news;
  const forms: Record<Posted, () => object> = {
    slack: () => ({ text: text(escapeSlack, 4_000), mrkdwn: false }),
    discord: () => ({ content: text(escapeDiscord, 2_000), allowed_mentions: { parse: [] } }),
    // Without a parse mode nothing is markup.
    telegram: () => ({ chat_id: chatId, text: text(same, 4_096) }),
    https: () => ({ text: speak(news.sentence, same), url: link, event, eventId, createdAt }),
  };
  return JSON.stringify(forms[channel]());
}

export interface EmailText {
  subject: string;
  text: string;
  link: string;
}

export function composeEmailText(news: News, publicUrl: string): EmailText {
  const text = speak(news.sentence, same);
  return { subject: cut(text.split('\n')[0]!, 200), text, link: linkTo(news, publicUrl) };
}

function linkTo({ path }: News, publicUrl: string): string {
  return `${publicUrl}/dashboard/${path}`;
}

/** The three characters that Slack gives a meaning to; `mrkdwn: false` takes it from the others. */
function escapeSlack(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeDiscord(value: string): string {
  return value.replace(/[\\*_~`|<>#[\]():@]/g, '\\$&');
}

function same(value: string): string {
  return value;
}

function cut(text: string, most: number): string {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text;
}
