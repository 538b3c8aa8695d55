import { FlorinSignatureError, setting, type WebhookEvent, webhooks } from '../../../../lib/florin.ts';
import { markPaid } from '../../../../lib/orders.ts';

/** Believes what is signed, and answers soon: what takes time belongs into a queue. */
export async function POST(request: Request): Promise<Response> {
  const signature = request.headers.get('x-service-signature');
  try {
    // The text as it came: after request.json() the bytes that were signed are gone.
    const event = await webhooks.constructEvent(
      await request.text(),
      signature,
      setting('FLORIN_WEBHOOK_SECRET'),
    );
    await handle(event);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof FlorinSignatureError)) throw error;
    return Response.json({ error: error.reason }, { status: 400 });
  }
}

/** An order is paid once, so an event that comes twice delivers once. */
async function handle(event: WebhookEvent): Promise<void> {
  if (event.event !== 'checkout.session.completed') return;
  const orderId = event.data.merchantReference;
  if (orderId !== null && (await markPaid(orderId))) console.log(`Deliver ${orderId}`);
}
