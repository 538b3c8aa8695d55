import {
  readSponsored,
  type SponsoredTransaction,
  type SponsorRefusal,
} from '../../chain/fee-payer/read-sponsored.ts';
import { namedInMemos } from '../../chain/solana/order-memo.ts';
import { readTransaction } from '../../chain/solana/read-message.ts';
import type { Intent } from '../../intents/intent.ts';
import { findSponsoredByMessage } from '../../payments/sponsor/queries.ts';
import { awaitOutcome, type Outcome, ofPayer } from '../x402/outcome.ts';
import { type OpenSale, type Place, settleAtOf } from '../x402/place.ts';
import { orderKeyOf } from '../x402/purpose.ts';
import { payIntent, paySale } from '../x402/settle.ts';
import { type Accepted, findPaid, requireStill } from './accepted.ts';
import { isOurs, requestOf } from './challenge.ts';
import { offeredAt } from './offer-challenges.ts';
import type { MppParts } from './parts.ts';
import { payPushed } from './pay-pushed.ts';
import { paySelfPaid } from './pay-self-paid.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import type { Credential, Proof } from './protocol.ts';

/** Takes a payment for what a place offers. A problem leaves nothing behind: nothing signed, sent or written. */
export async function payPlace(
  parts: MppParts,
  place: Place,
  { challenge, proof }: Credential,
  asked: Pick<Accepted, 'purpose' | 'caller'>,
): Promise<Outcome | Problem> {
  if (!isOurs(parts.challengeKeys, offeredAt(place), challenge))
    return problem('invalid-challenge', 'This challenge was not made here, or has been altered.');
  const request = requestOf(challenge);
  const accepted: Accepted = {
    ...{ challenge, place, ...asked },
    payTo: request.recipient,
    amountBaseUnits: BigInt(request.amount),
    memo: request.externalId,
    reference: namedInMemos([request.externalId])[0]!,
    intentId: place.kind === 'intent' ? place.intent.id : challenge.opaque!.order,
    settleAt: await settleAtOf(place),
  };
  return payAccepted(parts, accepted, proof, request.methodDetails.feePayerKey);
}

function payAccepted(
  parts: MppParts,
  accepted: Accepted,
  proof: Proof,
  feePayer: string | undefined,
): Promise<Outcome | Problem> | Problem {
  if (proof.type === 'signature')
    return feePayer === undefined
      ? payPushed(parts, accepted, proof.signature)
      : problem('invalid-payload', 'We send this one: the payload must have the type "transaction".');
  return feePayer === undefined
    ? paySelfPaid(parts, accepted, proof.transaction)
    : paySponsored(parts, accepted, proof.transaction, feePayer);
}

async function paySponsored(
  parts: MppParts,
  accepted: Accepted,
  wire: string,
  feePayer: string,
): Promise<Outcome | Problem> {
  const { memo, amountBaseUnits, payTo } = accepted;
  const transaction = await readSponsored(readTransaction(wire), {
    ...{ feePayer, memo, amountBaseUnits },
    mint: parts.mint,
    destination: payTo,
    reference: null,
  });
  if (typeof transaction === 'string') return REFUSALS[transaction];
  const outcome = await payOrder(parts, accepted, transaction);
  return isProblem(outcome) ? outcome : ofPayer(outcome, accepted.place, transaction.payer);
}

async function payOrder(
  parts: MppParts,
  accepted: Accepted,
  transaction: SponsoredTransaction,
): Promise<Outcome | Problem> {
  const { place, intentId, reference, settleAt } = accepted;
  const known = await findSponsoredByMessage(parts.db, transaction.messageHash);
  if (known?.intentId === intentId) return awaitOutcome(parts, known, settleAt);
  const paid = await findPaid(parts, accepted);
  if (paid) return paid;
  const open = await requireStill(parts, accepted);
  if (isProblem(open)) return open;
  const { caller } = accepted;
  caller.requireTurn();
  const payment = { via: 'mpp' as const, transaction, settleAt, caller };
  if (place.kind === 'intent') return payIntent(parts, open as Intent, payment);
  const { sale } = open as OpenSale;
  const key = orderKeyOf(accepted.purpose, { payer: transaction.payer, intentId });
  return paySale(parts, { ...payment, sale, intentId, reference, key, isBound: true });
}

const failed = (detail: string) => problem('verification-failed', detail);

const REFUSALS: Record<SponsorRefusal, Problem> = {
  not_a_transaction: problem('invalid-payload', 'This is not a Solana transaction.'),
  lookup_tables: failed('Address lookup tables are not supported.'),
  signers: failed('Exactly the fee payer and the payer may sign.'),
  sponsor_named: failed('The fee payer may pay the fee and appear nowhere else.'),
  program: failed('The transaction calls a program that is not allowed.'),
  compute_budget: failed('The compute unit limit may be 400,000 at most, and be set once.'),
  fee: failed('The priority fee may be 50,000 lamports at most.'),
  transfer: failed('There must be one plain TransferChecked.'),
  mint: failed('This is the wrong token.'),
  destination: failed('This pays somebody else.'),
  amount: problem('payment-insufficient', 'The amount is wrong.'),
  authority: failed('The transfer must come from the payer’s own associated token account.'),
  memo: failed('There must be exactly one memo, and it must be the externalId.'),
  payer_signature: failed('The payer’s signature is not valid.'),
};
