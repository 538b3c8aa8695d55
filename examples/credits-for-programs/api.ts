import { createHash, randomUUID } from 'node:crypto';
import express, { type Express, type Next, type Request, type Response } from 'express';
import { customerOf, takeCredit } from './credits.ts';
import type { Customer } from './florin.ts';
import type { Shop } from './set-up.ts';

/** An API for programs that have no account: the token from their receipt is all that they need. */
export function createApi(shop: Shop): Express {
  const api = express();
  api.disable('x-powered-by');

  const payHere = (response: Response, error: string) =>
    response.status(402).json({ error, buyCreditsAt: shop.paywallUrl });

  api.use('/v1', async (request, response, next) => {
    const token = /^Bearer (\S+)$/i.exec(request.header('authorization') ?? '')?.[1];
    if (token === undefined) return payHere(response, 'Buy credits, and send their token as Bearer.');
    const customer = await customerOf(token);
    if (!customer) return response.status(401).json({ error: 'This token is not valid.' });
    response.locals.customer = customer;
    return next();
  });

  api.get('/v1/credits', (_request, response) => {
    response.json({ credits: customerIn(response).creditBalance });
  });

  api.post('/v1/rolls', async (request, response) => {
    const key = usageKey(customerIn(response), request.header('idempotency-key'));
    // Taken before the work is done, so that nobody gets what they cannot pay for.
    if (!(await takeCredit(shop, customerIn(response), key)))
      return payHere(response, 'Your credits are used up.');
    return response.json({ dice: rollFor(key) });
  });

  api.use(sayWhatFailed);
  return api;
}

const customerIn = (response: Response) => response.locals.customer as Customer;

/** Names one call permanently: a program that repeats a call with its key pays once. */
function usageKey(customer: Customer, callerKey: string = randomUUID()): string {
  return createHash('sha256')
    .update(JSON.stringify([customer.id, callerKey]))
    .digest('hex');
}

/** The same call again gets the same roll. */
function rollFor(key: string): number {
  return 1 + (createHash('sha256').update(`roll ${key}`).digest()[0]! % 6);
}

/** Express knows this handler by its four parameters. */
function sayWhatFailed(error: unknown, _request: Request, response: Response, _next: Next): void {
  console.error(error);
  response.status(502).json({ error: 'That did not work. Repeat it with the same Idempotency-Key.' });
}
