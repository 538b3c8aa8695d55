/** The languages that customers read: pages, e-mails, papers. To add one, add it here, and the compiler asks for its messages. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

const DIRECTIONS: Record<Language, 'ltr' | 'rtl'> = { en: 'ltr', de: 'ltr', es: 'ltr', fr: 'ltr', ar: 'rtl' };

export const directionOf = (language: Language) => DIRECTIONS[language];

/** One of ours by the first part of its tag: `de-AT` is German. */
export function findLanguage(tag: string | null | undefined): Language | undefined {
  const first = tag?.trim().toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === first);
}

/** The same, and English for everyone else. */
export function languageOf(tag: string | null | undefined): Language {
  return findLanguage(tag) ?? 'en';
}

/** Western digits everywhere: an amount is compared with what a wallet shows. */
export function localeOf(language: Language): string {
  return language === 'en' ? 'en-US' : `${language}-u-nu-latn`;
}
