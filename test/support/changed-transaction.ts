import {
  compileTransaction,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';

/** Signs a transaction as a wallet does that first adds something of its own, in base64. */
export async function signedWith(
  instructions: readonly Instruction[],
  transaction: string,
  signer: KeyPairSigner,
): Promise<string> {
  const decoded = getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
  const message = decompileTransactionMessage(
    getCompiledTransactionMessageDecoder().decode(decoded.messageBytes),
  );
  const longer = { ...message, instructions: [...message.instructions, ...instructions] };
  const changed =
    instructions.length > 0
      ? compileTransaction(longer as Parameters<typeof compileTransaction>[0])
      : decoded;
  return getBase64EncodedWireTransaction(await partiallySignTransaction([signer.keyPair], changed));
}
