import { type App, route } from '../../platform/http/route.ts';
import { Shape, Text } from '../../platform/http/schema.ts';
import { requireOwnOrigin } from '../../platform/http/session-cookie.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { tillCookie } from './cookie.ts';
import { pairTill } from './pair-till.ts';
import { updateTillSeen } from './queries.ts';
import { OwnTillView, readTill } from './read-till.ts';
import { TILL_API, type TillAccess, tillRoute } from './till-route.ts';

const PairBody = Shape(undefined, { code: Text({ max: 32 }) });
const SEEN_EVERY_MS = 60_000;

/** Routes that the page at /till calls to become a till, and whenever it starts. */
export function tillDeviceRoutes(app: App, access: TillAccess): void {
  const { db, clock, publicUrl } = access;
  app.decorateRequest('till', undefined);

  route(
    app,
    {
      method: 'POST',
      path: `${TILL_API}/pair`,
      id: 'pairTill',
      sdk: null,
      tag: 'Till',
      summary: 'Pair a till',
      body: PairBody,
      success: { status: 204, description: 'The cookie is set.' },
      errors: ['BAD_REQUEST', 'PAIRING_CODE_INVALID', 'FORBIDDEN'],
      async handle({ body, request, reply }) {
        requireOwnOrigin(request.headers, publicUrl());
        const formerKey = tillCookie.read(request.headers, publicUrl());
        const now = clock.now();
        const key = await pairTill(db, { text: body.code, formerKey, now }).catch((error: unknown) => {
          const isWrong = error instanceof AppError && error.code === 'PAIRING_CODE_INVALID';
          throw (isWrong && app.countFailedAuth?.(request, reply)) || error;
        });
        reply.header('set-cookie', tillCookie.set(publicUrl(), key));
      },
    },
    { onRequest: (_request, _reply, done) => done() },
  );

  tillRoute(app, access, {
    method: 'GET',
    path: '',
    id: 'getTill',
    success: { status: 200, schema: OwnTillView, description: 'The till as it is paired.' },
    errors: ['TILL_NOT_PAIRED'],
    async handle({ till, request, reply }) {
      const cookie = tillCookie.read(request.headers, publicUrl())!;
      const now = clock.now();
      if (now.getTime() - till.lastSeenAt!.getTime() >= SEEN_EVERY_MS) await updateTillSeen(db, till, now);
      reply.header('set-cookie', tillCookie.set(publicUrl(), cookie)).header('cache-control', 'no-store');
      return readTill(db, till, cookie);
    },
  });
}
