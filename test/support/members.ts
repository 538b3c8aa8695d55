import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createSetupLink } from '../../src/accounts/members/create-link.ts';
import type { Role } from '../../src/platform/access/role.ts';
import { type Clock, realNow } from '../../src/platform/lib/clock.ts';
import { call, type TestAnswer, type TestMerchant, type TestService } from './service.ts';

export const PASSWORD = 'correct horse battery staple';

/** Somebody in a browser that is signed in to the dashboard. */
export interface TestMember {
  id: string;
  email: string;
  /** Cookie as the browser sends it: name and value. It follows what the service sets. */
  cookie: string;
  csrfToken: string;
  /** Asks as our own page would: with the cookie, and with the CSRF token for a change. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
}

/** Time that stands still until it is moved: however slow the machine, a wait is as long as it says. */
export function stoppedClock(): Clock {
  const startedMs = realNow().getTime();
  let offsetMs = 0;
  return {
    now: () => new Date(startedMs + offsetMs),
    setOffsetMs(next) {
      offsetMs = Math.max(offsetMs, next);
    },
  };
}

export const newEmail = () => `${randomUUID()}@shop.example`;

export async function newSetupToken(service: TestService, merchantId: string): Promise<string> {
  const { url } = await service.db.transaction((tx) =>
    createSetupLink(tx, {
      merchantId,
      actor: 'operator',
      publicUrl: publicUrlOf(service),
      moment: { now: service.wallClock.now(), serviceNow: service.clock.now() },
    }),
  );
  return url.split('/').pop()!;
}

export const publicUrlOf = ({ config }: TestService) => config.PUBLIC_URL ?? 'http://127.0.0.1';

/** A call of somebody who is not signed in. */
export const ask = (
  service: TestService,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) => call(`${service.url}/api/dashboard${path}`, 'POST', body, headers);

export const signInAs = (service: TestService, email: string, password = PASSWORD, headers = {}) =>
  ask(service, '/sign-in', { email, password }, headers);

export async function newOwner(service: TestService, { id }: TestMerchant): Promise<TestMember> {
  const token = await newSetupToken(service, id);
  const email = newEmail();
  return entered(
    service,
    await ask(service, '/links/use', { token, email, name: 'Olive', password: PASSWORD }),
  );
}

/** Invited by an owner who confirmed just now. */
export async function newMember(service: TestService, owner: TestMember, role: Role): Promise<TestMember> {
  const invited = await owner.call('POST', '/api/dashboard/invitations', { email: newEmail(), role });
  expect([invited.status, invited.text]).toEqual([201, invited.text]);
  const token = invited.body.url.split('/').pop();
  return entered(service, await ask(service, '/links/use', { token, name: `A ${role}`, password: PASSWORD }));
}

/** The member whom this answer signed in. */
export function entered(service: TestService, answer: TestAnswer): TestMember {
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const { member, csrfToken } = answer.body;
  const self: TestMember = {
    id: member.id,
    email: member.email,
    cookie: cookieIn(answer)!,
    csrfToken,
    async call(method, path, body, headers) {
      const given = await call(service.url + path, method, body, {
        cookie: self.cookie,
        ...(method !== 'GET' && { 'x-csrf-token': self.csrfToken }),
        ...headers,
      });
      self.cookie = cookieIn(given) ?? self.cookie;
      return given;
    },
  };
  return self;
}

function cookieIn({ headers }: TestAnswer): string | undefined {
  const pairs = headers.getSetCookie().map((text) => text.split(';')[0]!);
  return pairs.find((pair) => pair.includes('florin_dashboard='));
}

/** Returns the cookie that identifies a known browser, as it is sent. */
export function deviceCookieIn({ headers }: TestAnswer): string | undefined {
  const pairs = headers.getSetCookie().map((text) => text.split(';')[0]!);
  return pairs.find((pair) => pair.includes('florin_device='));
}
