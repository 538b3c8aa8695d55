import { SendFailure } from '../../email/mailer.ts';
import { oneLine } from '../../email/one-line.ts';
import { html } from '../../platform/http/html.ts';
import { readMerchantName } from '../merchants/read-merchant-name.ts';
import type { CreatedMemberLink } from './create-link.ts';
import { LINK_LIFE_HOURS } from './member-link.ts';
import type { MemberParts } from './member-parts.ts';

/**
 * E-mails an invitation if a mail server is set, and returns whether the server accepted it. It is not retried: the
 * owner has the link as well, and it is stored nowhere.
 */
export async function mailInvitation(
  { db, log, mailer }: Pick<MemberParts, 'db' | 'log' | 'mailer'>,
  { link, url }: CreatedMemberLink,
): Promise<boolean> {
  if (!mailer) return false;
  const shop = oneLine((await readMerchantName(db, link.merchantId)) ?? '') || 'a merchant';
  const lines = [
    'Hi,',
    `You’ve been invited to the payments dashboard of ${shop} as ${link.role === 'owner' ? 'an' : 'a'} ${link.role}.`,
    `Accept the invitation with this link. It works once and expires in ${LINK_LIFE_HOURS.invitation} hours:`,
    url,
    'If you weren’t expecting this, you can ignore this e-mail.',
  ];
  const paragraphs = lines.map(
    (line) => html`<p>${line === url ? html`<a href="${url}">${url}</a>` : line}</p>\n`,
  );
  try {
    await mailer.send({
      id: link.id,
      to: { name: '', address: link.email! },
      subject: `${shop}: You’re invited to the dashboard`,
      text: `${lines.join('\n\n')}\n`,
      html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"></head>
<body style="font-family:sans-serif;line-height:1.5">
${paragraphs}</body></html>
`.toString(),
    });
    return true;
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error;
    log.warn(
      { merchantId: link.merchantId, linkId: link.id, code: error.code },
      'mail: invitation not accepted by the server',
    );
    return false;
  }
}
