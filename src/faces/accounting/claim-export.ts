import { AppError } from '../../platform/lib/errors.ts';

/** Each holds a connection to the database for as long as its reader takes. */
const EXPORTS_AT_ONCE = 2;

let running = 0;

/** A place among the exports that run; answers how to give it back, which has an effect once. */
export function claimExport(): () => void {
  if (running >= EXPORTS_AT_ONCE)
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: 'Other exports are running. Try again in a minute.',
    });
  running++;
  let isTaken = true;
  return () => {
    if (isTaken) running--;
    isTaken = false;
  };
}
