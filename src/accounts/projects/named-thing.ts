import { isUuid } from '../../platform/lib/ids.ts';

/** Objects of a project, by the name their id has in paths, queries and bodies. */
export const THINGS = [
  'customerId',
  'productId',
  'priceId',
  'sessionId',
  'checkoutSessionId',
  'invoiceId',
  'subscriptionId',
  'paymentLinkId',
  'paywallId',
  'discountId',
  'promotionCodeId',
  'taxRateId',
  'deliveryId',
] as const;

export type ThingName = (typeof THINGS)[number];

/** The subject of a call: a project, or an object of one. */
export type Named = { projectId: string } | { thing: ThingName; id: string };

interface Call {
  params: object;
  query: unknown;
  body: unknown;
}

/** The path takes precedence over the query, the query over the body; in each, a project over its objects. */
export function namedBy({ params, query, body }: Call): Named | undefined {
  for (const part of [params, query, body]) {
    if (typeof part !== 'object' || part === null) continue;
    const ids = part as Record<string, unknown>;
    if (isId(ids.projectId)) return { projectId: ids.projectId };
    const thing = THINGS.find((name) => isId(ids[name]));
    if (thing) return { thing, id: ids[thing] as string };
  }
  return undefined;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isUuid(value);
}

/** True if calls of a route can name any of them at all. */
export function canName({ path, query, body }: { path: string; query?: unknown; body?: unknown }): boolean {
  const properties = [query, body].flatMap((schema) =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
  );
  return ['projectId', ...THINGS].some((name) => path.includes(`{${name}}`) || properties.includes(name));
}
