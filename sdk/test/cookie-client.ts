import type { Florin, FlorinOptions } from '../src/florin.ts';

/** A client as a page in a browser has it. */
export interface CookieClient {
  florin: Florin;
  /** Goes along with every change once the service said it. */
  csrfToken: string;
}

/** Like a browser: the cookie is stored and sent automatically, the token goes into a header. */
export function cookieClient(client: (options: Partial<FlorinOptions>) => Florin): CookieClient {
  let cookie = '';
  const self = { csrfToken: '' };
  const florin = client({
    headers: ({ method }) => ({ cookie, ...(method !== 'GET' && { 'x-csrf-token': self.csrfToken }) }),
    async fetch(to, init) {
      const answer = await fetch(to, init);
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return answer;
    },
  });
  return Object.assign(self, { florin });
}
