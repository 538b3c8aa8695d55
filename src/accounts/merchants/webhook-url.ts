import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
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
  // URL.parse drops what cannot be seen; what is stored must be what was meant.
  const url = UNSEEN.test(text) ? null : URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text)) throw badField(field, 'must be an absolute http(s) URL');
  if (url.protocol === 'http:' && !rules.allowHttp) throw badField(field, 'must start with https://');
  if (url.username || url.password) throw badField(field, 'must not contain a user name or password');
  if (text.includes('#')) throw badField(field, 'must not contain a fragment: what follows # is never sent');
  const objection = blockedHostReason(url.hostname, rules.allowPrivate);
  if (objection) throw badField(field, `cannot be reached: ${objection}`);
  if (!isHostAsTyped(text, url)) throw badField(field, `must name its host as it is called: ${url.host}`);
  return text;
}

/** Control characters, white space, and whatever else has no shape of its own. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** The parser reads a host into many a text that looks like another one, or like none. A name may be in its own script. */
function isHostAsTyped(text: string, { hostname }: URL): boolean {
  const [, typed = ''] = /^https?:\/\/([^/?#\\]*?)(?::\d*)?(?:[/?#\\]|$)/i.exec(text) ?? [];
  const host = typed.toLowerCase();
  return host === hostname || host.normalize('NFC') === domainToUnicode(hostname);
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
