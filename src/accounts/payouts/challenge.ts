import { createPublicKey, verify } from 'node:crypto';
import { isOffCurve } from '../../chain/solana/off-curve.ts';
import type { Tx } from '../../platform/db/database.ts';
import { decodeBase58, isSignature } from '../../platform/lib/base58.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { randomBase62 } from '../../platform/lib/ids.ts';
import { requireWalletAddress } from './payout-address.ts';
import {
  type Challenge,
  deleteChallenge,
  deleteOldChallenges,
  payoutChallenges,
  upsertChallenge,
} from './queries.ts';

const LIFE_MINUTES = 10;

export interface ChallengeRequest {
  merchantId: string;
  address: string;
  /** Our address, whose host the message names. */
  publicUrl: string;
  now: Date;
}

/** Creates the message for a wallet to sign: for this merchant, this installation and these ten minutes only. */
export async function createChallenge(tx: Tx, request: ChallengeRequest): Promise<Challenge> {
  const { merchantId, address, now } = request;
  requireWalletAddress(address);
  if (isOffCurve(address)) {
    throw badField('payoutAddress', 'is off the curve, like a multisig vault, so no wallet can sign for it');
  }
  const expiresAt = addMinutes(now, LIFE_MINUTES);
  const challenge = { merchantId, address, message: messageFor(request, expiresAt), expiresAt };
  await deleteOldChallenges(tx, now);
  await upsertChallenge(tx, challenge);
  return challenge;
}

function messageFor({ merchantId, address, publicUrl, now }: ChallengeRequest, expiresAt: Date): string {
  return [
    `${new URL(publicUrl).host} asks you to prove that this wallet is yours.`,
    '',
    'Signing moves no money. The address will belong to this merchant alone: any other merchant of this installation that uses it loses it.',
    '',
    `Address: ${address}`,
    `Merchant: ${merchantId}`,
    `Nonce: ${randomBase62(22)}`,
    `Issued: ${now.toISOString()}`,
    `Expires: ${expiresAt.toISOString()}`,
  ].join('\n');
}

export interface Proof {
  merchantId: string;
  address: string;
  /** Base58, as wallets show it. */
  signature: string;
  now: Date;
}

/** Passes once for each challenge, and only with the signature of that very wallet. */
export async function checkProof(tx: Tx, { merchantId, address, signature, now }: Proof): Promise<void> {
  requireWalletAddress(address);
  if (!isSignature(signature)) throw badField('signature', 'must be an ed25519 signature in base58');
  const challenge = await payoutChallenges.find(tx, { merchantId, address }, 'for update');
  if (!challenge || challenge.expiresAt <= now) {
    throw new AppError('INVALID_STATE', {
      message:
        'There is no open challenge for this address; request a new one and sign it within 10 minutes.',
    });
  }
  if (!isSignedBy(address, challenge.message, signature)) {
    throw badField('signature', 'is not this wallet’s signature of the challenge');
  }
  await deleteChallenge(tx, merchantId, address);
}

/** The text itself, as wallets in a browser sign it, or in the envelope of `solana sign-offchain-message`. */
export function isSignedBy(address: string, message: string, signature: string): boolean {
  if (isOffCurve(address)) return false;
  const x = Buffer.from(decodeBase58(address)!).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from(message, 'utf8');
  const forms = [text, ...OFFCHAIN_FORMATS.map((format) => offchain(text, format))];
  return forms.some((bytes) => verify(null, bytes, key, decodeBase58(signature)!));
}

const OFFCHAIN_DOMAIN = Buffer.from('\xffsolana offchain', 'latin1');
/** Plain ASCII, short UTF-8, long UTF-8. */
const OFFCHAIN_FORMATS = [0, 1, 2];
const OFFCHAIN_VERSION = 0;

function offchain(text: Buffer, format: number): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([OFFCHAIN_DOMAIN, Buffer.from([OFFCHAIN_VERSION, format]), length, text]);
}
