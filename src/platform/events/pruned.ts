/** For invariants: whether some events of the merchant in this column may have been deleted for their age. */
export const MAY_BE_PRUNED = (merchantId: string) =>
  `exists (select from event_counters k where k.merchant_id = ${merchantId} and k.pruned_position > 0)`;
