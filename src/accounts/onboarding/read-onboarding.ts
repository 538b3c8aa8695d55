import type { Queryable } from '../../platform/db/database.ts';
import { findProofs } from './queries.ts';

export const GO_LIVE_CHECKS = ['mainnet', 'https', 'backup', 'second_way_in', 'support_address'] as const;

export interface Installation {
  network: string;
  publicUrl: string;
}

/** The five steps to the first customer, each checked by what is stored. Whose wallet it is takes a signature, or the owner's word. */
export async function readOnboarding(
  db: Queryable,
  merchantId: string,
  { network, publicUrl }: Installation,
) {
  const proofs = await findProofs(db, merchantId);
  const isOf: Record<(typeof GO_LIVE_CHECKS)[number], boolean> = {
    mainnet: network === 'mainnet',
    https: publicUrl.startsWith('https:'),
    backup: proofs.hasBackup,
    second_way_in: proofs.hasSecondWayIn,
    support_address: proofs.hasSupportAddress,
  };
  const checks = GO_LIVE_CHECKS.map((name) => ({ name, isDone: isOf[name] }));
  const steps = {
    wallet: {
      isDone: proofs.hasSignature || proofs.isSeenInWallet,
      payoutAddress: proofs.payoutAddress,
      provenBy: proofs.hasSignature ? 'signature' : null,
      hasPayment: proofs.hasPaymentThere,
      isSeenInWallet: proofs.isSeenInWallet,
    },
    payment: { isDone: proofs.hasPayment },
    paymentLink: { isDone: proofs.hasLink },
    delivery: { isDone: proofs.hasReceiver && proofs.hasDelivery, hasReceiver: proofs.hasReceiver },
    goLive: { isDone: checks.every(({ isDone }) => isDone), checks },
  } as const;
  return { isDone: Object.values(steps).every(({ isDone }) => isDone), ...steps };
}
