import type { Principal } from '../../platform/access/principal.ts';
import type { EmailSource } from './customer.ts';

/** A key or a member speaks for the merchant; an assistant may have been talked into an address by anybody. */
export function emailSourceOf({ agent }: Pick<Principal, 'agent'>): EmailSource {
  return agent ? 'typed' : 'merchant';
}
