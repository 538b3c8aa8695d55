import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Messages } from './messages.ts';

const LANGUAGES: readonly Messages[] = [en, de, es, fr, ar];

/** The customer's language by its first part: `de-AT` is German. English for everyone else. */
export function messagesIn(language: string | null): Messages {
  const first = language?.toLowerCase().split('-')[0];
  return LANGUAGES.find((messages) => messages.language === first) ?? en;
}
