import { LIGHTHOUSE_PROGRAM, MEMO_PROGRAM, TOKEN_PROGRAMS, USDC_MINTS } from '../../chain/solana/network.ts';
import { boolean, nullable, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { decodeBase58, isSolanaAddress } from '../../platform/lib/base58.ts';
import { badField } from '../../platform/lib/errors.ts';

/** Addresses that a merchant may be paid at. */
export const payoutAddresses = table(
  'payout_addresses',
  {
    merchantId: uuid,
    address: text,
    /** Used by several merchants before addresses belonged to one: it works here, and belongs to another. */
    isShared: withDefault(boolean),
    verifiedAt: nullable(timestamp),
    /** An owner saw a payment in their wallet. */
    seenInWalletAt: nullable(timestamp),
    createdAt: timestamp,
  },
  ['merchantId', 'address'],
);
export type PayoutAddress = RowOf<typeof payoutAddresses>;

export const LOADERS: readonly string[] = [
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
];

/** Addresses that cannot be paid, known without asking a node. */
const KNOWN: Record<string, string> = {
  '11111111111111111111111111111111': 'the system program',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'the associated token account program',
  AddressLookupTab1e1111111111111111111111111: 'the address lookup table program',
  ComputeBudget111111111111111111111111111111: 'the compute budget program',
  [LIGHTHOUSE_PROGRAM]: 'the program of assertions that wallets add',
  [MEMO_PROGRAM]: 'the memo program',
  Config1111111111111111111111111111111111111: 'the config program',
  Ed25519SigVerify111111111111111111111111111: 'the ed25519 program',
  KeccakSecp256k11111111111111111111111111111: 'the secp256k1 program',
  Secp256r1SigVerify1111111111111111111111111: 'the secp256r1 program',
  Stake11111111111111111111111111111111111111: 'the stake program',
  StakeConfig11111111111111111111111111111111: 'the stake program’s settings',
  Vote111111111111111111111111111111111111111: 'the vote program',
  metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s: 'the token metadata program',
  So11111111111111111111111111111111111111112: 'the mint of wrapped SOL',
  '9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP': 'the mint of wrapped SOL',
  Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: 'the mint of USDT',
  '1nc1nerator11111111111111111111111111111111': 'the incinerator, which destroys what it is sent',
  Sysvar1111111111111111111111111111111111111: 'the owner of the sysvars',
  SysvarC1ock11111111111111111111111111111111: 'the clock sysvar',
  SysvarEpochSchedu1e111111111111111111111111: 'the epoch schedule sysvar',
  SysvarEpochRewards1111111111111111111111111: 'the epoch rewards sysvar',
  SysvarFees111111111111111111111111111111111: 'the fees sysvar',
  SysvarLastRestartS1ot1111111111111111111111: 'the last restart slot sysvar',
  SysvarRecentB1ockHashes11111111111111111111: 'the recent blockhashes sysvar',
  SysvarRent111111111111111111111111111111111: 'the rent sysvar',
  SysvarRewards111111111111111111111111111111: 'the rewards sysvar',
  SysvarS1otHashes111111111111111111111111111: 'the slot hashes sysvar',
  SysvarS1otHistory11111111111111111111111111: 'the slot history sysvar',
  SysvarStakeHistory1111111111111111111111111: 'the stake history sysvar',
  Sysvar1nstructions1111111111111111111111111: 'the instructions sysvar',
  ...Object.fromEntries(TOKEN_PROGRAMS.map((id) => [id, 'a token program'])),
  ...Object.fromEntries(LOADERS.map((id) => [id, 'a program loader'])),
  ...Object.fromEntries(Object.values(USDC_MINTS).map((id) => [id, 'the mint of USDC'])),
};

export const KNOWN_ADDRESSES: readonly string[] = Object.keys(KNOWN);

/** Why an address is no wallet's, for those who explain it in other languages. */
export const ADDRESS_PROBLEMS = [
  'program',
  'mint',
  'token_account',
  'other_token_account',
  'no_wallet',
] as const;
export type AddressProblem = (typeof ADDRESS_PROBLEMS)[number];

function problemOfKnown(known: string): AddressProblem {
  if (known.includes('mint of')) return 'mint';
  return /program( loader)?$/.test(known) ? 'program' : 'no_wallet';
}

/** Points of small order, without their sign bit: anyone can create a signature that matches them. */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
]);

/** A clear 400 for what is no address, and for what is known to be no wallet. */
export function requireWalletAddress(text: string, field = 'payoutAddress'): void {
  if (!isSolanaAddress(text)) throw badField(field, 'must be a Solana address');
  const known = KNOWN[text];
  if (known) throw notAWallet(`is ${known}`, field, problemOfKnown(known));
  const bytes = Buffer.from(decodeBase58(text)!);
  bytes[31]! &= 0x7f;
  if (SMALL_ORDER.has(bytes.toString('hex')))
    throw notAWallet('is a key that anybody can sign for', field, 'no_wallet');
}

export function notAWallet(what: string, field: string, problem: AddressProblem) {
  return badField(field, `${what}; send the address of a wallet`, { reason: problem });
}
