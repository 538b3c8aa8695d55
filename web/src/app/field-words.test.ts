import { expect, test } from 'vitest';
import { withFieldInWords } from './field-words.ts';

test.each([
  ['payoutAddress must be a Solana address', 'Payout address must be a Solana address'],
  ['paymentIntentId must be a payment', 'Payment ID must be a payment'],
  ['taxIds.0.value must be a VAT number of DE', 'Tax ID 1 must be a VAT number of DE'],
  ['seller.taxIds.1.value must be a VAT number', 'Seller, tax ID 2 must be a VAT number'],
  ['address.line1 must not be empty', 'Address, line 1 must not be empty'],
  ['lineItems.2.unitAmountCents must be 1 or more', 'Line item 3, unit amount cents must be 1 or more'],
  ['percent must be 0 to 100', 'Percent must be 0 to 100'],
  ['The invoice is paid', 'The invoice is paid'],
  ['an invoice.paid event exists', 'An invoice.paid event exists'],
])('%s', (message, words) => {
  expect(withFieldInWords(message)).toBe(words);
});
