import { refresh } from './refresh.js';
import { connect, disable, listWallets, post, Refusal, tell } from './wallet-list.js';

/** @typedef {import('./wallet-list.js').Wallet} Wallet */

const SIGN = 'solana:signMessage';

/** Fills `[data-prove]` with the wallets that can say where their owner's refund goes. */
export function offerProofs() {
  listWallets('[data-prove]', (features) => SIGN in features, prove);
}

/**
 * The wallet that paid signs, and the refund may go back there at once. Any other only lends its address to the form,
 * for its owner to look at and to send.
 * @param {Wallet} wallet
 * @param {HTMLElement} place
 */
async function prove(wallet, place) {
  const { chain = '', payer = '', message = '', claim = '' } = place.dataset;
  const { connecting, approve, confirmed, refused, other, failed } = place.dataset;
  const enable = disable(place);
  tell(place, connecting);
  try {
    const accounts = await connect(wallet, chain);
    const account = accounts.find(({ address }) => address === payer);
    if (!account || !message) {
      fillIn(accounts[0].address);
      tell(place, other);
      return;
    }
    tell(place, approve);
    const request = { account, message: new TextEncoder().encode(message) };
    const [{ signature }] = await wallet.features[SIGN].signMessage(request);
    await post(claim, { address: payer, signature: toBase58(signature) });
    tell(place, confirmed);
    await refresh();
  } catch (error) {
    tell(place, error instanceof Refusal ? failed : refused, true);
  } finally {
    enable();
  }
}

/** @param {string} address */
function fillIn(address) {
  const input = document.getElementById('address');
  if (!(input instanceof HTMLInputElement)) return;
  input.value = address;
  input.focus();
}

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** @param {Uint8Array} bytes */
function toBase58(bytes) {
  let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let text = '';
  for (; number > 0n; number /= 58n) text = LETTERS[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text;
}
