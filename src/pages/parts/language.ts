import { findLanguage, type Language } from '../../platform/lib/language.ts';

/** Each in its own language, so that readers find theirs. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ar: 'العربية',
};

/** Returns the language that the reader chose, or else the one of ours that their browser prefers, or else English. */
export function chooseLanguage(chosen: string | undefined, acceptLanguage: string | undefined): Language {
  return findLanguage(chosen) ?? preferred(acceptLanguage).find((language) => language !== undefined) ?? 'en';
}

/** `fr-CH, de;q=0.8, *;q=0.1`: the most wanted first. */
function preferred(header = ''): (Language | undefined)[] {
  return header
    .split(',')
    .slice(0, 20)
    .map((part) => {
      const [tag, weight] = part.split(';q=');
      const wanted = weight === undefined ? 1 : Number(weight);
      return { language: findLanguage(tag), wanted: Number.isFinite(wanted) ? wanted : 0 };
    })
    .filter(({ wanted }) => wanted > 0)
    .sort((one, other) => other.wanted - one.wanted)
    .map(({ language }) => language);
}
