import { generateKeyPairSync } from 'node:crypto';
import { type GeneratedKey, generateKey } from '../../platform/access/generate-key.ts';
import { type Environment, SCOPES } from '../../platform/access/key.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { badField } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { isBlank } from '../../platform/lib/visible-text.ts';
import { claimAddress } from '../payouts/claim-address.ts';
import { requireWalletAddress } from '../payouts/payout-address.ts';
import { defaultDelayHours } from '../payouts/pending-change.ts';
import { type Merchant, merchants, newWebhookSecret, VERIFIED } from './merchant.ts';
import { lockNoMerchants } from './queries.ts';

export interface CreateMerchant {
  name: string;
  payoutAddress: string | null;
  environment: Environment;
  now: Date;
}

export interface CreatedMerchant {
  merchant: Merchant;
  key: GeneratedKey;
  webhookSecret: string;
}

/** A merchant made by the operator is verified; it starts with one key that may do everything. */
export async function createMerchant(
  tx: Tx,
  secrets: SecretBox,
  input: CreateMerchant,
): Promise<CreatedMerchant> {
  const { length } = [...input.name];
  if (length < 1 || length > 255) throw badField('name', 'must be 1 to 255 characters');
  if (isBlank(input.name)) throw badField('name', 'must have a visible character');
  if (input.payoutAddress !== null) requireWalletAddress(input.payoutAddress);
  const webhookSecret = newWebhookSecret();
  const merchant: Merchant = {
    id: newId(input.now),
    name: input.name,
    brandColor: null,
    logoFile: null,
    timeZone: 'UTC',
    payoutAddress: input.payoutAddress,
    payoutChangeDelayHours: defaultDelayHours(input.environment),
    requirePasskeys: false,
    verificationStatus: VERIFIED,
    sponsorFees: null,
    announcesIntents: false,
    webhookUrl: null,
    webhookSecret: secrets.seal(webhookSecret),
    previousWebhookSecret: null,
    previousWebhookSecretUntil: null,
    createdAt: input.now,
    closedAt: null,
    movedTo: null,
  };
  // An address can only be claimed by a merchant that exists.
  await merchants.insert(tx, { ...merchant, payoutAddress: null });
  const { id: merchantId, payoutAddress: address } = merchant;
  if (address !== null) {
    await claimAddress(tx, { merchantId, address, now: input.now });
    await merchants.store(tx, merchant, ['payoutAddress']);
  }
  const actor = 'operator';
  await recordAudit(tx, {
    merchantId,
    actor,
    action: 'merchant.created',
    targetId: merchantId,
    now: input.now,
  });
  const key = await generateKey(tx, {
    merchantId,
    actor,
    environment: input.environment,
    name: 'First key',
    ceiling: { scopes: SCOPES, expiresAt: null },
    now: input.now,
  });
  return { merchant, key, webhookSecret };
}

/** Creates a demo merchant on a sandbox's first start; a database with merchants is left alone. */
export async function ensureDemoMerchant(
  db: Database,
  secrets: SecretBox,
  environment: Environment,
  now: Date,
): Promise<CreatedMerchant | undefined> {
  return db.transaction(async (tx) => {
    if (!(await lockNoMerchants(tx))) return undefined;
    return createMerchant(tx, secrets, {
      name: 'Demo shop',
      payoutAddress: newWalletAddress(),
      environment,
      now,
    });
  });
}

/** The address of a fresh wallet whose key is discarded: only for test money. */
function newWalletAddress(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  return encodeBase58(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
}
