import { address, isOffCurveAddress } from '@solana/kit';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';

/** The same few addresses are asked about with every payment, and each answer takes a calculation. */
const known = new BoundedMap<string, boolean>(10_000);

/** Off the curve no private key exists: a multisig’s vault, or another account that a program signs for. */
export function isOffCurve(text: string): boolean {
  return known.getOrMake(text, () => isOffCurveAddress(address(text)));
}
