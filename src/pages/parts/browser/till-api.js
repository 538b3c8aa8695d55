import { t } from './till-dom.js';

/** Why the service said no, in the reader's language where we have a sentence for it. */
export class Refusal extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const SENTENCES = new Set([
  'PAIRING_CODE_INVALID',
  'TERMINAL_BUSY',
  'TERMINAL_INACTIVE',
  'RATE_LIMITED',
  'MERCHANT_NOT_VERIFIED',
  'INVALID_STATE',
  'SERVICE_UNAVAILABLE',
  'PROJECT_VOLUME_LIMIT_EXCEEDED',
]);

let csrfToken = '';

/** @param {string} token */
export function useToken(token) {
  csrfToken = token;
}

/** @type {((isReachable: boolean) => void)[]} */
const listeners = [];
/** @type {(() => void)[]} */
const unpaired = [];

/** Called with every answer, and with every call that got none. @param {(isReachable: boolean) => void} listener */
export const onReach = (listener) => void listeners.push(listener);
/** Called when the till's key no longer works. @param {() => void} listener */
export const onUnpaired = (listener) => void unpaired.push(listener);

/**
 * One call of the till's own. Money answers are never cached.
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [key]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, key) {
  const answer = await fetch(`/api/till${path}`, {
    method,
    cache: 'no-store',
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'POST' && csrfToken && { 'x-csrf-token': csrfToken }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  const json = text && parse(text);
  // A page in place of an answer is somebody else's, such as the sign-in of a wireless network.
  const isOurs = answer !== undefined && (json || answer.status === 204 || answer.status >= 500);
  for (const listener of listeners) listener(Boolean(isOurs));
  if (!isOurs) throw new Refusal('OFFLINE', t('offline'));
  if (answer.ok) return json;
  const code = json?.error?.code ?? 'SERVICE_UNAVAILABLE';
  if (code === 'TILL_NOT_PAIRED') for (const listener of unpaired) listener();
  throw new Refusal(code, t(SENTENCES.has(code) ? `error_${code}` : 'error_other'));
}

/** @param {string} text @returns {any} */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const PAGE = 200;
/** More than anybody looks through on a phone. */
const MAX_PAGES = 25;

/** Everything that is for sale. */
export async function allItems() {
  return restAfter(await call('GET', '/items'));
}

/** The catalog from its first page on. @param {any[]} first @returns {Promise<any[]>} */
export async function restAfter(first) {
  const items = [...first];
  let page = first;
  for (let read = 1; page.length === PAGE && read < MAX_PAGES; read++) {
    page = await call('GET', `/items?after=${page[page.length - 1]?.priceId}`);
    items.push(...page);
  }
  return items;
}
