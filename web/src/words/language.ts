/** Each in its own language, so that readers find theirs. */
export const LANGUAGE_NAMES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ar: 'العربية',
} as const;

export type Language = keyof typeof LANGUAGE_NAMES;

/** Language of the page as the server sent it, chosen by the cookie and the browser's languages. */
export const language = (globalThis.document?.documentElement.lang || 'en') as Language;

export const direction = language === 'ar' ? 'rtl' : 'ltr';

/** Locale of numbers. Western digits everywhere: an amount is compared with what a wallet shows. */
export const locale = language === 'en' ? 'en-US' : `${language}-u-nu-latn`;

/** Locale of dates: 17 Nov 2026 in English. */
export const dateLocale = language === 'en' ? 'en-GB' : locale;

const YEAR_SECONDS = 31_536_000;

/** Sentences are looked up while the scripts load, so another language begins with another page. */
export function speak(next: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `florin_language=${next}; Path=/dashboard; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  location.reload();
}
