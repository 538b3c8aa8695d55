import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { latestBlockhash } from '../src/chain/solana/latest-blockhash.ts';
import { createRpc } from '../src/chain/solana/rpc.ts';
import { text } from '../src/chain/solana/shapes.ts';

const AT_ONCE = 16;
const LAMPORTS = 10n ** 14n;
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');

/** Sends transactions that move nothing and name an account; answers when the chain has taken all of them. */
export async function sendSpam(rpcUrl: string, account: string, count: number): Promise<void> {
  const rpc = createRpc({ urls: [rpcUrl], maxPerSecond: 100_000, timeoutMs: 60_000 });
  const signer = await generateKeyPairSigner();
  const signature = (value: Parameters<typeof text>[0]) => text(value, 'signature');
  await rpc.ask('requestAirdrop', [signer.address, LAMPORTS], signature);
  const naming = namingOf(signer.address, address(account));
  let sent = 0;
  const sendOn = async () => {
    while (sent < count) {
      const nth = sent++;
      const { blockhash, lastValidBlockHeight } = await latestBlockhash(rpc);
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (draft) => setTransactionMessageFeePayerSigner(signer, draft),
        // Never twice the same transaction.
        (draft) => setTransactionMessageComputeUnitLimit(200_000 + nth, draft),
        (draft) => appendTransactionMessageInstructions([naming], draft),
        (draft) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: blockhash as Blockhash, lastValidBlockHeight },
            draft,
          ),
      );
      const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
      await rpc.ask('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }], signature);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
}

function namingOf(self: Address, account: Address): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: self, role: AccountRole.WRITABLE_SIGNER },
      { address: self, role: AccountRole.WRITABLE },
      { address: account, role: AccountRole.READONLY },
    ],
    // A transfer of one lamport to oneself.
    data: Uint8Array.from([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
  };
}
