import { Resources } from './generated/resources.ts';
import { createSend, type FlorinOptions } from './request.ts';
import { webhooks } from './webhooks.ts';

/**
 * The client of a Florin service.
 *
 * ```ts
 * const florin = new Florin({ baseUrl: 'https://pay.example', apiKey: 'fl_live_…' });
 * const session = await florin.checkoutSessions.create({ projectId, mode: 'one_time', amountCents: 4900 });
 * ```
 */
export class Florin extends Resources {
  readonly webhooks: typeof webhooks = webhooks;

  constructor(options: FlorinOptions) {
    super(createSend(options));
  }
}

export * from './errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { Hooks, RequestEvent, ResponseEvent } from './hooks.ts';
export type { Answered, LastResponse } from './last-response.ts';
export { List, type Page } from './list.ts';
export type { FlorinOptions, HeaderValues, KeyedOptions, RequestOptions, Upload } from './request.ts';
export { type ConstructEventOptions, type Payload, type TestHeader, webhooks } from './webhooks.ts';
