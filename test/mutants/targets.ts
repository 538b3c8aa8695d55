import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/** The code that decides about money, access and states. A folder that joins them gets a line here. */
export const TARGETS: readonly string[] = [
  'src/**/{ledger,intents,invoices,webhooks}/*.ts',
  'src/**/{subscriptions,checkout-sessions,payment-links,usage,renewals}/*.ts',
  'src/payments/transfers/*.ts',
  'src/**/{payouts,payout-changes}/*.ts',
  'src/**/{access,idempotency}/*.ts',
  'src/**/members/{session,step-up,password}*.ts',
  'src/**/lib/money.ts',
  'migrations/[0-9]*.sql',
];

/** Texts for people, and the checks of stored rows that tests themselves rely on. */
const NOT_TARGETS = ['**/*.test.ts', '**/describe-events.ts', '**/invariants.ts'];

/** Every file in `root` that bugs are planted in, sorted. */
export function listTargets(root: string, globs: readonly string[] = TARGETS): string[] {
  const files = new Set(globs.flatMap((glob) => globSync(glob, { cwd: root })));
  return [...files].filter((file) => !NOT_TARGETS.some((glob) => matchesGlob(file, glob))).sort();
}
