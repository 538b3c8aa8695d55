import { setTimeout as sleep } from 'node:timers/promises';
import type { ToPay } from '../payer.ts';
import type { Client } from './client.ts';
import { PATHS } from './mix.ts';
import type { Times } from './open-loop.ts';

export interface Checkout {
  id: string;
  checkoutUrl: string;
  paymentIntentId: string;
}

export interface Visit {
  client: Client;
  times: Times;
  /** Resolves when the payment is final, with that moment. */
  pay(intent: ToPay): Promise<number>;
}

/** Time for which a customer looks at the page before they pay, or leave without paying. */
const PAY_AFTER_MS = 1_500;
const LEAVE_AFTER_MS = 20_000;
const TOLD_WITHIN_MS = 60_000;
/** Only the page of a paid checkout offers its receipt. */
const PAID = 'receipt.pdf';

/** A customer opens the page of a checkout, which stays open and follows what happens, and pays or leaves. */
export async function visitCheckout(visit: Visit, session: Checkout, isPaid: boolean): Promise<void> {
  const { client, times } = visit;
  const path = new URL(session.checkoutUrl).pathname;
  let page = '';
  const open = async () => {
    page = await times.take(PATHS.openPage, performance.now(), () =>
      client.ask({ path, accept: 'text/html' }),
    );
  };
  await open();
  const paid = Promise.withResolvers<number>();
  // Nobody waits for it where nobody pays.
  paid.promise.catch(() => {});
  // The page's script does the same: it loads again when another version is announced.
  const told = async (version: string) => {
    const toldMs = performance.now();
    if (page.includes(`data-version="${version}"`)) return;
    await open();
    if (page.includes(PAID)) paid.resolve(toldMs);
  };
  const stream = client.follow(
    `${path}/live`,
    (version) => void told(version).catch(paid.reject),
    paid.reject,
  );
  try {
    await (isPaid
      ? payAndWatch(visit, session, paid.promise)
      : Promise.race([sleep(LEAVE_AFTER_MS), paid.promise]));
  } finally {
    stream.close();
  }
}

async function payAndWatch(
  { client, times, pay }: Visit,
  { paymentIntentId }: Checkout,
  paid: Promise<number>,
): Promise<void> {
  await sleep(PAY_AFTER_MS);
  const text = await times.take(PATHS.readPublic, performance.now(), () =>
    client.ask({ path: `/api/public/intents/${paymentIntentId}` }),
  );
  const { referenceAddress, destinationAddress, expectedAmountCents } = JSON.parse(text);
  const finalMs = await pay({
    id: paymentIntentId,
    reference: referenceAddress,
    destination: destinationAddress,
    cents: Number(expectedAmountCents),
  });
  const late = sleep(TOLD_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw new Error(`an open page was not told of a payment that had been final for ${TOLD_WITHIN_MS} ms`);
  });
  // The service may hear of finality before we do.
  times.note(PATHS.told, Math.max(0, (await Promise.race([paid, late])) - finalMs));
}
