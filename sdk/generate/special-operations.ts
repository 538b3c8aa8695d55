/**
 * Operations that answer a buyer without a key another thing than they answer the owner: the same path under a
 * second name, with one of the two answers each.
 */
export const twoFaced: Record<string, { owner: string; buyer: { name: string; answer: string } }> = {
  getPaymentLink: {
    owner: 'ExpandedPaymentLink',
    buyer: { name: 'publicLinks.retrieve', answer: 'PublicPaymentLink' },
  },
};
