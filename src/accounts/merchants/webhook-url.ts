import { isIP } from 'node:net';
import { blockedReason } from '../../platform/lib/blocked-address.ts';
import { badField } from '../../platform/lib/errors.ts';

export interface WebhookRules {
  /** http:// as well as https://. */
  allowHttp: boolean;
  /** This machine and private networks too. */
  allowPrivate: boolean;
}

const MAX_LENGTH = 2_048;

/** The URL as it will be called, or a clear 400. Where it may lead is checked again at every connection. */
export function parseWebhookUrl(text: string, rules: WebhookRules, field = 'webhookUrl'): string {
  if (text.length > MAX_LENGTH) throw badField(field, `must be at most ${MAX_LENGTH} characters`);
  // URL.parse drops white space and line breaks silently; what is stored must be what was meant.
  const url = /[\u0000-\u0020\u007f-\u009f]/.test(text) ? null : URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) throw badField(field, 'must be an absolute http(s) URL');
  if (url.protocol === 'http:' && !rules.allowHttp) throw badField(field, 'must start with https://');
  if (url.username || url.password) throw badField(field, 'must not contain a user name or password');
  const objection = blockedHostReason(url.hostname, rules.allowPrivate);
  if (objection) throw badField(field, `cannot be reached: ${objection}`);
  return text;
}

/** Only what is certain now: where a name resolves to is known when it is called. */
function blockedHostReason(hostname: string, allowPrivate: boolean): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) {
    const objection = blockedReason(host, allowPrivate);
    return objection && `${host} is ${objection}`;
  }
  const isThisMachine = /(^|\.)localhost\.?$/.test(host);
  return isThisMachine && !allowPrivate ? `${host} is this machine` : undefined;
}
