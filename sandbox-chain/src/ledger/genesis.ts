import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { encodeBase58 } from '../encoding/base58.ts';
import { addressBytes, addressText } from './addresses.ts';

/**
 * The genesis of the sandbox chain. All of it is fixed, so every start of every sandbox is the same network, and none
 * of it is worth anything: the keys are derived from words printed here.
 */
export const SANDBOX_GENESIS_HASH = '8qo6kWLEPKkYgeKRzRU8TGdm5RANhfmkREZHAXg67xP9';

/** USDC of devnet, so that wallets, explorers and configurations meet an address they know. */
export const SANDBOX_USDC_MINT = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
export const SANDBOX_USDC_DECIMALS = 6;

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111';
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';

/** The runtime's programs count as deployed before this slot; it is also the start of an epoch. */
export const SANDBOX_FIRST_SLOT = 440_208_000;
export const SLOTS_PER_EPOCH = 432_000;
/** Clusters skip slots, so a height is below its slot; code that mixes them up should notice here too. */
export const HEIGHT_BELOW_SLOT = 20_000_000;

export interface SandboxKey {
  address: string;
  /** The 32 secret bytes an ed25519 key pair grows from. */
  seed: Uint8Array;
}

/** Pays for airdrops and for the accounts of minted tokens. */
export const FAUCET: SandboxKey = keyFrom('sandbox chain faucet');
/** May mint, freeze and thaw the sandbox's USDC. */
export const SANDBOX_USDC_AUTHORITY: SandboxKey = keyFrom('sandbox chain usdc authority');

const FAUCET_LAMPORTS = 500_000_000_000_000_000n;

export interface AccountState {
  lamports: bigint;
  owner: string;
  data: Uint8Array;
  executable: boolean;
}

export function genesisAccounts(): [address: string, account: AccountState][] {
  const wallet = { owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  const mint = { lamports: 1_461_600n, owner: TOKEN_PROGRAM, data: mintData(), executable: false };
  return [
    [FAUCET.address, { ...wallet, lamports: FAUCET_LAMPORTS }],
    [SANDBOX_USDC_AUTHORITY.address, { ...wallet, lamports: FAUCET_LAMPORTS }],
    [SANDBOX_USDC_MINT, mint],
  ];
}

/** An initialized SPL mint: authority, supply 0, decimals, freeze authority. */
function mintData(): Buffer {
  const authority = Buffer.concat([Buffer.from([1, 0, 0, 0]), addressBytes(SANDBOX_USDC_AUTHORITY.address)]);
  const supply = Buffer.alloc(8);
  return Buffer.concat([authority, supply, Buffer.from([SANDBOX_USDC_DECIMALS, 1]), authority]);
}

function keyFrom(words: string): SandboxKey {
  const seed = createHash('sha256').update(words).digest();
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { address: addressText(spki.subarray(-32)), seed };
}

/** Each slot's blockhash follows from its number, so those handed out before a restart are still known after it. */
export function blockhashOf(slot: number): string {
  return encodeBase58(createHash('sha256').update(`${SANDBOX_GENESIS_HASH}/${slot}`).digest());
}
