import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultSponsorMode } from '../accounts/merchants/sponsor-fees.ts';
import { readFeePayer } from '../chain/fee-payer/fee-payer.ts';
import { type Config, ConfigError, mintOf } from '../config/config.ts';
import { createSponsor } from '../payments/sponsor/create-sponsor.ts';
import type { Sponsor } from '../payments/sponsor/sponsor.ts';
import type { Chain } from './open-chain.ts';

/** The fee payer as configured; undefined where there is none, and then payers pay their own fees. */
export async function openSponsor(config: Config, chain: Chain): Promise<Sponsor | undefined> {
  const isSandbox = config.FLORIN_NETWORK === 'sandbox';
  const file = config.FEE_PAYER_KEY_FILE ?? (isSandbox ? await ensureSandboxKey(config) : undefined);
  if (file === undefined) return undefined;
  const feePayer = await readFeePayer(file).catch((error: Error) => {
    throw new ConfigError(`FEE_PAYER_KEY_FILE (${file}): ${error.message}`);
  });
  await chain.fund?.(feePayer.address);
  return createSponsor({
    feePayer,
    rpc: chain.rpc,
    mint: mintOf(config),
    limitLamportsPerDay: BigInt(config.FEE_PAYER_MAX_LAMPORTS_PER_DAY),
    merchantLimitLamportsPerDay: toLimit(config.FEE_PAYER_MAX_LAMPORTS_PER_MERCHANT),
    minLamports: BigInt(config.FEE_PAYER_MIN_LAMPORTS),
    defaultMode: defaultSponsorMode(isSandbox),
    createAccount: chain.createAccount,
  });
}

const toLimit = (lamports: number | undefined) => (lamports === undefined ? null : BigInt(lamports));

/** Test money needs no operator who makes a key. */
async function ensureSandboxKey(config: Config): Promise<string> {
  const file = join(config.FLORIN_DATA, 'fee-payer.json');
  if (existsSync(file)) return file;
  await mkdir(config.FLORIN_DATA, { recursive: true });
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]);
  // Another process of this installation may have been faster.
  await writeFile(file, JSON.stringify([...bytes]), { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
    if (!existsSync(file)) throw error;
  });
  return file;
}
