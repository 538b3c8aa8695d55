import { recordAudit } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError, badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { Attestation } from './credential.ts';
import { actorOf, type Moment } from './member.ts';
import { ALGORITHMS, consumeChallenge, requireRelyingParty, storeChallenge } from './passkey.ts';
import type { Passkey } from './passkey-queries.ts';
import { insertPasskey, listPasskeys } from './passkey-queries.ts';
import { findMember } from './queries.ts';
import { webauthn } from './webauthn.ts';

export interface PasskeyOwner {
  merchantId: string;
  memberId: string;
  sessionId: string;
  publicUrl: string;
}

/** Options for `navigator.credentials.create()`. */
export async function createPasskeyOptions(db: Database, owner: PasskeyOwner, now: Date) {
  const { merchantId, memberId, sessionId, publicUrl } = owner;
  const party = requireRelyingParty(publicUrl);
  const member = await findMember(db, merchantId, memberId);
  if (!member) throw new AppError('SIGN_IN_REQUIRED');
  const present = await listPasskeys(db, merchantId, memberId);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Florin',
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(memberId)),
    userName: member.email,
    userDisplayName: member.name,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: present.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    // Discoverable: stored in the authenticator, so that signing in needs no user name.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(db, options.challenge, { purpose: 'register', merchantId, sessionId }, now);
  return options;
}

/** Keeps a passkey that answers the challenge of this very session. */
export async function addPasskey(
  db: Database,
  owner: PasskeyOwner,
  given: { attestation: Attestation; name: string },
  { now, serviceNow }: Moment,
): Promise<Passkey> {
  const { merchantId, memberId, sessionId } = owner;
  const { response } = given.attestation;
  const asked = { purpose: 'register', merchantId, sessionId } as const;
  const challenge = await consumeChallenge(db, response.clientDataJSON, asked, now);
  if (challenge === undefined)
    throw badField('credential', 'does not match a challenge of this session; start again');
  const info = await verified(given.attestation, challenge, owner.publicUrl);
  const passkey: Passkey = {
    merchantId,
    id: newId(now),
    memberId,
    name: given.name,
    credentialId: Buffer.from(info.credential.id, 'base64url'),
    publicKey: Buffer.from(info.credential.publicKey),
    counter: BigInt(info.credential.counter),
    transports: response.transports,
    isSynced: info.credentialBackedUp,
    createdAt: now,
    lastUsedAt: null,
  };
  await db.transaction(async (tx) => {
    if (!(await insertPasskey(tx, passkey)))
      throw new AppError('INVALID_STATE', { message: 'This passkey is already registered.' });
    const entry = { merchantId, actor: actorOf(memberId), targetId: passkey.id, now: serviceNow };
    await recordAudit(tx, { ...entry, action: 'passkey.added', detail: { name: given.name } });
  });
  return passkey;
}

async function verified(attestation: Attestation, expectedChallenge: string, publicUrl: string) {
  const party = requireRelyingParty(publicUrl);
  const { verifyRegistrationResponse } = await webauthn();
  const result = await verifyRegistrationResponse({
    response: attestation,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: Error) => {
    throw badField('credential', 'cannot be verified', { detail: error.message });
  });
  if (!result.verified) throw badField('credential', 'cannot be verified');
  return result.registrationInfo;
}
