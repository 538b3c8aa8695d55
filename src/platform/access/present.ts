import type { GeneratedKey } from './generate-key.ts';
import type { Environment } from './key.ts';
import type { KeyRow } from './queries.ts';

export function presentKey(key: KeyRow, environment: Environment) {
  const { id, name, prefix, scopes, allowedAddresses, expiresAt, lastUsedAt, revokedAt, createdAt } = key;
  return {
    id,
    name,
    prefix,
    scopes,
    allowedAddresses,
    environment,
    expiresAt,
    lastUsedAt,
    revokedAt,
    createdAt,
  };
}

export function presentGeneratedKey(key: GeneratedKey, environment: Environment) {
  const { id, name, prefix, scopes, allowedAddresses, expiresAt, createdAt, raw } = key;
  return {
    id,
    name,
    apiKey: raw,
    rawApiKey: raw,
    prefix,
    scopes,
    allowedAddresses,
    environment,
    expiresAt,
    createdAt,
  };
}
