import { beforeAll, describe, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { type Assistant, CLIENTS, use } from './mcp-clients.ts';

let chain: TestChain;

beforeAll(async () => {
  chain = await testChain();
});

const TOOLS = [
  'search',
  'needs_attention',
  'explain_payment',
  'create_payment_link',
  'create_checkout',
  'docs_search',
  'list_operations',
  'describe_operation',
  'read',
  'write',
  'pay_test',
  'advance_clock',
];

describe.each(Object.keys(CLIENTS))('%s', (name) => {
  let assistant: Assistant;

  beforeAll(async () => {
    assistant = await CLIENTS[name]!(chain.service.url, chain.shop.key);
  });

  test('lists the tools with honest annotations, and says how to use them', async () => {
    const { tools } = await assistant.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(TOOLS);
    expect(
      tools
        .filter(({ annotations }) => (annotations as { readOnlyHint: boolean }).readOnlyHint)
        .map((tool) => tool.name),
    ).toEqual(TOOLS.filter((tool) => !/^(create_|write|pay_|advance_)/.test(tool)));
    expect(assistant.getInstructions()).toContain('Never invent a new purpose for a retry');
  });

  test('runs a little shop: project, product, price, link, checkout, payment, refusals', async () => {
    const write = (operation: string, body: object, purpose = `${operation} of ${name}`) =>
      use(assistant, 'write', { operation, body, purpose });
    const project = await write('createProject', { name: `Bakery ${name}` });
    const product = await write('createProduct', { projectId: project.id, name: 'Bread' });
    const price = await write('createPrice', {
      projectId: project.id,
      productId: product.id,
      billingMode: 'one_time',
      unitAmountCents: 450,
    });
    const link = await use(assistant, 'create_payment_link', {
      projectId: project.id,
      priceId: price.id,
      purpose: `link for bread of ${name}`,
    });
    expect(link.url).toContain('/pay/');
    const checkout = await use(assistant, 'create_checkout', {
      projectId: project.id,
      priceId: price.id,
      purpose: `bread for Ada of ${name}`,
      customerName: 'Ada',
    });
    expect(checkout).toMatchObject({ amountCents: 450, status: 'open', customerName: 'Ada' });

    const before = await use(assistant, 'explain_payment', { payment: checkout.id });
    expect(before.whatToDo[0]).toContain(
      `Nothing has arrived yet. The customer can pay at ${checkout.checkoutUrl}`,
    );
    await use(assistant, 'pay_test', { target: checkout.checkoutUrl, purpose: `Ada of ${name} pays` });
    await chain.finalize();
    const after = await use(assistant, 'explain_payment', { payment: checkout.paymentIntentId });
    expect(after).toMatchObject({
      whatToDo: ['It is paid and final. Deliver what was bought.'],
      payment: { status: 'succeeded', amountReceivedCents: 450 },
      invoice: { status: 'paid' },
      transactions: [{ amountCents: 450, isFinal: true }],
    });
    const found = await use(assistant, 'search', { q: after.transactions[0].txSignature });
    expect(found.data.map((hit: { type: string }) => hit.type)).toContain('payment_intent');
    const again = { target: checkout.id, purpose: `Ada of ${name} pays once more` };
    await expect(use(assistant, 'pay_test', again)).rejects.toThrow('Nothing is due');
  });

  test('is recorded as an assistant by the name it gave', async () => {
    const { data } = await use(assistant, 'read', {
      operation: 'listAuditEntries',
      query: { action: 'project.created', limit: 1 },
    });
    expect(data[0].detail).toMatchObject({ via: 'mcp', client: 'Interop Desktop 9.1' });
    expect(data[0].actor).toMatch(/^key:[0-9a-f-]{36}$/);
  });
});
