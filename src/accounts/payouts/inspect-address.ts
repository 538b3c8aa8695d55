import { TOKEN_PROGRAMS, USDC_MINTS } from '../../chain/solana/network.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { array, object, text } from '../../chain/solana/shapes.ts';
import { encodeBase58 } from '../../platform/lib/base58.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { Json } from '../../platform/lib/json.ts';
import { type AddressProblem, LOADERS, notAWallet, requireWalletAddress } from './payout-address.ts';

interface Account {
  owner: string;
  isExecutable: boolean;
  /** Its first bytes: enough to distinguish a mint from a token account. */
  data: Buffer;
}

const MINT_BYTES = 82;
const ADDRESS_BYTES = 32;
const TOKEN_ACCOUNT_BYTES = 165;
/** After the first 165 bytes, where Token-2022 stores the account type. */
const MINT_TYPE = 1;
const TOKEN_ACCOUNT_TYPE = 2;

const OWNERS: Record<string, string> = {
  Stake11111111111111111111111111111111111111: 'is a stake account',
  Vote111111111111111111111111111111111111111: 'is a vote account',
  Sysvar1111111111111111111111111111111111111: 'is a sysvar',
};

/**
 * Refuses anything that is not a wallet: first what is known offline, then what the chain says. An unreachable node
 * is a 503, because money sent to a program or a mint is lost. A sandbox process without a node skips the check.
 */
export async function inspectAddress(rpc: Rpc, address: string, field = 'payoutAddress'): Promise<void> {
  requireWalletAddress(address, field);
  if (rpc.nodeCount === 0) return;
  const account = await readAccount(rpc, address);
  const problem = account && problemOf(account);
  if (problem) throw notAWallet(problem.text, field, problem.reason);
}

async function readAccount(rpc: Rpc, address: string): Promise<Account | undefined> {
  const options = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 166 } };
  try {
    return await rpc.ask('getAccountInfo', [address, options], toAccount);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'No Solana node could read this address, so nothing was changed. Try again shortly.',
      detail: error.message,
      cause: error,
    });
  }
}

function toAccount(answer: Json): Account | undefined {
  const { value } = object(answer, 'getAccountInfo');
  if (value === null) return undefined;
  const account = object(value, 'the account');
  return {
    owner: text(account.owner, 'its owner'),
    isExecutable: account.executable === true,
    data: Buffer.from(text(array(account.data, 'its data')[0], 'its data'), 'base64'),
  };
}

interface Problem {
  text: string;
  reason: AddressProblem;
}

function problemOf({ owner, isExecutable, data }: Account): Problem | undefined {
  if (isExecutable) return { text: 'is a program', reason: 'program' };
  if (LOADERS.includes(owner)) return { text: 'belongs to a program', reason: 'program' };
  if (!TOKEN_PROGRAMS.includes(owner)) {
    const text = OWNERS[owner];
    return text === undefined ? undefined : { text, reason: 'no_wallet' };
  }
  const type = data[TOKEN_ACCOUNT_BYTES];
  if (data.length === MINT_BYTES || type === MINT_TYPE)
    return { text: 'is a mint: the definition of a token', reason: 'mint' };
  if (data.length !== TOKEN_ACCOUNT_BYTES && type !== TOKEN_ACCOUNT_TYPE)
    return { text: 'is an account of the token program', reason: 'no_wallet' };
  const isUsdc = Object.values(USDC_MINTS).includes(encodeBase58(data.subarray(0, ADDRESS_BYTES)));
  return isUsdc
    ? { text: 'is a token account, not the wallet that owns it', reason: 'token_account' }
    : { text: 'is the account of another token, not a wallet', reason: 'other_token_account' };
}
