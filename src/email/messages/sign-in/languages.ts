import type { Language } from '../../../platform/lib/language.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { SignInText } from './messages.ts';

export const signInMessages: Record<Language, SignInText> = { en, de, es, fr, ar };
