/** The languages of the hosted pages. To add one, add it here, and the compiler asks for its messages. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own language, so that readers find theirs. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ar: 'العربية',
};

const DIRECTIONS: Record<Language, 'ltr' | 'rtl'> = { en: 'ltr', de: 'ltr', es: 'ltr', fr: 'ltr', ar: 'rtl' };

export const directionOf = (language: Language) => DIRECTIONS[language];

/** What the reader chose, else what their browser likes best of what we have, else English. */
export function chooseLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  return known(chosen) ?? preferred(acceptLanguage).find((language) => language !== undefined) ?? 'en';
}

function known(tag: string | undefined): Language | undefined {
  const first = tag?.trim().toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === first);
}

/** `fr-CH, de;q=0.8, *;q=0.1`: the most wanted first. */
function preferred(header = ''): (Language | undefined)[] {
  return header
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag, weight] = part.split(';q=');
      const wanted = weight === undefined ? 1 : Number(weight);
      return { language: known(tag), wanted: Number.isFinite(wanted) ? wanted : 0 };
    })
    .filter(({ wanted }) => wanted > 0)
    .sort((one, other) => other.wanted - one.wanted)
    .map(({ language }) => language);
}
