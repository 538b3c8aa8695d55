/** Choices for a merchant's network fees: when the operator's fee payer, if there is one, sponsors them for payers. */
export const SPONSOR_MODES = ['never', 'when_needed', 'always'] as const;
export type SponsorMode = (typeof SPONSOR_MODES)[number];

/** If the merchant has not chosen: test money pays test fees. */
export function defaultSponsorMode(isSandbox: boolean): SponsorMode {
  return isSandbox ? 'when_needed' : 'never';
}
