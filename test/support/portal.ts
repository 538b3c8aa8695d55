import { expect } from 'vitest';
import { call, type TestAnswer, type TestMerchant, type TestService } from './service.ts';

/** A customer in their portal. */
export interface TestVisitor {
  /** Cookie as the browser would send it back: name and value. */
  cookie: string;
  csrfToken: string;
  login: TestAnswer;
  /** Asks as our own page would: with the cookie, and with the CSRF token for a change. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
}

/** The token of a fresh link. */
export async function newLinkToken(
  shop: TestMerchant,
  projectId: string,
  customerId: string,
  fields: object = {},
): Promise<string> {
  const answer = await shop.call('POST', '/api/v2/portal-sessions', { projectId, customerId, ...fields });
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.body.url.split('/').pop();
}

export const logIn = (service: TestService, token: string, headers: Record<string, string> = {}) =>
  call(`${service.url}/api/portal/login`, 'POST', { token }, headers);

export async function visit(
  service: TestService,
  shop: TestMerchant,
  projectId: string,
  customerId: string,
): Promise<TestVisitor> {
  const login = await logIn(service, await newLinkToken(shop, projectId, customerId));
  expect([login.status, login.text]).toEqual([200, login.text]);
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
  const { csrfToken } = login.body;
  return {
    cookie,
    csrfToken,
    login,
    call: (method, path, body, headers) =>
      call(`${service.url}/api/portal${path}`, method, body, {
        cookie,
        ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
        ...headers,
      }),
  };
}
