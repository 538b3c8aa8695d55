import { AppError } from '../lib/errors.ts';
import type { App } from './route.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const RETRY_AFTER_SECONDS = 30;

/** Answers 503 to whatever would write, before anything of it is read; reading continues. */
export function refuseChangesWhile(app: App, isRefusing: () => boolean): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isRefusing() || READING.has(request.method)) return done();
    done(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  });
}
