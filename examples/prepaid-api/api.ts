import { createHash, randomUUID } from 'node:crypto';
import express, { type Express, type Next, type Request, type Response } from 'express';
import { balanceOf, takeCredits, topUpUrl } from './credits.ts';
import { FlorinError, FlorinSignatureError, webhookSecret, webhooks } from './florin.ts';
import { noteBalance, noticeFor } from './notices.ts';
import type { Account, Plan } from './set-up.ts';

/** An API that counts words for a credit a call: `402` with a way to pay when there are none left. */
export function createApi(plan: Plan): Express {
  const api = express();
  api.disable('x-powered-by');

  // Raw, and before any other parser: the signature is over the bytes that were sent.
  api.post('/webhooks/florin', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
    try {
      const signature = request.header('x-service-signature');
      const event = await webhooks.constructEvent(request.body as Buffer, signature, webhookSecret);
      noteBalance(plan, event);
      response.sendStatus(204);
    } catch (error) {
      if (!(error instanceof FlorinSignatureError)) throw error;
      console.error(`Refused a webhook: ${error.message}`);
      response.status(400).json({ error: error.reason });
    }
  });

  api.use('/v1', (request, response, next) => {
    const account = plan.accounts.find(
      ({ apiKey }) => request.header('authorization') === `Bearer ${apiKey}`,
    );
    if (!account) return response.status(401).json({ error: 'Send "Authorization: Bearer <your key>".' });
    response.locals.account = account;
    return next();
  });
  api.use(express.json());

  api.get('/v1/balance', async (_request, response) => {
    const account = accountOf(response);
    response.json({ credits: await balanceOf(account), notice: noticeFor(account.customerId) });
  });

  api.post('/v1/top-ups', async (_request, response) => {
    response.status(201).json({ topUpUrl: await topUpUrl(plan, accountOf(response)) });
  });

  api.post('/v1/words', async (request, response) => {
    const account = accountOf(response);
    const { text } = (request.body ?? {}) as { text?: unknown };
    if (typeof text !== 'string') return response.status(400).json({ error: 'text must be a string.' });
    // Taken before the work is done, so that nobody gets what they cannot pay for.
    if (await takeCredits(plan, account, usageKey(account, text, request.header('idempotency-key')))) {
      return response.json({ words: text.match(/\S+/g)?.length ?? 0 });
    }
    return response.status(402).json({
      error: 'Your credits are used up.',
      topUpUrl: await topUpUrl(plan, account),
    });
  });

  api.use(sayWhatFailed);
  return api;
}

const accountOf = (response: Response) => response.locals.account as Account;

/**
 * Names one call permanently. A caller who repeats a call with its key pays once; with the text in it, one old key does not
 * pay for new work; and with the account in it, nobody meets another one's keys.
 */
function usageKey(account: Account, text: string, callerKey: string = randomUUID()): string {
  const call = JSON.stringify([account.customerId, callerKey, text]);
  return createHash('sha256').update(call).digest('hex');
}

/** Express knows this handler by its four parameters. */
function sayWhatFailed(error: unknown, _request: Request, response: Response, _next: Next): void {
  const { status } = error as { status?: number };
  // A body that the parser refuses is the caller's mistake; everything else, Florin's answers included, is ours to look at.
  if (!(error instanceof FlorinError) && (status === 400 || status === 413)) {
    response.status(status).json({ error: 'The body must be JSON, and not too large.' });
    return;
  }
  console.error(error);
  response.status(502).json({ error: 'That did not work. Repeat it with the same Idempotency-Key.' });
}
