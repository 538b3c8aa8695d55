import type { PageCall } from '../parts/page-route.ts';
import type { Visitor } from '../portal/portal-session.ts';
import type { readVisit } from '../portal/read-visit.ts';
import type { Translator } from './translator.ts';

export type Visit = Awaited<ReturnType<typeof readVisit>>;

/** A page request by a signed-in customer. */
export interface VisitCall extends PageCall {
  visitor: Visitor;
  visit: Visit;
  translator: Translator;
  now: Date;
  isSandbox: boolean;
}
