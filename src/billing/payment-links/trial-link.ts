import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { Session } from '../checkout-sessions/session.ts';

type OfTrial = Pick<Session, 'merchantId' | 'id' | 'customerEmail' | 'token'>;

/**
 * URL at which the owner of a mailbox begins a trial that was requested with its address. Only the e-mail contains
 * it.
 */
export function trialUrl(secrets: SecretBox, session: OfTrial, publicUrl: string): string {
  const [key] = secrets.derive('trial links');
  return `${publicUrl}/checkout/${session.token}/start/${proofOf(key!, session)}`;
}

/** True if a text proves that its sender has read the e-mail. */
export function isTrialProof(secrets: SecretBox, session: OfTrial, text: string): boolean {
  const given = Buffer.from(text);
  return secrets.derive('trial links').some((key) => {
    const proof = Buffer.from(proofOf(key, session));
    return proof.length === given.length && timingSafeEqual(proof, given);
  });
}

/** The log knows its form and never shows one. */
function proofOf(key: KeyObject, { merchantId, id, customerEmail }: OfTrial): string {
  const said = JSON.stringify([merchantId, id, customerEmail]);
  return `trial_${createHmac('sha256', key).update(said).digest('hex')}`;
}
