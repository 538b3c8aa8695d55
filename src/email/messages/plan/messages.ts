import type { Language } from '../../../platform/lib/language.ts';
import type { PlanEmailKind } from '../../email.ts';
import type { EmailText } from '../messages.ts';

/** Values that a text about a subscription may contain, formatted for people. */
export interface FormattedPlan {
  sender: string;
  /** The plan it is about: the new one of a change. */
  plan: string;
  /** When it takes effect, or until when something can be done. */
  at: string;
  /** The amount that has to be paid first. */
  due: string;
}

export interface PlanMessages {
  language: Language;
  emails: Record<PlanEmailKind, (plan: FormattedPlan) => EmailText>;
}
