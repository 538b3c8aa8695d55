/** Every operation that decides about a refund, under both versions of the API. */
export const REFUND_OPERATIONS = [
  'createRefund',
  'cancelRefund',
  'createRefundClaimLink',
  'approveRefundAddress',
  'prepareRefunds',
  'sendRefunds',
].flatMap((name) => [name, `${name}V1`]);
