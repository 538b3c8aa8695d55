import type { App } from '../../platform/http/route.ts';
import { paywallPlaces } from '../x402/paywall-place.ts';
import { answerProgram } from './answer-program.ts';
import type { MppParts } from './parts.ts';

const METHODS = ['GET', 'POST'] as const;

/** The hosted paywalls, which only programs ask. */
export function paywallPages(app: App, parts: MppParts): void {
  const placeAt = paywallPlaces(parts);
  for (const method of METHODS)
    app.route({
      method,
      url: '/paywalls/:token',
      exposeHeadRoute: false,
      handler: (request, reply) =>
        answerProgram(parts, request, reply, () => placeAt((request.params as { token: string }).token)),
    });
}
