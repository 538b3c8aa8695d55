import type { Json } from '../encoding/json.ts';
import { accountFormatIn } from './encode-account.ts';
import { invalidParams } from './rpc-error.ts';
import { commitmentIn, configParam, flag, type Params, toAddress, toSignature } from './rpc-params.ts';
import type { Topic } from './subscriptions.ts';

/** The methods that begin a subscription; each has a counterpart that ends it (`logsUnsubscribe`). */
export const subscribeMethods: Record<string, (params: Params) => Topic> = {
  slotSubscribe: () => ({ kind: 'slot' }),

  signatureSubscribe(params) {
    const config = configParam(params, 1);
    return {
      kind: 'signature',
      signature: toSignature(params[0]),
      commitment: commitmentIn(config),
      announceReceived: flag(config, 'enableReceivedNotification'),
    };
  },

  logsSubscribe(params) {
    return {
      kind: 'logs',
      mentions: mentionedBy(params[0]),
      commitment: commitmentIn(configParam(params, 1)),
    };
  },

  accountSubscribe(params) {
    const config = configParam(params, 1);
    return {
      kind: 'account',
      address: toAddress(params[0]),
      commitment: commitmentIn(config),
      format: accountFormatIn(config),
    };
  },
};

/** One address, or everything. */
function mentionedBy(filter: Json | undefined): string | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined;
  if (
    typeof filter === 'object' &&
    filter !== null &&
    !Array.isArray(filter) &&
    Array.isArray(filter.mentions)
  ) {
    if (filter.mentions.length === 1) return toAddress(filter.mentions[0]);
    throw invalidParams('Invalid Request: Only 1 address supported');
  }
  throw invalidParams('Invalid params: expected "all", "allWithVotes" or {"mentions": [address]}.');
}
