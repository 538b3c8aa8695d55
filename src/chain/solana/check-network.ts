import { GENESIS_HASHES, type Network, TOKEN_PROGRAM, USDC_DECIMALS } from './network.ts';
import type { Rpc } from './rpc.ts';
import { array, object, text } from './shapes.ts';

/**
 * Refuses a node of the wrong cluster or with the wrong token: money would be looked for where it never comes. Throws
 * an RpcFailure where the node cannot say. Returns its genesis hash; `known` is that of before, where it was read.
 */
export async function checkNode(
  rpc: Rpc,
  node: number,
  network: Network,
  mint: string,
  known?: string,
): Promise<string> {
  const genesis = await checkGenesis(rpc, node, network, known);
  const account = await rpc.askNode(
    node,
    'getAccountInfo',
    [mint, { encoding: 'base64', commitment: 'confirmed' }],
    (value) => {
      const found = object(value, 'account').value;
      if (found === null) return null;
      const info = object(found, 'account');
      return {
        owner: text(info.owner, 'owner'),
        data: Buffer.from(text(array(info.data, 'data')[0], 'data'), 'base64'),
      };
    },
  );
  const says = `node ${node + 1} of SOLANA_RPC_URLS`;
  if (!account) throw new Error(`USDC_MINT: there is no account ${mint} on ${network}, says ${says}`);
  if (account.owner !== TOKEN_PROGRAM)
    throw new Error(`USDC_MINT: ${mint} does not belong to the SPL Token program, says ${says}`);
  const decimals = account.data.length === MINT_BYTES ? account.data[DECIMALS_AT] : undefined;
  if (decimals !== USDC_DECIMALS)
    throw new Error(`USDC_MINT: ${mint} is not a mint with ${USDC_DECIMALS} decimals, says ${says}`);
  return genesis;
}

/** The same without the token. */
export async function checkGenesis(
  rpc: Rpc,
  node: number,
  network: Network,
  known?: string,
): Promise<string> {
  const genesis = await rpc.askNode(node, 'getGenesisHash', [], (value) => text(value, 'genesis hash'));
  const expected = network === 'sandbox' ? known : GENESIS_HASHES[network];
  if (expected !== undefined && genesis !== expected) {
    throw new Error(
      `SOLANA_RPC_URLS: node ${node + 1} is not on ${network} (its genesis hash is ${genesis})`,
    );
  }
  return genesis;
}

const MINT_BYTES = 82;
const DECIMALS_AT = 44;
