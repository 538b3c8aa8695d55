import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Closing, listClosed } from '../../accounts/merchants/closing-queries.ts';
import type { Database } from '../../platform/db/database.ts';
import type { App } from '../../platform/http/route.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { merchantMoved, merchantMoving } from '../../platform/lib/errors.ts';
import { isUuid } from '../../platform/lib/ids.ts';
import { findClosedMerchant } from './caller-queries.ts';

/** Time within which a merchant that another process has closed is closed here; an export waits for it. */
export const FRESH_MS = 1_000;

type Done = (error?: Error) => void;

/**
 * Refuses changes of a merchant that is being moved, and sends everybody to the new address once it has: programs and
 * members by an error that names it, payers by a redirect. Where no merchant is closed, a request costs no look-up.
 */
export function forwardCallers(app: App, db: Database): void {
  let closed: readonly Closing[] = [];
  let freshUntilMs = 0;
  let asking: Promise<void> | undefined;

  /** Requests share a look-up. One that fails changes nothing: whatever was to be done fails in its turn, or is refused. */
  function refresh(): Promise<void> {
    asking ??= listClosed(db)
      .then(
        (found) => {
          closed = found;
        },
        () => {},
      )
      .finally(() => {
        freshUntilMs = realNow().getTime() + FRESH_MS;
        asking = undefined;
      });
    return asking;
  }

  function decide(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (closed.length === 0) done();
    else
      closedMerchantOf(db, request, closed)
        .then((merchant) => merchant && refuse(merchant, request, reply))
        .then(() => reply.sent || done(), done);
  }

  // After the caller is authenticated, and before anything is done for them.
  app.addHook('preValidation', (request, reply, done) => {
    if (!isAboutMerchant(request)) done();
    else if (freshUntilMs > realNow().getTime()) decide(request, reply, done);
    else refresh().then(() => decide(request, reply, done));
  });
}

/** Otherwise nothing says of whom it is, such as a health check. */
function isAboutMerchant({ principal, till, params, headers }: FastifyRequest): boolean {
  return Boolean(principal ?? till ?? headers.cookie) || Object.keys((params ?? {}) as object).length > 0;
}

async function closedMerchantOf(
  db: Database,
  request: FastifyRequest,
  closed: readonly Closing[],
): Promise<Closing | undefined> {
  const caller = request.principal ?? request.till;
  const id = caller ? caller.merchantId : await findClosedMerchant(db, signsOf(request));
  return closed.find(({ merchantId }) => merchantId === id);
}

/**
 * All that a caller without a key can show: what is in the path, which the dashboard's route takes as a whole, and the
 * portal's cookie, which is stored as a hash.
 */
function signsOf({ params, headers }: FastifyRequest) {
  const texts = Object.values((params ?? {}) as Record<string, string>).flatMap((text) => text.split('/'));
  const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return {
    texts,
    ids: texts.filter(isUuid),
    hashes: [...texts, ...cookies].map((text) => hash('sha256', text, 'hex')),
  };
}

function refuse({ movedTo }: Closing, request: FastifyRequest, reply: FastifyReply): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (movedTo === null) {
    if (!isRead) throw merchantMoving();
    return;
  }
  if (request.principal ?? request.till) throw merchantMoved(movedTo);
  reply.redirect(movedTo + request.url, 308);
}
