import { addressText } from './addresses.ts';
import { type AccountState, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './genesis.ts';

/** A token account, as its bytes say; both token programs lay out the basic fields of accounts and mints alike. */
export interface TokenAccount {
  programId: string;
  mint: string;
  owner: string;
  amount: bigint;
  state: 'initialized' | 'frozen';
  delegate: string | undefined;
  delegatedAmount: bigint;
  /** Wrapped SOL: the lamports that stay behind. */
  nativeReserve: bigint | undefined;
  closeAuthority: string | undefined;
}

export interface Mint {
  programId: string;
  mintAuthority: string | undefined;
  supply: bigint;
  decimals: number;
  freezeAuthority: string | undefined;
}

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
const MULTISIG_BYTES = 355;
/** Token-2022 writes the kind here when extensions follow. */
const KIND_AT = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;

export function tokenAccountOf(account: AccountState | undefined): TokenAccount | undefined {
  if (!account || !isTokenProgram(account.owner) || !hasLayout(account, ACCOUNT_BYTES, KIND_ACCOUNT)) return;
  const data = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.byteLength);
  const state = STATES[data[108]!];
  if (state === undefined) return;
  return {
    programId: account.owner,
    mint: addressText(data.subarray(0, 32)),
    owner: addressText(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    state,
    delegate: optionalAddress(data, 72),
    nativeReserve: data.readUInt32LE(109) === 1 ? data.readBigUInt64LE(113) : undefined,
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: optionalAddress(data, 129),
  };
}

const STATES: Record<number, TokenAccount['state']> = { 1: 'initialized', 2: 'frozen' };

export function mintOf(account: AccountState | undefined): Mint | undefined {
  if (!account || !isTokenProgram(account.owner) || !hasLayout(account, MINT_BYTES, KIND_MINT)) return;
  const data = Buffer.from(account.data.buffer, account.data.byteOffset, account.data.byteLength);
  if (data[45] !== 1) return;
  return {
    programId: account.owner,
    mintAuthority: optionalAddress(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data[44]!,
    freezeAuthority: optionalAddress(data, 46),
  };
}

export function isTokenProgram(address: string): boolean {
  return address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM;
}

function hasLayout({ data, owner }: AccountState, bytes: number, kind: number): boolean {
  if (data.length === bytes) return true;
  if (owner === TOKEN_PROGRAM || data.length === MULTISIG_BYTES) return false;
  return data.length > KIND_AT && data[KIND_AT] === kind;
}

function optionalAddress(data: Buffer, at: number): string | undefined {
  return data.readUInt32LE(at) === 1 ? addressText(data.subarray(at + 4, at + 36)) : undefined;
}

export interface Multisig {
  requiredSigners: number;
  signers: string[];
}

/** Both token programs keep a list of up to eleven signers in the same form. */
export function multisigOf(account: AccountState | undefined): Multisig | undefined {
  if (!account || !isTokenProgram(account.owner) || account.data.length !== MULTISIG_BYTES) return;
  const [requiredSigners, count, isInitialized] = account.data;
  if (isInitialized !== 1) return;
  const signerAt = (index: number) => addressText(account.data.subarray(3 + index * 32, 35 + index * 32));
  return {
    requiredSigners: requiredSigners!,
    signers: Array.from({ length: count! }, (_, i) => signerAt(i)),
  };
}

/** Bytes of the extensions, which begin at the same place in a mint and in an account. */
export function extensionBytesOf({ data, owner }: AccountState): Uint8Array {
  return owner === TOKEN_2022_PROGRAM ? data.subarray(KIND_AT + 1) : new Uint8Array();
}

export interface TokenAmount {
  amount: string;
  decimals: number;
  /** Null where the divisor is more than 64 bits hold. */
  uiAmount: number | null;
  uiAmountString: string;
}

const MAX_UI_DECIMALS = 19;

/** `amount` is exact; `uiAmount` is the float every cluster also sends, and nobody should count with. */
export function tokenAmountOf(amount: bigint, decimals: number): TokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const uiAmountString = fraction === '' ? whole : `${whole}.${fraction}`;
  const uiAmount = decimals <= MAX_UI_DECIMALS ? Number(amount) / 10 ** decimals : null;
  return { amount: amount.toString(), decimals, uiAmount, uiAmountString };
}

export interface TokenBalance {
  accountIndex: number;
  mint: string;
  owner: string;
  programId: string;
  uiTokenAmount: TokenAmount;
}

/**
 * The token balances among a transaction's accounts, at the time of the call. A cluster looks for them only where a token
 * program is among the accounts too.
 */
export function tokenBalancesOf(
  keys: readonly string[],
  read: (address: string) => AccountState | undefined,
): TokenBalance[] {
  if (!keys.some(isTokenProgram)) return [];
  return keys.flatMap((key, accountIndex) => {
    const token = tokenAccountOf(read(key));
    const mint = token && mintOf(read(token.mint));
    if (!mint) return [];
    const { mint: address, owner, programId, amount } = token;
    const uiTokenAmount = tokenAmountOf(amount, mint.decimals);
    return { accountIndex, mint: address, owner, programId, uiTokenAmount };
  });
}
