import { html } from '../http/html.ts';
import { readableOn } from '../lib/color.ts';
import { formatUsd } from '../pdf/format.ts';
import { type ClaimedEmail, type Facts, isForOwners, isOfRefund, type RefundFacts } from './email.ts';
import type { Message } from './mailer.ts';
import { messagesIn } from './messages/languages.ts';
import type { FormattedFacts, Messages } from './messages/messages.ts';
import { type RefundMessages, refundMessagesIn } from './messages/refund-messages.ts';
import { oneLine } from './one-line.ts';
import { composeOwnerEmail, formatMoment, type Row } from './owner-email.ts';

/**
 * The same message again for the same row: plain text, and the same as simple HTML. The sender's logo is its only image,
 * and nothing is missing where a mail program does not load it.
 */
export function composeEmail(message: ClaimedEmail, publicUrl: string): Message {
  if (isOwnerEmail(message)) return composeForOwner(message);
  return isRefundEmail(message)
    ? composeOfRefund(message, publicUrl)
    : composeForCustomer(message, publicUrl);
}

type CustomerEmail = Extract<ClaimedEmail, { facts: Facts }>;
type RefundEmail = Extract<ClaimedEmail, { facts: RefundFacts }>;
type OwnerEmail = Exclude<ClaimedEmail, CustomerEmail | RefundEmail>;

function isRefundEmail(message: CustomerEmail | RefundEmail): message is RefundEmail {
  return isOfRefund(message.kind);
}

function isOwnerEmail(message: ClaimedEmail): message is OwnerEmail {
  return isForOwners(message.kind);
}

function composeForCustomer(message: CustomerEmail, publicUrl: string): Message {
  const messages = messagesIn(message.language);
  const { kind, facts } = message;
  const formatted = formatFacts(message);
  const { subject, paragraphs, action } = messages.emails[kind](formatted);
  const link =
    action !== undefined && facts.payUrl !== null ? { text: action, url: facts.payUrl } : undefined;
  const content = {
    language: messages.language,
    greeting: messages.greeting(addressable(message.recipientName)),
    paragraphs: [...paragraphs, ...memoOf(facts)],
    rows: rowsOf(messages, facts),
    link,
    closing: messages.closing(formatted.sender),
    brandColor: message.brandColor,
    logo: logoOf(message, publicUrl),
  };
  return {
    id: message.id,
    to: { name: message.recipientName ?? '', address: message.email! },
    subject: `${formatted.sender}: ${subject}`,
    text: asText(content),
    html: asHtml(content),
  };
}

function composeOfRefund(message: RefundEmail, publicUrl: string): Message {
  const messages = refundMessagesIn(message.language);
  const { kind, facts } = message;
  const sender = short(message.senderName);
  const { subject, paragraphs, action } = messages.emails[kind]({
    sender,
    number: facts.number,
    amount: formatUsd(facts.amountCents),
    expiresAt: formatMoment(facts.expiresAt),
  });
  const content = {
    language: messages.language,
    greeting: messages.greeting(addressable(message.recipientName)),
    paragraphs,
    rows: refundRows(messages, facts),
    link: action !== undefined && facts.claimUrl ? { text: action, url: facts.claimUrl } : undefined,
    closing: messages.closing(sender),
    brandColor: message.brandColor,
    logo: logoOf(message, publicUrl),
  };
  return {
    id: message.id,
    to: { name: message.recipientName ?? '', address: message.email! },
    subject: `${sender}: ${subject}`,
    text: asText(content),
    html: asHtml(content),
  };
}

function refundRows({ labels }: RefundMessages, facts: RefundFacts): Row[] {
  const { address, sentAt, creditNoteNumber, txSignature } = facts;
  const rows: (Row | false)[] = [
    [labels.refund, facts.number],
    [labels.amount, formatUsd(facts.amountCents)],
    address !== null && [labels.address, address],
    sentAt !== null && [labels.sentAt, formatMoment(sentAt)],
    creditNoteNumber !== null && [labels.creditNote, creditNoteNumber],
    txSignature !== null && [labels.transaction, txSignature],
  ];
  return rows.filter((row) => row !== false);
}

/** In English: members have no language of their own. */
function composeForOwner(message: OwnerEmail): Message {
  const { id, senderName, recipientName, email } = message;
  const sender = short(senderName);
  const { subject, paragraphs, rows, closing } = composeOwnerEmail(message, sender, short);
  const content: Content = {
    language: 'en',
    greeting: messagesIn(null).greeting(addressable(recipientName)),
    paragraphs,
    rows,
    link: undefined,
    closing: closing ?? 'See the audit log in your dashboard for details.',
    brandColor: null,
    logo: undefined,
  };
  return {
    id,
    to: { name: recipientName ?? '', address: email! },
    subject: `${sender}: ${subject}`,
    text: asText(content),
    html: asHtml(content),
  };
}

/** What the merchant wrote, each line a paragraph. */
function memoOf({ memo }: Facts): string[] {
  return (memo ?? '')
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
}

function formatFacts({ facts, senderName }: CustomerEmail): FormattedFacts {
  return {
    sender: short(senderName),
    number: facts.number,
    due: formatUsd(facts.dueCents),
    dueAt: facts.dueAt && formatMoment(facts.dueAt),
    endsAt: facts.endsAt && formatMoment(facts.endsAt),
  };
}

const MAX_NAME = 100;

function short(name: string): string {
  const line = [...oneLine(name)];
  return line.length > MAX_NAME ? `${line.slice(0, MAX_NAME).join('')}…` : line.join('');
}

/** Anyone may have typed a customer's name: one that mail programs would turn into a link is not repeated. */
function addressable(name: string | null): string | null {
  return name === null || /[/:@]|www|\S\.\S{2}/i.test(name) ? null : short(name) || null;
}

function rowsOf({ labels }: Messages, facts: Facts): Row[] {
  const { discountCents = 0n, taxes = [], creditCents, totalCents } = facts;
  const { dueCents, dueAt, paidAt, txSignature } = facts;
  const rows: (Row | false)[] = [
    [labels.invoice, facts.number],
    ...facts.items.map((item): Row => [oneLine(item.description), formatUsd(item.amountCents)]),
    discountCents > 0n && [labels.discount, formatUsd(-discountCents)],
    ...taxes
      .filter(({ isContained }) => !isContained)
      .map(({ text, taxCents }): Row => [oneLine(text), formatUsd(taxCents)]),
    creditCents > 0n && [labels.credit, formatUsd(-creditCents)],
    [labels.total, formatUsd(totalCents)],
    ...taxes
      .filter(({ isContained }) => isContained)
      .map(({ text, taxCents }): Row => [`${labels.included} ${oneLine(text)}`, formatUsd(taxCents)]),
    dueCents > 0n && dueCents < totalCents && [labels.stillDue, formatUsd(dueCents)],
    paidAt ? [labels.paidAt, formatMoment(paidAt)] : dueAt !== null && [labels.dueAt, formatMoment(dueAt)],
    paidAt !== null && txSignature !== null && [labels.transaction, txSignature],
  ];
  return rows.filter((row) => row !== false);
}

interface Content {
  language: string;
  greeting: string;
  paragraphs: string[];
  rows: Row[];
  link: { text: string; url: string } | undefined;
  closing: string;
  brandColor: string | null;
  logo: { url: string; name: string } | undefined;
}

function asText({ greeting, paragraphs, rows, link, closing }: Content): string {
  const facts = rows.map(([label, value]) => `${label}: ${value}`).join('\n');
  const parts = [greeting, ...paragraphs, ...(link ? [`${link.text}:\n${link.url}`] : []), facts, closing];
  return `${parts.join('\n\n')}\n`;
}

function asHtml(content: Content): string {
  const { language, greeting, paragraphs, rows, link, closing, brandColor, logo } = content;
  const cells = rows.map(
    ([label, value]) => html`<tr><td style="padding:2px 16px 2px 0">${label}</td><td>${value}</td></tr>`,
  );
  return html`<!doctype html>
<html lang="${language}"${language === 'ar' && html` dir="rtl"`}><head><meta charset="utf-8"></head>
<body style="font-family:sans-serif;line-height:1.5">
${logo && html`<p><img src="${logo.url}" alt="${logo.name}" style="${LOGO_STYLE}"></p>\n`}<p>${greeting}</p>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>\n`)}${
  link &&
  html`<p><a href="${link.url}"${brandColor && html` style="${buttonStyle(brandColor)}"`}>${link.text}</a><br>${link.url}</p>`
}
<table style="border-collapse:collapse">${cells}</table>
<p>${closing}</p>
</body></html>
`.toString();
}

const LOGO_STYLE = 'max-width:200px;max-height:48px;border:0';

/** Only from a public https URL: mail programs refuse anything else. */
function logoOf({ logoFile, senderName }: CustomerEmail | RefundEmail, publicUrl: string): Content['logo'] {
  if (logoFile === null || !publicUrl.startsWith('https:')) return undefined;
  return { url: `${publicUrl}/brand/logos/${logoFile}`, name: short(senderName) };
}

/** The sender's colour, with whatever text can be read on it. */
function buttonStyle(color: string): string {
  const text = readableOn(color);
  return `display:inline-block;margin-bottom:8px;padding:10px 18px;border-radius:8px;border:1px solid ${text === '#000000' ? '#767676' : color};background:${color};color:${text};font-weight:600;text-decoration:none`;
}
