/** One combination of fields that the service takes: what a field then is, what must be there and what must not. */
export interface Variant {
  /** The values that make it this one. */
  where: Record<string, readonly string[]>;
  required?: readonly string[];
  forbidden?: readonly string[];
  /** At least one of these. */
  oneOf?: readonly string[];
}

const byBillingMode: readonly Variant[] = [
  {
    where: { billingMode: ['one_time'] },
    forbidden: ['creditAmount', 'recurringInterval', 'recurringIntervalCount'],
  },
  {
    where: { billingMode: ['balance_top_up'] },
    required: ['creditAmount'],
    forbidden: ['recurringInterval', 'recurringIntervalCount'],
  },
  { where: { billingMode: ['subscription'] }, required: ['recurringInterval'], forbidden: ['creditAmount'] },
];

/**
 * Bodies of which the service takes some combinations of fields only. In openapi.json they are one flat object, so that an
 * error names the field; in the client they are unions, so that a wrong combination does not compile.
 */
export const variants: Record<string, readonly Variant[]> = {
  CreateCheckoutSessionRequest: [
    { where: { mode: ['one_time'] }, required: ['amountCents'], forbidden: ['priceId', 'lineItems'] },
    { where: { mode: ['one_time'] }, required: ['priceId'], forbidden: ['amountCents', 'lineItems'] },
    { where: { mode: ['one_time'] }, required: ['lineItems'], forbidden: ['amountCents', 'priceId'] },
    // Also for one_time, so that `mode: price.billingMode` compiles where a customer is named.
    {
      where: { mode: ['one_time', 'balance_top_up', 'subscription'] },
      required: ['priceId'],
      forbidden: ['amountCents', 'lineItems'],
      oneOf: ['externalCustomerId', 'customerEmail', 'customerName'],
    },
    {
      where: { mode: ['one_time', 'balance_top_up', 'subscription'] },
      required: ['lineItems'],
      forbidden: ['amountCents', 'priceId'],
      oneOf: ['externalCustomerId', 'customerEmail', 'customerName'],
    },
  ],
  CreatePriceRequest: byBillingMode,
  SetUpPaymentLinkRequest: byBillingMode,
};
