import type { Principal } from '../../platform/access/principal.ts';
import type { WriteRules } from '../../platform/http/assistant.ts';
import type { App, RouteDescription } from '../../platform/http/route.ts';
import type { TSchema } from '../../platform/http/schema.ts';

export type Offer = (Required<WriteRules> & { tool: 'read' | 'write' }) | { tool: undefined; reason: string };

/** Decides if an assistant may call a route, as its declaration says. */
export function offerOf(route: RouteDescription): Offer {
  const never = withheldByKind(route);
  if (never !== undefined) return { tool: undefined, reason: never };
  const { assistant } = route;
  if (assistant === undefined) return { tool: undefined, reason: 'It is not offered to assistants.' };
  const offered = { refused: [], refusedWith: {}, note: '', storedAs: route.id, destructive: false };
  if (typeof assistant === 'string') return { ...offered, tool: assistant };
  if ('withheld' in assistant) return { tool: undefined, reason: assistant.withheld };
  return { ...offered, ...assistant.write, tool: 'write' };
}

/** Routes that are never an assistant's, whatever they do. */
function withheldByKind({ scopes, portal, dashboard, id, path }: RouteDescription): string | undefined {
  if (portal || dashboard) return 'It is for a person who is signed in.';
  if (scopes === undefined) return 'It is for the public or the operator, and takes no key.';
  if (id.endsWith('V1') && !path.startsWith('/api/v2/')) return `Use ${id.slice(0, -2)}.`;
  return undefined;
}

export interface Operation {
  route: RouteDescription;
  offer: Extract<Offer, { tool: 'read' | 'write' }>;
}

/** Everything the principal's key can do through `read` and `write`. */
export function listOffered(app: App, principal: Principal): Operation[] {
  return app.routeDescriptions.flatMap((route) => {
    const offer = offerOf(route);
    return offer.tool && holds(principal, route.scopes!) ? [{ route, offer }] : [];
  });
}

export function holds({ scopes }: Principal, needed: readonly string[]): boolean {
  return needed.every((scope) => (scopes as readonly string[]).includes(scope));
}

/** A schema as other programs read it: without our own formats, and without the fields that are refused. */
export function plainSchema(schema: TSchema | undefined, refused: readonly string[] = []): unknown {
  return schema && withoutFields(cleaned(schema), refused);
}

function cleaned(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(cleaned);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      typeof value !== 'bigint' &&
      !(key === 'title' && typeof value === 'string') &&
      !(key === 'format' && /^text/.test(String(value))),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, cleaned(value)]));
}

function withoutFields(schema: unknown, refused: readonly string[]): unknown {
  for (const field of refused) {
    const names = field.split('.');
    const parent = names.slice(0, -1).reduce((at, name) => at?.properties?.[name], schema as Properties);
    delete parent?.properties?.[names.at(-1)!];
  }
  return schema;
}

type Properties = { properties?: Record<string, Properties> } | undefined;
