import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpServer } from '../../src/email/mail-settings.ts';
import { cleanUp } from './clean-up.ts';

export interface ReceivedMail {
  /** The envelope's recipient. */
  to: string[];
  from: string;
  raw: string;
  /** Lower-case names, encoded words read. */
  headers: Map<string, string>;
  text: string;
  html: string;
  /** Attachments by their names. */
  attachments: Map<string, Buffer>;
}

export interface MailServer {
  url: string;
  settings: SmtpServer;
  received: ReceivedMail[];
  /** Says no to a message with this code, as often as told. */
  refuse(code: number, times?: number): void;
}

/** A real SMTP server that keeps what it is given. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusals: number[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = refusals.shift();
        if (code) return done(Object.assign(new Error('not now'), { responseCode: code }));
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString('latin1');
        const from = mailFrom ? mailFrom.address : '';
        received.push({ to: rcptTo.map(({ address }) => address), from, raw, ...readMail(raw) });
        done();
      });
    },
    ...options,
  });
  // A client that hangs up is part of the tests.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  cleanUp(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    url: `smtp://127.0.0.1:${port}`,
    settings: { host: '127.0.0.1', port, secure: false, user: undefined, password: undefined },
    received,
    refuse(code, times = 1) {
      refusals = Array<number>(times).fill(code);
    },
  };
}

/** Reads a multipart message, as far as ours go: texts, and files beside them. */
function readMail(raw: string) {
  const { headers } = readPart(raw);
  const parts = leavesOf(raw);
  const find = (type: string) => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type));
    return part ? decode(part.body, part.headers.get('content-transfer-encoding')) : '';
  };
  const attachments = new Map(
    parts.flatMap((part) => {
      const name = /^attachment; filename="?([^"]+)"?/.exec(
        part.headers.get('content-disposition') ?? '',
      )?.[1];
      return name === undefined ? [] : [[name, Buffer.from(part.body, 'base64')] as const];
    }),
  );
  return { headers, text: find('text/plain'), html: find('text/html'), attachments };
}

function leavesOf(raw: string): ReturnType<typeof readPart>[] {
  const part = readPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(part.headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return [part];
  return part.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((inner) => leavesOf(inner.trimStart()));
}

function readPart(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = line.slice(0, at).toLowerCase();
    if (headers.has(name)) throw new Error(`two headers of the name ${name}`);
    headers.set(name, readWords(line.slice(at + 1).trim()));
  }
  return { headers, body: raw.slice(end + 4) };
}

function readWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : quoted(text.replaceAll('_', ' ')).toString(),
    );
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding === 'quoted-printable')
    return quoted(body.replaceAll('=\r\n', '')).toString().replaceAll('\r\n', '\n');
  return body.replaceAll('\r\n', '\n');
}

function quoted(text: string): Buffer {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1');
}
