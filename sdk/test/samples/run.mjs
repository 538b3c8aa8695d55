import { Florin, FlorinError, webhooks } from '@florin/sdk';

/** Run by each Node there is: prints what it saw as one line of JSON. */
const [baseUrl, apiKey] = process.argv.slice(2);
const florin = new Florin({ baseUrl, apiKey });
const intent = await florin.intents.create({
  amountCents: 9223372036854775807n,
  orderId: crypto.randomUUID(),
});
const listed = await florin.intents.list({ orderId: intent.orderId }).toArray({ limit: 2 });
const refused = await florin.intents.create({ amountCents: 0, orderId: 'x' }).catch((error) => error);
const payload = '{"event":"invoice.paid","data":{"n":9223372036854775807}}';
const signature = await webhooks.generateTestHeader({ payload, secret: 'whsec_test' });
const event = await webhooks.constructEvent(payload, signature, 'whsec_test');
console.log(
  JSON.stringify({
    amount: String(intent.expectedAmountCents),
    found: listed.length === 1 && listed[0].id === intent.id,
    refused: refused instanceof FlorinError && refused.code,
    event: `${event.event} ${event.data.n}`,
  }),
);
