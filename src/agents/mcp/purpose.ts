import { createHash } from 'node:crypto';
import { Text } from '../../platform/http/schema.ts';
import { badField } from '../../platform/lib/errors.ts';
import { INVISIBLE } from '../../platform/lib/visible-text.ts';

export const Purpose = Text({
  max: 200,
  description:
    'Name the business intention, e.g. "invoice 1042 for Ada". Use the same text again if you are not sure whether the call worked: it takes effect once. Use another text for another intention.',
});

/**
 * The Idempotency-Key of a call: one for each operation and intention of a merchant. Case, white space and what nobody can
 * see make no difference, because an assistant that repeats a sentence may spell it differently.
 */
export function keyOfPurpose(merchantId: string, operation: string, purpose: string): string {
  const intention = intentionOf(purpose);
  if (intention === '') throw badField('purpose', 'must name the business intention in words');
  const digest = createHash('sha256')
    .update(JSON.stringify([merchantId, operation, intention]))
    .digest();
  // Format as a UUID (version 8, RFC 9562), which the strictest operation requires.
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/** The same for everything that reads the same; empty where there is nothing to read. */
function intentionOf(purpose: string): string {
  const visible = purpose.normalize('NFKC').replace(/\s+/g, ' ').replace(INVISIBLE, '');
  return visible.replace(/ +/g, ' ').trim().toLowerCase();
}
