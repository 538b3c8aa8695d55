import type { Queryable } from '../../platform/db/database.ts';
import type { Intent } from './intent.ts';
import { findIntentAnywhere } from './queries.ts';

/** By id alone, for payers: they have no key, and an intent's id tells them nothing about anybody else. */
export function findIntent(db: Queryable, id: string): Promise<Intent | undefined> {
  return findIntentAnywhere(db, id);
}
