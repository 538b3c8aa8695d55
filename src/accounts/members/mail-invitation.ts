import { SendFailure } from '../../platform/email/mailer.ts';
import { oneLine } from '../../platform/email/one-line.ts';
import { html } from '../../platform/http/html.ts';
import { readMerchantName } from '../merchants/read-merchant-name.ts';
import type { CreatedMemberLink } from './create-link.ts';
import { LINK_LIFE_HOURS } from './member-link.ts';
import type { MemberParts } from './member-parts.ts';

/**
 * Mails an invitation where a mail server is set, and says whether the server took it. It is not tried again: the link
 * is in the owner's hands as well, and kept nowhere.
 */
export async function mailInvitation(
  { db, log, mailer }: Pick<MemberParts, 'db' | 'log' | 'mailer'>,
  { link, url }: CreatedMemberLink,
): Promise<boolean> {
  if (!mailer) return false;
  const shop = oneLine((await readMerchantName(db, link.merchantId)) ?? '') || 'a merchant';
  const lines = [
    'Hello,',
    `you are invited to the payments dashboard of ${shop}, as ${link.role}.`,
    `This link works once, within ${LINK_LIFE_HOURS.invitation} hours:`,
    url,
    'If you did not expect this, do nothing.',
  ];
  const paragraphs = lines.map(
    (line) => html`<p>${line === url ? html`<a href="${url}">${url}</a>` : line}</p>\n`,
  );
  try {
    await mailer.send({
      id: link.id,
      to: { name: '', address: link.email! },
      subject: `${shop}: you are invited to the dashboard`,
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
      'mail: an invitation was not taken',
    );
    return false;
  }
}
