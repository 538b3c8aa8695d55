import type { JsonSchema, Schemas } from './schema-example.ts';

/** The parts of openapi.json that the reference page reads. */
export interface ApiDocument {
  info: { title: string; version: string; 'x-service-version'?: string; description: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Schemas; responses?: Record<string, Response> };
}

export interface Operation {
  operationId: string;
  tags?: string[];
  summary: string;
  description?: string;
  security?: object[];
  'x-scopes'?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  content?: Content;
}

export type Content = Record<string, { schema: JsonSchema; examples?: Record<string, object> }>;

/** One operation with its place. */
export interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
  /** The same operation in version 1 of the API. */
  twin?: Endpoint | undefined;
}

export function endpointsOf(document: ApiDocument): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: { ...operation, responses: resolvedResponses(operation, document) },
    })),
  );
}

/** Failures that many operations share are written once under components; here each is put back in place. */
function resolvedResponses({ responses }: Operation, { components }: ApiDocument): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const name = (response as { $ref?: string }).$ref?.split('/').pop();
      return [status, name === undefined ? response : components.responses![name]!];
    }),
  );
}

export function hasParameter({ operation }: Endpoint, name: string): boolean {
  return (operation.parameters ?? []).some((parameter) => parameter.name === name);
}
