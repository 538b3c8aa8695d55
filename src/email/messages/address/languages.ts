import type { Language } from '../../../platform/lib/language.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { AddressMessages } from './messages.ts';

export const addressMessages: Record<Language, AddressMessages> = { en, de, es, fr, ar };
