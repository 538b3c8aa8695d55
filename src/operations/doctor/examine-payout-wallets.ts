import { listPaidAddresses } from '../../accounts/payouts/queries.ts';
import { isOffCurve } from '../../chain/solana/off-curve.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { arrayOf, object } from '../../chain/solana/shapes.ts';
import { readTokenAccounts } from '../../chain/solana/token-accounts.ts';
import type { Database } from '../../platform/db/database.ts';

type Note = (check: string, ok: boolean, detail: string) => void;

export interface WalletParts {
  db: Database;
  rpc: Rpc;
  mint: string;
}

const MAX_WALLETS = 1_000;
/** The most that a node reads in one call. */
const BATCH = 100;
const SHOWN = 5;

/**
 * Reports payout wallets that some wallet apps refuse to pay: without any SOL they are "not found", and without a USDC account
 * only an app that creates it can pay. A vault needs no SOL, because its payers get a transaction of ours.
 */
export async function examinePayoutWallets({ db, rpc, mint }: WalletParts, note: Note): Promise<void> {
  const addresses = await listPaidAddresses(db, MAX_WALLETS);
  const lacking: string[] = [];
  try {
    for (let at = 0; at < addresses.length; at += BATCH)
      lacking.push(...(await lackingAmong(rpc, mint, addresses.slice(at, at + BATCH))));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return note('payout wallets', true, `not known: no node reads them now (${error.message})`);
  }
  note(
    'payout wallets',
    lacking.length === 0,
    lacking.length === 0
      ? `${addresses.length} can be paid by every wallet app`
      : `${lacking.length} cannot be paid by every wallet app; send each a little SOL (0.001) and a cent of USDC: ${lacking.slice(0, SHOWN).join('; ')}`,
  );
}

async function lackingAmong(rpc: Rpc, mint: string, addresses: readonly string[]): Promise<string[]> {
  const options = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 0 } };
  const haveSol = await rpc.ask('getMultipleAccounts', [addresses, options], (answer) =>
    arrayOf(addresses.length, object(answer, 'accounts').value, 'accounts').map(
      (account) => account !== null,
    ),
  );
  const tokenAccounts = await readTokenAccounts(rpc, mint, addresses);
  return addresses.flatMap((address, i) => {
    const lacks = [
      !haveSol[i] && !isOffCurve(address) && 'no SOL',
      tokenAccounts[i] === 'missing' && 'no USDC account',
      tokenAccounts[i] === 'frozen' && 'a frozen USDC account',
    ].filter(Boolean);
    return lacks.length > 0 ? [`${address} has ${lacks.join(' and ')}`] : [];
  });
}
