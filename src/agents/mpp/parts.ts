import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { X402Parts } from '../x402/parts.ts';
import type { ChallengeKeys } from './challenge.ts';

/** Dependencies of selling by this protocol; most of them are those of any sale to programs. */
export interface MppParts extends X402Parts {
  challengeKeys: ChallengeKeys;
}

export function openMpp<Parts extends X402Parts>(parts: Parts, secrets: SecretBox): Parts & MppParts {
  return { ...parts, challengeKeys: () => secrets.derive('mpp challenges') };
}
