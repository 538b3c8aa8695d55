import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely here.
type Document = any;

interface Check {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * Compares answers with openapi.json to the last property: what is not described may not be there. The answer is what is
 * wrong with it, or undefined.
 */
export function answerChecker(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const checks = new Map<string, Check | undefined>();
  const checkOf = (method: string, path: string, status: number) => {
    const key = `${method} ${path} ${status}`;
    if (!checks.has(key)) {
      const schema =
        document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json']
          ?.schema;
      checks.set(key, schema && (ajv.compile(pointingAtDocument(schema)) as Check));
    }
    return checks.get(key);
  };
  const checkEvent = eventChecker(document, ajv);
  return (method: string, path: string, { status, text }: { status: number; text: string }) => {
    const check = checkOf(method, path, status);
    if (!check) return text === '' ? undefined : `${method} ${path} describes no JSON for ${status}`;
    const value = JSON.parse(text);
    if (!check(value)) return `${method} ${path} ${ajv.errorsText(check.errors)} ${text.slice(0, 300)}`;
    const isEventList = method === 'GET' && path.endsWith('/events');
    return isEventList ? value.data.map(checkEvent).find(Boolean) : undefined;
  };
}

/** Each event is also what its webhook says it is. */
function eventChecker(document: Document, ajv: Ajv2020) {
  const checks = new Map<string, Check>();
  return (event: { event: string }): string | undefined => {
    const { requestBody } = document.webhooks[event.event].post;
    const { schema } = requestBody.content['application/json'];
    const check = checks.get(event.event) ?? (ajv.compile(pointingAtDocument(schema)) as Check);
    checks.set(event.event, check);
    return check(event) ? undefined : `${event.event} ${ajv.errorsText(check.errors)}`;
  };
}

function pointingAtDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
}
