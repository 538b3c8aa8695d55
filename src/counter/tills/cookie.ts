import { sessionCookie } from '../../platform/http/session-cookie.ts';

export const PLAIN_COOKIE_NAME = 'florin_till';

/** The longest that browsers keep a cookie. Every start of the app renews it. */
const LIFE_SECONDS = 400 * 86_400;

export const tillCookie = sessionCookie(PLAIN_COOKIE_NAME, LIFE_SECONDS);
