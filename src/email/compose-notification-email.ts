import { html } from '../platform/http/html.ts';
import type { Message } from './mailer.ts';

export interface NotificationEmailParts {
  id: string;
  to: string;
  subject: string;
  text: string;
  link: string;
  closing: string;
}

/** A short e-mail to one of the merchant's people: a sentence or a few, and where to see more. */
export function composeNotificationEmail({
  id,
  to,
  subject,
  text,
  link,
  closing,
}: NotificationEmailParts): Message {
  return {
    id,
    to: { name: '', address: to },
    subject,
    text: `${text}\n\n${link}\n\n${closing}\n`,
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"></head>
<body style="font-family:sans-serif;line-height:1.5">
${text.split('\n').map((line) => html`<p>${line}</p>\n`)}<p><a href="${link}">Open it in the dashboard</a></p>
<p>${closing}</p>
</body></html>
`.toString(),
  };
}
