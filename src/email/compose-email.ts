import { formatMoment, formatPercent, formatUsd, labelled } from '../platform/lib/format.ts';
import { type Language, languageOf } from '../platform/lib/language.ts';
import type { Cents } from '../platform/lib/money.ts';
import {
  type ClaimedEmail,
  type Facts,
  isForOwners,
  isOfPlan,
  isOfRefund,
  type PlanFacts,
  type RefundFacts,
} from './email.ts';
import { asHtml, asText, type Content } from './lay-out-email.ts';
import type { Message } from './mailer.ts';
import { addressMessages } from './messages/address/languages.ts';
import { emailMessages } from './messages/languages.ts';
import type { FormattedFacts, Messages } from './messages/messages.ts';
import { planMessages } from './messages/plan/languages.ts';
import { refundMessages } from './messages/refund/languages.ts';
import type { RefundMessages } from './messages/refund/messages.ts';
import { signInMessages } from './messages/sign-in/languages.ts';
import { trialLinkMessages } from './messages/trial-link/languages.ts';
import { oneLine } from './one-line.ts';
import { composeOwnerEmail, type Row } from './owner-email.ts';
import { type AddressEmailKind, isLinkForOne, isOfAddress, type SignInKind } from './portal-email.ts';
import type { TrialLinkKind } from './trial-email.ts';

/**
 * The same message again for the same row: plain text, and the same as simple HTML. The sender's logo is its only image,
 * and nothing is missing where a mail program does not load it.
 */
export function composeEmail(message: ClaimedEmail, publicUrl: string): Message {
  if (isOwnerEmail(message)) return composeForOwner(message);
  if (isSignInEmail(message)) return composeSignIn(message, publicUrl);
  if (isAddressEmail(message)) return composeOfAddress(message, publicUrl);
  if (isPlanEmail(message)) return composeOfPlan(message, publicUrl);
  return isRefundEmail(message)
    ? composeOfRefund(message, publicUrl)
    : composeForCustomer(message, publicUrl);
}

type CustomerEmail = Extract<ClaimedEmail, { facts: Facts }>;
type RefundEmail = Extract<ClaimedEmail, { facts: RefundFacts }>;
type PlanEmail = Extract<ClaimedEmail, { facts: PlanFacts }>;
type SignInEmail = Extract<ClaimedEmail, { kind: SignInKind | TrialLinkKind }>;
type AddressEmail = Extract<ClaimedEmail, { kind: AddressEmailKind }>;
type EmailToCustomer = CustomerEmail | RefundEmail | PlanEmail | SignInEmail | AddressEmail;
type OwnerEmail = Exclude<ClaimedEmail, EmailToCustomer>;

function isRefundEmail(message: CustomerEmail | RefundEmail): message is RefundEmail {
  return isOfRefund(message.kind);
}

function isPlanEmail(message: CustomerEmail | RefundEmail | PlanEmail): message is PlanEmail {
  return isOfPlan(message.kind);
}

function isSignInEmail(message: EmailToCustomer): message is SignInEmail {
  return message.kind === 'portal_sign_in' || message.kind === 'trial_confirmation';
}

function isAddressEmail(message: Exclude<EmailToCustomer, SignInEmail>): message is AddressEmail {
  return isOfAddress(message.kind);
}

function isOwnerEmail(message: ClaimedEmail): message is OwnerEmail {
  return isForOwners(message.kind);
}

function composeForCustomer(message: CustomerEmail, publicUrl: string): Message {
  const messages = emailMessages[languageOf(message.language)];
  const { kind, facts } = message;
  const formatted = formatFacts(message, messages.language);
  const { subject, paragraphs, action } = messages.emails[kind](formatted);
  return finish(message, publicUrl, {
    ...{ sender: formatted.sender, subject, paragraphs: [...paragraphs, ...memoOf(facts)] },
    ...{ rows: rowsOf(messages, facts), action, url: facts.payUrl },
  });
}

function composeOfRefund(message: RefundEmail, publicUrl: string): Message {
  const messages = refundMessages[languageOf(message.language)];
  const { kind, facts } = message;
  const sender = short(message.senderName);
  const { subject, paragraphs, action } = messages.emails[kind]({
    sender,
    number: facts.number,
    amount: formatUsd(facts.amountCents, messages.language),
    expiresAt: formatMoment(facts.expiresAt, messages.language),
  });
  const rows = refundRows(messages, facts);
  return finish(message, publicUrl, { sender, subject, paragraphs, rows, action, url: facts.claimUrl });
}

function composeOfPlan(message: PlanEmail, publicUrl: string): Message {
  const messages = planMessages[languageOf(message.language)];
  const { kind, facts } = message;
  const sender = short(message.senderName);
  const { subject, paragraphs, action } = messages.emails[kind]({
    sender,
    plan: short(facts.plan),
    at: formatMoment(facts.at, messages.language),
    due: formatUsd(facts.dueCents, messages.language),
  });
  return finish(message, publicUrl, {
    sender,
    subject,
    paragraphs,
    rows: [],
    action,
    url: facts.payUrl,
  });
}

/** In the customer's own language where that is known, otherwise in that of the page they asked on. */
function composeSignIn(message: SignInEmail, publicUrl: string): Message {
  const language = message.language ?? message.facts.language;
  const sender = short(message.senderName);
  const [written, url] =
    message.kind === 'portal_sign_in'
      ? [signInMessages[languageOf(language)](sender), message.facts.signInUrl]
      : [trialLinkMessages[languageOf(language)](sender), message.facts.startUrl];
  const { subject, paragraphs, action } = written;
  return finish({ ...message, language }, publicUrl, { sender, subject, paragraphs, rows: [], action, url });
}

/** A mailbox that has confirmed nothing yet is not greeted by a name that somebody else may have typed. */
function composeOfAddress(message: AddressEmail, publicUrl: string): Message {
  const { kind, facts } = message;
  const language = message.language ?? facts.language;
  const recipientName = kind === 'email_confirmation' ? null : message.recipientName;
  const sender = short(message.senderName);
  const text = addressMessages[languageOf(language)][kind]({ sender, email: facts.newEmail });
  const { subject, paragraphs, action } = text;
  const written = { sender, subject, paragraphs, rows: [], action, url: facts.confirmUrl };
  return finish({ ...message, language, recipientName }, publicUrl, written);
}

interface Written {
  sender: string;
  subject: string;
  paragraphs: string[];
  rows: Row[];
  /** Text of the button, and the page it opens. */
  action: string | undefined;
  url: string | null | undefined;
}

/** Adds the parts that every e-mail to a customer has around its own words. */
function finish(
  message: EmailToCustomer,
  publicUrl: string,
  { sender, subject, paragraphs, rows, action, url }: Written,
): Message {
  const messages = emailMessages[languageOf(message.language)];
  const content = {
    language: messages.language,
    sender,
    greeting: messages.greeting(addressable(message.recipientName)),
    paragraphs,
    rows,
    link: action !== undefined && url ? { text: action, url } : undefined,
    account: accountOf(message, publicUrl, messages),
    closing: messages.closing(sender),
    brandColor: message.brandColor,
    logo: logoOf(message, publicUrl),
  };
  return {
    id: message.id,
    to: { name: addressable(message.recipientName) ?? '', address: message.email! },
    ...(message.replyTo !== null && { replyTo: { name: sender, address: message.replyTo } }),
    subject: labelled(sender, subject, messages.language),
    text: asText(content),
    html: asHtml(content),
  };
}

/** Link to the page where the customer finds everything else; absent beside a link that is for them alone. */
function accountOf(
  { portalProjectId, kind }: EmailToCustomer,
  publicUrl: string,
  { account }: Messages,
): Content['account'] {
  if (!portalProjectId || isLinkForOne(kind)) return undefined;
  return { text: account, url: `${publicUrl}/portal/sign-in/${portalProjectId}` };
}

function refundRows({ labels, language }: RefundMessages, facts: RefundFacts): Row[] {
  const { address, sentAt, creditNoteNumber, txSignature } = facts;
  const rows: (Row | false)[] = [
    [labels.refund, facts.number],
    [labels.amount, formatUsd(facts.amountCents, language)],
    address !== null && [labels.address, address],
    sentAt !== null && [labels.sentAt, formatMoment(sentAt, language)],
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
    sender,
    greeting: emailMessages.en.greeting(addressable(recipientName)),
    paragraphs,
    rows,
    link: undefined,
    account: undefined,
    closing: closing ?? 'See the audit log in your dashboard for details.',
    brandColor: null,
    logo: undefined,
  };
  return {
    id,
    to: { name: addressable(recipientName) ?? '', address: email! },
    subject: `${sender}: ${subject}`,
    text: asText(content),
    html: asHtml(content),
  };
}

/** The merchant's memo, each line a paragraph. */
function memoOf({ memo }: Facts): string[] {
  return (memo ?? '')
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
}

function formatFacts({ facts, senderName }: CustomerEmail, language: Language): FormattedFacts {
  return {
    sender: short(senderName),
    number: facts.number,
    due: formatUsd(facts.dueCents, language),
    dueAt: facts.dueAt && formatMoment(facts.dueAt, language),
    endsAt: facts.endsAt && formatMoment(facts.endsAt, language),
    isOverdue: facts.isOverdue === true,
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

function rowsOf(messages: Messages, facts: Facts): Row[] {
  const { labels, language } = messages;
  const { discountCents = 0n, taxes = [], creditCents, totalCents, waivedCents = 0n } = facts;
  const { dueCents, dueAt, paidAt, txSignature } = facts;
  const usd = (cents: Cents) => formatUsd(cents, language);
  const moment = (date: Date) => formatMoment(date, language);
  const rows: (Row | false)[] = [
    [labels.invoice, facts.number],
    ...facts.items.map((item): Row => [oneLine(item.description), usd(item.amountCents)]),
    discountCents > 0n && [labels.discount, usd(-discountCents)],
    ...taxes
      .filter(({ isContained }) => !isContained)
      .map((tax): Row => [nameOf(tax, messages), usd(tax.taxCents)]),
    creditCents > 0n && [labels.credit, usd(-creditCents)],
    [labels.total, usd(totalCents)],
    ...taxes
      .filter(({ isContained }) => isContained)
      .map((tax): Row => [`${labels.included} ${nameOf(tax, messages)}`, usd(tax.taxCents)]),
    waivedCents > 0n && [labels.waived, usd(-waivedCents)],
    dueCents > 0n && dueCents < totalCents && [labels.stillDue, usd(dueCents)],
    paidAt ? [labels.paidAt, moment(paidAt)] : dueAt !== null && [labels.dueAt, moment(dueAt)],
    paidAt !== null && txSignature !== null && [labels.transaction, txSignature],
  ];
  return rows.filter((row) => row !== false);
}

function nameOf(tax: NonNullable<Facts['taxes']>[number], { labels, language }: Messages): string {
  const { text, percent, isReverseCharge } = tax;
  if (isReverseCharge) return labels.reverseCharge;
  return oneLine(percent ? `${formatPercent(percent, language)} ${text}` : text);
}

/** Only from a public https URL: mail programs refuse anything else. */
function logoOf({ logoFile, senderName }: EmailToCustomer, publicUrl: string): Content['logo'] {
  if (logoFile === null || !publicUrl.startsWith('https:')) return undefined;
  return { url: `${publicUrl}/brand/logos/${logoFile}`, name: short(senderName) };
}
