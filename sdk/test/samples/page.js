import { Florin, webhooks } from '@florin/sdk';

/** Bundled for a browser, and called by the test in one: a page that is known by its cookie. */
globalThis.visit = async (token) => {
  let csrfToken = '';
  const florin = new Florin({
    baseUrl: '',
    credentials: 'same-origin',
    headers: ({ method }) => (method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
  });
  ({ csrfToken } = await florin.portal.enter({ token }));
  await florin.portal.updateCustomer({ name: 'Ada' });
  const { customer } = await florin.portal.retrieveVisit();
  const refused = await florin.merchant.retrieve().catch((error) => error);
  const payload = '{"event":"invoice.paid"}';
  const signature = await webhooks.generateTestHeader({ payload, secret: 'whsec_test' });
  const event = await webhooks.constructEvent(payload, signature, 'whsec_test');
  return {
    name: customer.name,
    credits: String(customer.creditBalance),
    code: refused.code,
    event: event.event,
  };
};
