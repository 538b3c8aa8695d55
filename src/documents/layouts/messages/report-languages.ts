import type { Language } from '../../../platform/lib/language.ts';
import { ar } from './report/ar.ts';
import { de } from './report/de.ts';
import { en } from './report/en.ts';
import { es } from './report/es.ts';
import { fr } from './report/fr.ts';
import type { ReportMessages } from './report-messages.ts';

export const reportMessages: Record<Language, ReportMessages> = { en, de, es, fr, ar };
