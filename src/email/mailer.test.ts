import { describe, expect, test } from 'vitest';
import { startMailServer } from '../../test/support/mail.ts';
import { selfSigned } from '../../test/support/self-signed.ts';
import type { MailTls, SmtpServer } from './mail-settings.ts';
import { createMailer } from './mailer.ts';

const FROM = { name: 'Billing', address: 'billing@florin.example' };
/** Leads to the same server, under a name that is neither in its certificate nor known to be this machine. */
const ELSEWHERE = '::ffff:127.0.0.1';
const OURS: MailTls = { required: false, ca: selfSigned.cert };

let count = 0;
/** The e-mails that reached any of the servers, and whether they came encrypted. */
const arrived: { isSecure: boolean; to: string }[] = [];
const noting = {
  ...selfSigned,
  onRcptTo(address: { address: string }, session: { secure: boolean }, done: () => void) {
    arrived.push({ isSecure: session.secure, to: address.address });
    done();
  },
};

const send = (server: SmtpServer, tls?: MailTls) =>
  createMailer(server, FROM, { timeoutMs: 10_000, ...(tls && { tls }) }).send({
    ...{ id: crypto.randomUUID(), to: { name: 'Ann', address: `ann-${++count}@example.com` } },
    ...{ subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' },
  });
const last = () => arrived.at(-1);
const sentTo = () => `ann-${count}@example.com`;

describe('TLS from the first byte', () => {
  test('a certificate of one’s own is taken where its authority is named, and refused elsewhere', async () => {
    const { settings } = await startMailServer({ ...noting, secure: true });
    const server = { ...settings, secure: true };
    await expect(send(server)).rejects.toThrow(/self-signed certificate/);
    expect(last()?.to).not.toBe(sentTo());
    await send(server, OURS);
    expect(last()).toEqual({ isSecure: true, to: sentTo() });
  });

  test('a certificate for another name is refused', async () => {
    const { settings } = await startMailServer({ ...noting, secure: true });
    await expect(send({ ...settings, host: ELSEWHERE, secure: true }, OURS)).rejects.toThrow(
      /does not match certificate/,
    );
    expect(last()?.to).not.toBe(sentTo());
  });
});

describe('STARTTLS', () => {
  const required: MailTls = { ...OURS, required: true };

  test('is used where the setting says so, with the same look at the certificate', async () => {
    const { settings } = await startMailServer({ ...noting, disabledCommands: [] });
    await send(settings, required);
    expect(last()).toEqual({ isSecure: true, to: sentTo() });
    await expect(send(settings, { ...required, ca: undefined })).rejects.toThrow(/self-signed certificate/);
    expect(last()?.to).not.toBe(sentTo());
  });

  test('a server without it gets nothing where it is required, and the e-mail elsewhere', async () => {
    const { settings, received } = await startMailServer({ ...noting, disabledCommands: ['STARTTLS'] });
    await expect(send(settings, required)).rejects.toThrow(/^no STARTTLS/);
    expect([last()?.to === sentTo(), received]).toEqual([false, []]);
    await send(settings, OURS);
    expect(last()).toEqual({ isSecure: false, to: sentTo() });
  });

  test('a password leaves this machine by it or not at all', async () => {
    const { settings, received } = await startMailServer({
      ...noting,
      ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
      onAuth: (_auth, _session, done) => done(null, { user: 'u' }),
    });
    const away = { ...settings, host: ELSEWHERE, user: 'u', password: 'p' };
    await expect(send(away)).rejects.toThrow(/^no STARTTLS/);
    expect(received).toEqual([]);
    await send({ ...away, host: '127.0.0.1' });
    expect(received).toHaveLength(1);
  });
});
