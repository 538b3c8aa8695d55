import { expect, test } from 'vitest';
import { eventNames, expectSound, moveTo, newCustomer, newProject, readInvoice } from '../support/billing.ts';
import { testChain } from '../support/chain.ts';

test('on the sandbox’s clock an unpaid invoice becomes overdue: the chain is read for it, also where nothing else happens', async () => {
  const t = await testChain();
  const projectId = (await newProject(t.shop)).id;
  const customerId = (await newCustomer(t.shop, projectId)).id;
  const draft = { projectId, customerId, lineItems: [{ name: 'Work', unitAmountCents: 100 }], netDays: 5 };
  const { id } = (await t.shop.call('POST', '/api/v2/invoices', draft)).body;
  const { body } = await t.shop.call('POST', `/api/v2/invoices/${id}/open`);
  await moveTo(t, new Date(new Date(body.dueAt).getTime() + 20 * 86_400_000));
  expect(await readInvoice(t.shop, id)).toMatchObject({ status: 'open', isOverdue: true });
  const events = (await eventNames(t.service, t.shop.id)).filter((name) => name.startsWith('invoice.'));
  expect(events).toEqual(['invoice.created', 'invoice.upcoming', 'invoice.overdue']);
  await expectSound(t.service);
});
