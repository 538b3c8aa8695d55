import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { startMailServer } from '../support/mail.ts';
import { startProcess } from '../support/process.ts';
import { selfSigned } from '../support/self-signed.ts';
import { call } from '../support/service.ts';
import { eventually } from '../support/webhooks.ts';

test('a started service e-mails the receipt of a payment automatically, over TLS', async () => {
  const server = await startMailServer({ ...selfSigned, secure: true });
  const folder = await newDataFolder();
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, selfSigned.cert);
  const service = await startProcess({
    FLORIN_DATA: join(folder, 'data'),
    SMTP_URL: server.url.replace('smtp:', 'smtps:'),
    SMTP_CA_FILE: authority,
    MAIL_FROM: 'Billing <billing@florin.example>',
  });
  cleanUp(async () => void (await service.end('SIGTERM')));
  const ask = (path: string, body: object) =>
    call(service.url + path, 'POST', body, { authorization: `Bearer ${service.apiKey}` });
  const project = await ask('/api/v2/projects', { name: 'E-mails' });
  const session = await ask('/api/v2/checkout-sessions', {
    ...{ projectId: project.body.id, mode: 'one_time', amountCents: 1234 },
    ...{ customerEmail: 'ann@example.com', customerName: 'Ann' },
  });
  expect(session.status).toBe(201);
  const { paymentIntentId } = session.body;
  expect((await ask('/api/v2/sandbox/payments', { paymentIntentId })).status).toBe(202);
  const mail = await eventually(async () => server.received[0]);
  expect([mail.to, mail.from]).toEqual([['ann@example.com'], 'billing@florin.example']);
  expect(mail.headers.get('subject')).toMatch(/receipt for INV-000001$/);
  expect(mail.text).toContain('$12.34');
  expect(server.received).toHaveLength(1);
});
