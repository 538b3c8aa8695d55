import type { Language } from '../../platform/lib/language.ts';
import type { CheckoutParts } from './read-payment.ts';

export interface PanelPlace {
  language: Language;
  /** Path of this payment's page, without a query. */
  path: string;
  network: CheckoutParts['network'];
  mint: string;
  publicUrl: string;
}
