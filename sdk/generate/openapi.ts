/** The parts of openapi.json that the generator reads. */
export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { summary: string; requestBody: Body } }>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body & { required: boolean };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Body {
  content: Content;
}

export interface Schema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  maximum?: number;
  items?: Schema;
  oneOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
}

export const nameOf = (ref: string) => ref.split('/').pop()!;

/** Every schema's name that `schema` leads to, through other schemas too. */
export function reachable(
  api: OpenApi,
  schema: unknown,
  found: Set<string> = new Set<string>(),
): Set<string> {
  if (schema === null || typeof schema !== 'object') return found;
  const { $ref } = schema as Schema;
  if ($ref !== undefined && !found.has(nameOf($ref))) {
    found.add(nameOf($ref));
    reachable(api, api.components.schemas[nameOf($ref)], found);
  }
  for (const part of Object.values(schema)) reachable(api, part, found);
  return found;
}
