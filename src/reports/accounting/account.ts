/** The chart of accounts: what a merchant's money is, in the words of a general ledger. */
export const ACCOUNTS = {
  wallet: { code: '1000', name: 'USDC wallet' },
  deposits: { code: '2000', name: 'Customer deposits' },
  accountCredit: { code: '2100', name: 'Account credit' },
  tax: { code: '2200', name: 'Tax payable' },
  sales: { code: '4000', name: 'Sales' },
  tips: { code: '4100', name: 'Tips' },
  kept: { code: '4200', name: 'Kept payments' },
  refunds: { code: '4800', name: 'Refunds and credits' },
  waived: { code: '4900', name: 'Waived amounts' },
  adjustments: { code: '5000', name: 'Balance adjustments' },
} as const;

export type Account = keyof typeof ACCOUNTS;
