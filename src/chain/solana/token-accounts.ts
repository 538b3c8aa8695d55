import type { Json } from '../../platform/lib/json.ts';
import { associatedAccount } from './associated-account.ts';
import { TOKEN_PROGRAM } from './network.ts';
import { type Rpc, RpcFailure } from './rpc.ts';
import { array, object, text } from './shapes.ts';

export type TokenAccountState = 'missing' | 'usable' | 'frozen';

/** Where an account of the token program says whether it is frozen. */
const STATE_OFFSET = 108;
const FROZEN = 2;

/** Whether each owner's account for a token is there and can be paid into; in the order of the owners. */
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
    array(object(answer, 'accounts').value, 'accounts').map(toState),
  );
}

/** What an owner holds of a token in their associated account. */
export async function readTokenBalance(rpc: Rpc, mint: string, owner: string): Promise<bigint> {
  const account = await associatedAccount(owner, mint);
  return rpc.ask('getTokenAccountBalance', [account, { commitment: 'confirmed' }], (answer) => {
    const amount = text(object(object(answer, 'balance').value, 'balance').amount, 'amount');
    if (!/^[0-9]{1,20}$/.test(amount)) throw new RpcFailure('a balance that is not an amount');
    return BigInt(amount);
  });
}

function toState(value: Json): TokenAccountState {
  if (value === null) return 'missing';
  const account = object(value, 'account');
  // Lamports sent to where the account would be do not make one.
  if (account.owner !== TOKEN_PROGRAM) return 'missing';
  const [state] = Buffer.from(text(array(account.data, 'data')[0], 'data'), 'base64');
  return state === FROZEN ? 'frozen' : 'usable';
}
