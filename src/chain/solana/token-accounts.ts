import type { Json } from '../../platform/lib/json.ts';
import { associatedAccount } from './associated-account.ts';
import { TOKEN_PROGRAM } from './network.ts';
import type { Rpc } from './rpc.ts';
import { RpcFailure } from './rpc-failure.ts';
import { array, arrayOf, object, text } from './shapes.ts';

export type TokenAccountState = 'missing' | 'usable' | 'frozen';

/** Offset of the byte in a token account that says if it is frozen. */
const STATE_OFFSET = 108;
const FROZEN = 2;

/** State of each owner's account for a token, in the order of the owners: missing, usable or frozen. */
export async function readTokenAccounts(
  rpc: Rpc,
  mint: string,
  owners: readonly string[],
): Promise<TokenAccountState[]> {
  const accounts = await Promise.all(owners.map((owner) => associatedAccount(owner, mint)));
  const options = {
    encoding: 'base64',
    commitment: 'confirmed',
    dataSlice: { offset: STATE_OFFSET, length: 1 },
  };
  return rpc.ask('getMultipleAccounts', [accounts, options], (answer) =>
    arrayOf(accounts.length, object(answer, 'accounts').value, 'accounts').map(toState),
  );
}

/** Offset of the balance in a token account. */
const AMOUNT = { offset: 64, length: 8 };

/** Balance of an owner's associated account for a token; 0 if the account is missing or not confirmed yet. */
export async function readTokenBalance(rpc: Rpc, mint: string, owner: string): Promise<bigint> {
  return readAccountBalance(rpc, await associatedAccount(owner, mint), 'confirmed');
}

/** Balance of a token account; 0 if it is missing. */
export function readAccountBalance(
  rpc: Rpc,
  account: string,
  commitment: 'processed' | 'confirmed',
): Promise<bigint> {
  const options = { encoding: 'base64', commitment, dataSlice: AMOUNT };
  // getTokenAccountBalance answers a missing account with an error.
  return rpc.ask('getMultipleAccounts', [[account], options], (answer) =>
    toAmount(arrayOf(1, object(answer, 'accounts').value, 'accounts')[0]!),
  );
}

function toAmount(value: Json): bigint {
  if (toState(value) === 'missing') return 0n;
  const data = Buffer.from(text(array(object(value, 'account').data, 'data')[0], 'data'), 'base64');
  if (data.length !== AMOUNT.length) throw new RpcFailure('a balance that is not an amount');
  return data.readBigUInt64LE();
}

function toState(value: Json): TokenAccountState {
  if (value === null) return 'missing';
  const account = object(value, 'account');
  // Lamports sent to where the account would be do not make one.
  if (account.owner !== TOKEN_PROGRAM) return 'missing';
  const [state] = Buffer.from(text(array(account.data, 'data')[0], 'data'), 'base64');
  return state === FROZEN ? 'frozen' : 'usable';
}
