import type { SecretBox } from '../../platform/lib/secret-box.ts';
import type { X402Parts } from '../x402/parts.ts';
import type { ChallengeKeys } from './challenge.ts';

/** What selling by this protocol works with; most of it is what any program is sold with. */
export interface MppParts extends X402Parts {
  challengeKeys: ChallengeKeys;
}

export function openMpp<Parts extends X402Parts>(parts: Parts, secrets: SecretBox): Parts & MppParts {
  return { ...parts, challengeKeys: () => secrets.derive('mpp challenges') };
}
