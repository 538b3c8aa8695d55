import { connect, type Wallet } from '../parts/wallets.ts';
import { t } from '../words/t.ts';

export const canSignMessage = ({ features }: Wallet) => features['solana:signMessage'] !== undefined;

/** The signature of this very address, in base58. */
export async function signMessage(wallet: Wallet, address: string, message: string): Promise<string> {
  const account = (await connect(wallet)).find((each) => each.address === address);
  if (!account) {
    throw new Error(
      t('{name} isn’t using this address. Select it in the wallet, then try again.', { name: wallet.name }),
    );
  }
  const bytes = new TextEncoder().encode(message);
  const [signed] = await wallet.features['solana:signMessage']!.signMessage({ account, message: bytes });
  if (!signed) throw new Error(t('{name} didn’t sign the message.', { name: wallet.name }));
  return base58(signed.signature);
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = '';
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}
