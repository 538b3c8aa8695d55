import { badField } from '../../platform/lib/errors.ts';

/** Checks a URL that a buyer can be redirected to afterwards: https, or in the sandbox a page on the same machine. */
export function checkReturnUrl(
  field: string,
  text: string | null | undefined,
  { allowLoopback }: { allowLoopback: boolean },
): string | null {
  if (text === null || text === undefined) return null;
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) throw badField(field, 'must be an absolute URL');
  if (url.username || url.password) throw badField(field, 'must not contain a user name or password');
  if (url.protocol === 'http:' && !(allowLoopback && isLoopback(url.hostname))) {
    throw badField(field, allowLoopback ? 'must use https, or http on localhost' : 'must use https');
  }
  return text;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
