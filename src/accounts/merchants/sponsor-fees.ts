/** Whether the network fees of a merchant's payers are paid by the operator's fee payer, where there is one. */
export const SPONSOR_MODES = ['never', 'when_needed', 'always'] as const;
export type SponsorMode = (typeof SPONSOR_MODES)[number];

/** If the merchant has not chosen: test money pays test fees. */
export function defaultSponsorMode(isSandbox: boolean): SponsorMode {
  return isSandbox ? 'when_needed' : 'never';
}
