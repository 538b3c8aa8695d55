import { findPayer } from '../../chain/solana/find-payer.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { listIntentsByRef } from '../../intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { findException } from '../transfers/exception-queries.ts';
import { listFinalSignatures } from '../transfers/history-queries.ts';

/** A payment in more parts than this was hardly made by one wallet. */
const MAX_SIGNATURES = 5;

/** The wallet that a payment, or an exception's money, came from; null where that cannot be said. */
export async function findPayerOf(
  { db, rpc, mint }: { db: Database; rpc: Rpc; mint: string },
  merchantId: string,
  { paymentIntentId, exceptionId }: { paymentIntentId: string | null; exceptionId: string | null },
): Promise<string | null> {
  if (rpc.nodeCount === 0) return null;
  const exception = exceptionId === null ? undefined : await findException(db, merchantId, exceptionId);
  const [intent] =
    paymentIntentId === null ? [] : await listIntentsByRef(db, [{ merchantId, id: paymentIntentId }]);
  const destination = exception?.destination ?? intent?.destinationAddress;
  if (!destination) return null;
  const signatures = exception
    ? [exception.signature]
    : await listFinalSignatures(db, merchantId, intent!.id, MAX_SIGNATURES + 1);
  if (signatures.length > MAX_SIGNATURES) return null;
  return (await findPayer(rpc, signatures, { mint, destination })) ?? null;
}
