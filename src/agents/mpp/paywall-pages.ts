import type { App } from '../../platform/http/route.ts';
import { paywallPlaces } from '../x402/paywall-place.ts';
import { answerProgram } from './answer-program.ts';
import { answerPreflight, refuseProgram } from './cross-origin.ts';
import type { MppParts } from './parts.ts';

const METHODS = ['GET', 'POST'] as const;

/** The hosted paywalls, which only programs ask. */
export function paywallPages(app: App, parts: MppParts): void {
  const placeAt = paywallPlaces(parts);
  const url = '/paywalls/:token';
  app.options(url, answerPreflight);
  for (const method of METHODS)
    app.route({
      method,
      url,
      exposeHeadRoute: false,
      errorHandler: refuseProgram,
      handler: (request, reply) =>
        answerProgram(parts, request, reply, () => placeAt((request.params as { token: string }).token)),
    });
}
