import type { Language } from '../../../platform/lib/language.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { PaperMessages } from './messages.ts';

export const paperMessages: Record<Language, PaperMessages> = { en, de, es, fr, ar };
