import { GENESIS_HASHES, type Network, TOKEN_PROGRAM, USDC_DECIMALS } from './network.ts';
import type { Rpc } from './rpc.ts';
import { array, object, text } from './shapes.ts';

/** Refuses to run against the wrong cluster or the wrong token: money would be looked for where it never comes. */
export async function checkNetwork(rpc: Rpc, network: Network, mint: string): Promise<void> {
  for (let node = 0; node < rpc.nodeCount; node++) {
    const genesis = await rpc.askNode(node, 'getGenesisHash', [], (value) => text(value, 'genesis hash'));
    const expected = network === 'sandbox' ? undefined : GENESIS_HASHES[network];
    if (expected !== undefined && genesis !== expected) {
      throw new Error(
        `SOLANA_RPC_URLS: node ${node + 1} is not on ${network} (its genesis hash is ${genesis})`,
      );
    }
  }
  const account = await rpc.ask(
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
  if (!account) throw new Error(`USDC_MINT: there is no account ${mint} on ${network}`);
  if (account.owner !== TOKEN_PROGRAM)
    throw new Error(`USDC_MINT: ${mint} does not belong to the SPL Token program`);
  const decimals = account.data.length === MINT_BYTES ? account.data[DECIMALS_AT] : undefined;
  if (decimals !== USDC_DECIMALS)
    throw new Error(`USDC_MINT: ${mint} is not a mint with ${USDC_DECIMALS} decimals`);
}

const MINT_BYTES = 82;
const DECIMALS_AT = 44;
