import { AppError } from '../../platform/lib/errors.ts';
import { RpcFailure } from './rpc-failure.ts';

const MESSAGE = 'The Solana network cannot be reached right now; try again shortly.';

/** For `.catch`: what no node could answer is a 503 that says when to come back; any other error stays what it is. */
export function networkUnavailable(error: unknown): never {
  if (!(error instanceof RpcFailure)) throw error;
  throw new AppError('SERVICE_UNAVAILABLE', { message: MESSAGE, retryAfterSeconds: 1, cause: error });
}
