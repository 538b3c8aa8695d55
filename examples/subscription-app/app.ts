import { randomUUID } from 'node:crypto';
import express, { type Express, type Handler, type Next, type Request, type Response } from 'express';
import { type Access, accessOf, applyEvent } from './access.ts';
import {
  FlorinBadRequestError,
  FlorinConflictError,
  FlorinError,
  FlorinSignatureError,
  florin,
  webhookSecret,
  webhooks,
} from './florin.ts';
import { accountPage, messagePage, notesPage, previewPage, pricingPage, waitingPage } from './pages.ts';
import type { Plan } from './set-up.ts';
import { signIn, teamOf } from './sign-in.ts';

/** Notes for teams, by the seat: pricing, checkout, access by webhook, more or fewer seats, and the portal. */
export function createApp(plan: Plan, appUrl: string): Express {
  const app = express();
  app.disable('x-powered-by');

  // Raw, and before any other parser: the signature is over the bytes that were sent.
  app.post('/webhooks/florin', express.raw({ type: '*/*', limit: '1mb' }), async (request, response) => {
    try {
      const signature = request.header('x-service-signature');
      const event = await webhooks.constructEvent(request.body as Buffer, signature, webhookSecret);
      applyEvent(plan.projectId, event);
      response.sendStatus(204);
    } catch (error) {
      if (!(error instanceof FlorinSignatureError)) throw error;
      console.error(`Refused a webhook: ${error.message}`);
      response.status(400).json({ error: error.reason });
    }
  });

  app.use(express.urlencoded({ extended: false }));
  app.use(keepSafe);

  app.get('/', (request, response) => response.send(pricingPage(plan, teamOf(request), randomUUID())));

  app.post('/sign-in', (request, response) => {
    if (!signIn(response, fieldsOf(request).team)) return tell(response, 400, 'Use a-z, 0-9 and dashes.');
    return response.redirect(303, '/');
  });

  app.post('/subscribe', subscribe(plan, appUrl));

  // The paid part. Florin's events decide about access, and nothing that a browser says.
  app.get('/notes', (request, response) => {
    const access = accessOf(teamOf(request) ?? '');
    if (!access?.hasAccess) return tell(response, 402, 'Your team has no plan.');
    return response.send(notesPage(access));
  });

  // Beyond access, the page shows what Florin knows now: a renewal to pay, seats that wait for a payment.
  app.get('/account', async (request, response) => {
    const access = accessOf(teamOf(request) ?? '');
    if (!access) return response.send(waitingPage());
    return response.send(accountPage(access, await florin.subscriptions.retrieve(access.subscriptionId)));
  });

  app.post('/seats/preview', forTeams, previewSeats);
  app.post('/seats', forTeams, changeSeats);

  app.post('/portal', forTeams, async (_request, response) => {
    const { customerId } = response.locals.access as Access;
    const { projectId } = plan;
    const link = await florin.portalSessions.create({
      projectId,
      customerId,
      returnUrl: `${appUrl}/account`,
    });
    response.redirect(303, link.url);
  });

  app.use((_request: Request, response: Response) =>
    tell(response, 404, 'There is nothing at this address.'),
  );
  app.use(sayWhatFailed);
  return app;
}

/** To a checkout, or back to the plan where there is one. */
function subscribe(plan: Plan, appUrl: string): Handler {
  return async (request, response) => {
    const team = teamOf(request);
    const { attempt, seats, code } = fieldsOf(request);
    if (team === undefined) return response.redirect(303, '/');
    if (!isUuid(attempt) || !isSeats(seats)) return tell(response, 400, 'Choose 1 to 500 seats.');
    if (accessOf(team)?.hasAccess) return response.redirect(303, '/account');
    try {
      const session = await florin.checkoutSessions.create(
        {
          projectId: plan.projectId,
          mode: 'subscription',
          lineItems: [{ priceId: plan.priceId, quantity: Number(seats) }],
          externalCustomerId: team,
          customerEmail: `${team}@example.com`,
          // A code that is not entered here can be entered on the page, if there is something to pay.
          ...(code ? { promotionCode: code } : { allowPromotionCodes: true }),
          successUrl: `${appUrl}/account`,
          cancelUrl: appUrl,
        },
        // The form's own number: however often its button is pressed, there is one checkout.
        { idempotencyKey: attempt },
      );
      return response.redirect(303, session.checkoutUrl);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const isCode = code && error instanceof FlorinBadRequestError;
      return tell(response, 400, isCode ? 'This promotion code cannot be used.' : error.message);
    }
  };
}

/** Shows the price of another number of seats before anything is decided. */
async function previewSeats(request: Request, response: Response): Promise<unknown> {
  const { seats } = fieldsOf(request);
  const access = response.locals.access as Access;
  if (!isSeats(seats) || Number(seats) === access.seats) {
    return tell(response, 400, 'Choose another number of seats, 1 to 500.');
  }
  try {
    const change = { quantity: Number(seats) };
    const preview = await florin.subscriptions.previewChange(access.subscriptionId, change);
    return response.send(previewPage(preview));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return tell(response, 409, `Seats cannot be changed now. ${error.message}`);
  }
}

async function changeSeats(request: Request, response: Response): Promise<unknown> {
  const { seats, token } = fieldsOf(request);
  const { subscriptionId } = response.locals.access as Access;
  if (!isSeats(seats) || !token) return tell(response, 400, 'Choose 1 to 500 seats.');
  try {
    // With the token it costs what the preview said, or nothing happens.
    const change = { quantity: Number(seats), previewToken: token };
    const { pendingChange } = await florin.subscriptions.update(subscriptionId, change);
    return response.redirect(303, pendingChange?.checkoutUrl ?? '/account');
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return tell(response, 409, `Nothing was changed. ${error.message}`);
  }
}

/** Only for signed-in teams that have, or had, a plan. */
function forTeams(request: Request, response: Response, next: Next): void {
  const access = accessOf(teamOf(request) ?? '');
  response.locals.access = access;
  if (access) next();
  else tell(response, 402, 'Your team has no plan.');
}

/** Texts only: a name that is sent twice is a list, and not a field. */
function fieldsOf(request: Request): Partial<Record<string, string>> {
  const fields = Object.entries((request.body ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

const isUuid = (text = '') => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
const isSeats = (text = '') => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= 500;

/** Florin understood, and says in a sentence why not: a code that is used up, a preview that is out of date. */
const isRefusal = (error: unknown): error is FlorinBadRequestError | FlorinConflictError =>
  error instanceof FlorinBadRequestError || error instanceof FlorinConflictError;

function keepSafe(_request: Request, response: Response, next: Next): void {
  response.set('Cache-Control', 'no-store');
  response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  response.set('Referrer-Policy', 'same-origin');
  next();
}

const tell = (response: Response, status: number, text: string): Response =>
  response.status(status).send(messagePage(text));

/** Express knows this handler by its four parameters. */
function sayWhatFailed(error: unknown, _request: Request, response: Response, _next: Next): void {
  const { status } = error as { status?: number };
  // A body that the parser refuses is the sender's mistake; everything else, Florin's answers included, is ours to look at.
  if (!(error instanceof FlorinError) && (status === 400 || status === 413)) {
    tell(response, status, 'That could not be read.');
    return;
  }
  console.error(error);
  tell(response, 502, 'That did not work, and nothing was changed. Please try again.');
}
