import { recordAudit } from '../audit/record.ts';
import type { Tx } from '../db/database.ts';
import { badField } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { isWithin, parseRange } from './allowed-addresses.ts';
import { type Environment, mintKey, SCOPES, type Scope } from './key.ts';
import { apiKeys, type KeyRow, updateKeysRevoked } from './queries.ts';

export interface GenerateKey {
  merchantId: string;
  actor: string;
  environment: Environment;
  name?: string | null | undefined;
  scopes?: readonly Scope[] | undefined;
  allowedAddresses?: readonly string[] | null | undefined;
  expiresAt?: Date | null | undefined;
  revokeExisting?: boolean | undefined;
  /** The most the new key may hold: the caller's own scopes, expiry and addresses. */
  ceiling: {
    scopes: readonly Scope[];
    expiresAt: Date | null;
    allowedAddresses?: { list: readonly string[] } | null;
  };
  now: Date;
}

export interface GeneratedKey extends KeyRow {
  raw: string;
}

/** Generates a key with no more scopes, no more addresses and no later expiry than the key that requested it. */
export async function generateKey(tx: Tx, input: GenerateKey): Promise<GeneratedKey> {
  const scopes = SCOPES.filter((scope) => (input.scopes ?? input.ceiling.scopes).includes(scope));
  const excess = scopes.find((scope) => !input.ceiling.scopes.includes(scope));
  if (excess) throw badField('scopes', `must not exceed those of the key in use, which lacks ${excess}`);
  const expiresAt = input.expiresAt ?? input.ceiling.expiresAt;
  if (expiresAt && expiresAt <= input.now) throw badField('expiresAt', 'must be in the future');
  if (input.ceiling.expiresAt && expiresAt && expiresAt > input.ceiling.expiresAt) {
    throw badField('expiresAt', 'must not be later than that of the key in use');
  }
  const allowedAddresses = addressesFor(input);
  if (input.revokeExisting) await revokeAll(tx, input);

  const { raw, hash, prefix } = mintKey(input.environment);
  const row = {
    id: newId(input.now),
    merchantId: input.merchantId,
    name: input.name ?? null,
    prefix,
    scopes,
    allowedAddresses,
    expiresAt,
    createdAt: input.now,
  };
  await apiKeys.insert(tx, { ...row, hash: Buffer.from(hash, 'hex') });
  await recordAudit(tx, {
    merchantId: input.merchantId,
    actor: input.actor,
    action: 'api_key.created',
    targetId: row.id,
    detail: { prefix, scopes, expiresAt, ...(allowedAddresses && { allowedAddresses }) },
    now: input.now,
  });
  return { ...row, revokedAt: null, lastUsedAt: null, raw };
}

function addressesFor({ allowedAddresses, ceiling }: GenerateKey): string[] | null {
  const own = ceiling.allowedAddresses?.list;
  const given = allowedAddresses ?? own;
  if (!given) return null;
  const widest = own?.map((text) => parseRange(text)!);
  const kept = given.map((text) => {
    const range = parseRange(text);
    if (!range)
      throw badField(
        'allowedAddresses',
        `must be IPv4 or IPv6 addresses or CIDR ranges; "${text}" is not one`,
      );
    if (widest && !widest.some((outer) => isWithin(range, outer)))
      throw badField('allowedAddresses', `must be within those of the key in use; ${text} is not`);
    return range.text;
  });
  return [...new Set(kept)];
}

async function revokeAll(tx: Tx, { merchantId, actor, now }: GenerateKey): Promise<void> {
  for (const targetId of await updateKeysRevoked(tx, merchantId, 'all', now)) {
    await recordAudit(tx, { merchantId, actor, action: 'api_key.revoked', targetId, now });
  }
}
