import { call, type TestAnswer, type TestMerchant, type TestService } from './service.ts';

export interface TestTill {
  id: string;
  terminalId: string;
  projectId: string;
  cookie: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
}

export const TILLS = '/api/b2b/merchants/tills';

export interface TillPlace {
  terminalId: string;
  projectId: string;
  tipPercents?: number[];
}

/** A terminal and a project to pair a till with. */
export async function newPlace(shop: TestMerchant): Promise<TillPlace> {
  const { body: terminal } = await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Counter' });
  const { body: project } = await shop.call('POST', '/api/v2/projects', { name: 'Café' });
  return { terminalId: terminal.id, projectId: project.id };
}

export const enter = (service: TestService, code: string) =>
  call(`${service.url}/api/till/pair`, 'POST', { code });

/** A paired till, as the page at /till would call. */
export async function pairedTill(
  service: TestService,
  shop: TestMerchant,
  given?: TillPlace,
): Promise<TestTill> {
  const place = given ?? (await newPlace(shop));
  const { body: made } = await shop.call('POST', TILLS, place);
  const answer = await enter(service, made.code);
  const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
  const { body } = await call(`${service.url}/api/till`, 'GET', undefined, { cookie });
  return {
    ...place,
    id: made.id,
    cookie,
    call: (method, path, json, headers) =>
      call(`${service.url}/api/till${path}`, method, json, {
        cookie,
        ...(method !== 'GET' && { 'x-csrf-token': body.csrfToken }),
        ...headers,
      }),
  };
}
