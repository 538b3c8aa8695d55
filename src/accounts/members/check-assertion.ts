import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Assertion } from './credential.ts';
import { consumeChallenge, requireRelyingParty, storeChallenge } from './passkey.ts';
import type { Passkey } from './passkey-queries.ts';
import {
  type Challenge,
  findPasskeyByCredential,
  listPasskeys,
  updatePasskeyUsed,
} from './passkey-queries.ts';
import { webauthn } from './webauthn.ts';

type Asked = Omit<Challenge, 'hash'>;

/** Options for `navigator.credentials.get()`. Without a member the browser offers every passkey it has for us. */
export async function createAssertionOptions(
  db: Database,
  publicUrl: string,
  asked: Asked & { memberId?: string },
  now: Date,
) {
  const { memberId, ...challenge } = asked;
  const own = memberId && asked.merchantId ? await listPasskeys(db, asked.merchantId, memberId) : [];
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: requireRelyingParty(publicUrl).id,
    userVerification: 'required',
    allowCredentials: own.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
  });
  await storeChallenge(db, options.challenge, challenge, now);
  return options;
}

export interface CheckedAssertion {
  passkey: Passkey;
  counter: number;
}

/** Finds the passkey that signed our challenge; anything wrong with it gets the same 401. */
export async function checkAssertion(
  db: Database,
  publicUrl: string,
  assertion: Assertion,
  asked: Asked,
  now: Date,
): Promise<CheckedAssertion> {
  const party = requireRelyingParty(publicUrl);
  const challenge = await consumeChallenge(db, assertion.response.clientDataJSON, asked, now);
  const passkey = await findPasskeyByCredential(db, Buffer.from(assertion.id, 'base64url'));
  if (challenge === undefined || !passkey || isForeign(assertion, passkey)) throw passkeyRefused();
  const { credentialId, publicKey, counter } = passkey;
  const { verifyAuthenticationResponse } = await webauthn();
  const result = await verifyAuthenticationResponse({
    response: assertion,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: credentialId.toString('base64url'),
      publicKey: new Uint8Array(publicKey),
      counter: Number(counter),
    },
  }).catch((error: Error) => {
    throw passkeyRefused(error.message);
  });
  if (!result.verified) throw passkeyRefused();
  return { passkey, counter: result.authenticationInfo.newCounter };
}

/** The authenticator says whose key it is; that must match our record. */
function isForeign({ response }: Assertion, { memberId }: Passkey): boolean {
  if (response.userHandle === undefined) return false;
  return Buffer.from(response.userHandle, 'base64url').toString('utf8') !== memberId;
}

export async function notePasskeyUsed(
  tx: Tx,
  { passkey, counter }: CheckedAssertion,
  now: Date,
): Promise<void> {
  if (!(await updatePasskeyUsed(tx, passkey, counter, now))) throw passkeyRefused();
}

/** The one answer to a passkey that is refused, no matter what is wrong with it. */
export function passkeyRefused(detail?: string): AppError {
  return new AppError('SIGN_IN_FAILED', {
    message: 'This passkey was not accepted.',
    ...(detail !== undefined && { detail }),
  });
}
