import { readFileSync } from 'node:fs';

/** The server that sends e-mails. It is never logged, because it includes the password. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, as smtps:// says. */
  secure: boolean;
  user: string | undefined;
  password: string | undefined;
}

/** How much a mail server is trusted on the way to it. */
export interface MailTls {
  /** No e-mail leaves unencrypted: without STARTTLS, or smtps://, none is sent. */
  required: boolean;
  /** Certificates in PEM that are believed instead of the public ones. */
  ca: string | undefined;
}

/** Sender of e-mails. */
export interface Mailbox {
  name: string;
  address: string;
}

/** Reads SMTP_URL; the reason it throws never repeats it. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  const isFit = url && ['smtp:', 'smtps:'].includes(url.protocol) && url.hostname !== '';
  if (!isFit || url.search || url.hash || !['', '/'].includes(url.pathname)) {
    throw new Error('must be smtp://user:password@host:port or smtps://…, and nothing after the port');
  }
  const secure = url.protocol === 'smtps:';
  return {
    host: decode(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    user: url.username === '' ? undefined : decode(url.username),
    password: url.username === '' ? undefined : decode(url.password),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % in it that is not followed by two hex digits; write it as %25');
  }
}

/** Reads MAIL_FROM: an address, alone or as `Name <address>`. */
export function parseMailbox(text: string): Mailbox {
  const match = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>]+)>|([^\s<>]+))$/u.exec(text.trim());
  const address = match?.[2] ?? match?.[3] ?? '';
  if (!/^[^\s@<>"(),;:\\[\]]+@[^\s@<>"(),;:\\[\]]+$/.test(address))
    throw new Error('must be an e-mail address, alone or as Name <address>');
  return { name: match?.[1]?.trim() ?? '', address };
}

/** Reads SMTP_CA_FILE: certificates that are believed instead of the public ones. */
export function readAuthority(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new Error('must name a file with a certificate in PEM');
  return text;
}
