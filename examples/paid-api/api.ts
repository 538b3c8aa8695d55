import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import { paymentMiddleware } from '@x402/hono';
import { ExactSvmScheme } from '@x402/svm/exact/server';
import { Hono } from 'hono';
import { FLORIN_KEY, FLORIN_URL } from './florin.ts';
import type { Seller } from './set-up.ts';

const headers = { Authorization: `Bearer ${FLORIN_KEY}` };

/** Florin checks the payments and sends them; the library is used as its authors wrote it. */
const facilitator = new HTTPFacilitatorClient({
  url: `${FLORIN_URL}/x402`,
  createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
});

/** An API with one call that costs two cents. */
export function createApi({ projectId, payTo, network }: Seller): Hono {
  const server = new x402ResourceServer(facilitator).register(network, new ExactSvmScheme());
  const accepts = { scheme: 'exact', price: '$0.02', network, payTo, extra: { projectId } };
  const paid = { 'GET /v1/weather': { accepts, description: 'The weather of today' } };
  return new Hono()
    .use(paymentMiddleware(paid, server))
    .get('/v1/weather', (context) => context.json({ city: 'Bern', weather: 'sunny', celsius: 21 }))
    .get('/', (context) => context.text('GET /v1/weather costs $0.02, paid by x402.\n'));
}
