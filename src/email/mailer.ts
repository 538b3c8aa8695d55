import { TIMEOUT_MS } from './email.ts';
import type { Mailbox, MailTls, SmtpServer } from './mail-settings.ts';
import { oneLine } from './one-line.ts';

export interface Message {
  /** The e-mail's: a second copy of it can be recognized. */
  id: string;
  to: { name: string; address: string };
  replyTo?: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  attachments?: Attachment[];
}

export interface Attachment {
  filename: string;
  content: Buffer;
  contentType: string;
}

export interface Mailer {
  /** Settles when the server has taken the message; throws a SendFailure, within its time. */
  send(message: Message): Promise<void>;
}

/** Why a message was not taken, in the server's words, without anything secret. */
export class SendFailure extends Error {
  /** Short and without anyone's data: safe for a log. */
  readonly code: string;

  constructor(reason: string, code: string) {
    super(reason);
    this.code = code;
  }
}

export interface MailerOptions {
  tls?: MailTls;
  timeoutMs?: number;
}

export function createMailer(server: SmtpServer, from: Mailbox, options: MailerOptions = {}): Mailer {
  const { timeoutMs = TIMEOUT_MS } = options;
  const transport = openTransport(server, options);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send({ id, to, replyTo, subject, text, html, attachments = [] }) {
      const sending = (await transport).sendMail({
        envelope: { from: from.address, to: [to.address] },
        messageId: `<${id}@${domain}>`,
        from,
        to: { name: oneLine(to.name), address: to.address },
        ...(replyTo && { replyTo: { name: oneLine(replyTo.name), address: replyTo.address } }),
        subject: oneLine(subject),
        text,
        html,
        attachments,
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      await withDeadline(sending, timeoutMs).catch((error: unknown) => {
        throw failureOf(error, server);
      });
    },
  };
}

/** Connects, says hello and signs in as `send` would, and sends nothing; throws a SendFailure, within its time. */
export async function checkMailServer(server: SmtpServer, options: MailerOptions = {}): Promise<void> {
  const transport = await openTransport(server, options);
  await withDeadline(transport.verify(), options.timeoutMs ?? TIMEOUT_MS).catch((error: unknown) => {
    throw failureOf(error, server);
  });
}

async function openTransport(server: SmtpServer, { tls, timeoutMs = TIMEOUT_MS }: MailerOptions) {
  const isHere = ['localhost', '127.0.0.1', '::1'].includes(server.host);
  const hasPassword = server.user !== undefined;
  // Loaded only where e-mails are sent.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: server.host,
    port: server.port,
    secure: server.secure,
    // A password leaves this machine encrypted or not at all.
    requireTLS: tls?.required || (hasPassword && !isHere),
    ignoreTLS: isHere && !tls?.required,
    ...(tls?.ca && { tls: { ca: tls.ca } }),
    ...(hasPassword && { auth: { user: server.user, pass: server.password ?? '' } }),
    dnsTimeout: timeoutMs / 2,
    connectionTimeout: timeoutMs / 2,
    greetingTimeout: timeoutMs / 2,
    socketTimeout: timeoutMs / 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Also ends a connection to a server that answers one byte at a time. */
async function withDeadline(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no end after ${timeoutMs / 1000} s`)), timeoutMs);
  // The loser of the race may still fail, with no one listening.
  work.catch(() => {});
  await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}

const MAX_REASON = 400;

function failureOf(error: unknown, { user, password }: SmtpServer): SendFailure {
  const { message, response, responseCode, code, command } = error as Error & {
    command?: string;
    response?: string;
    responseCode?: number;
    code?: string;
  };
  const said = response ?? message;
  // A server that does not know the command says so without naming it.
  const words = command === 'STARTTLS' ? `no STARTTLS: ${said}` : said;
  // The longest first: what is left of one must not be what is looked for next.
  const secrets = password ? [`\0${user}\0${password}`, password] : [];
  const clean = secrets
    .flatMap((secret) => [Buffer.from(secret).toString('base64'), secret])
    .reduce((text, secret) => text.replaceAll(secret, '[redacted]'), words);
  return new SendFailure(oneLine(clean).slice(0, MAX_REASON), String(responseCode ?? code ?? 'ETIMEDOUT'));
}
