import { type Html, html } from '../platform/http/html.ts';
import { readableOn } from '../platform/lib/color.ts';
import { colonIn, labelled } from '../platform/lib/format.ts';
import { directionOf, type Language } from '../platform/lib/language.ts';
import type { Row } from './owner-email.ts';

/** An e-mail in its parts, in the order they are read. */
export interface Content {
  language: Language;
  /** Above everything, where there is no logo. */
  sender: string;
  greeting: string;
  paragraphs: string[];
  rows: Row[];
  link: { text: string; url: string } | undefined;
  /** Link to the page where the customer finds everything else. */
  account: { text: string; url: string } | undefined;
  closing: string;
  brandColor: string | null;
  logo: { url: string; name: string } | undefined;
}

/** For programs that show no HTML, and for people who want none. */
export function asText({ language, greeting, paragraphs, rows, link, account, closing }: Content): string {
  const facts = rows.map(([label, value]) => labelled(label, value, language)).join('\n');
  const linked = (to: Content['link']) => (to ? [`${to.text}${colonIn(language)}\n${to.url}`] : []);
  const listed = facts === '' ? [] : [facts];
  const parts = [greeting, ...paragraphs, ...linked(link), ...listed, ...linked(account), closing];
  return `${parts.join('\n\n')}\n`;
}

/** In tables and inline styles, because many mail programs know nothing else. */
export function asHtml(content: Content): string {
  const { language, sender, greeting, paragraphs, rows, link, account, closing, brandColor, logo } = content;
  const isRtl = directionOf(language) === 'rtl';
  return html`<!doctype html>
<html lang="${language}"${isRtl && html` dir="rtl"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;background:#f5f7f8;color:#161b20;font-family:sans-serif;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;border:1px solid #dde3e6;border-radius:12px;background:#ffffff"><tr><td align="${isRtl ? 'right' : 'left'}" style="padding:28px">
${logo ? html`<p style="margin:0 0 20px"><img src="${logo.url}" alt="${logo.name}" style="${LOGO_STYLE}"></p>` : html`<p style="margin:0 0 20px;font-size:18px;font-weight:700">${sender}</p>`}
<p>${greeting}</p>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${link && button(link, brandColor)}
${rows.length > 0 && html`<table width="100%" cellpadding="0" cellspacing="0" style="margin:20px 0;border-collapse:collapse">${rows.map(rowOf)}</table>`}
${account && html`<p><a href="${account.url}">${account.text}</a></p>\n`}<p style="margin:20px 0 0;color:#525d66;font-size:14px">${closing}</p>
</td></tr></table>
</td></tr></table>
</body></html>
`.toString();
}

function rowOf([label, value]: Row): Html {
  return html`<tr><td style="${CELL};padding-inline-end:16px;color:#525d66">${label}</td><td style="${CELL};text-align:end;word-break:break-word">${value}</td></tr>`;
}

const CELL = 'padding:8px 0;border-top:1px solid #dde3e6;vertical-align:top';

const LOGO_STYLE = 'max-width:200px;max-height:48px;border:0';

/** With its address below, for those whose mail program shows no links. */
function button({ text, url }: { text: string; url: string }, brandColor: string | null): Html {
  return html`<p style="margin:24px 0 8px"><a href="${url}" style="${buttonStyle(brandColor ?? OUR_COLOR)}">${text}</a></p>
<p style="margin:0;color:#525d66;font-size:12px;word-break:break-all">${url}</p>`;
}

/** Color of the pages of a merchant who has chosen none. */
const OUR_COLOR = '#0b6b57';

/** The sender's colour, with whatever text can be read on it. */
function buttonStyle(color: string): string {
  const text = readableOn(color);
  return `display:inline-block;padding:12px 22px;border-radius:8px;border:1px solid ${text === '#000000' ? '#767676' : color};background:${color};color:${text};font-weight:600;text-decoration:none`;
}
