import { createHmac } from 'node:crypto';
import { type Client, createClient } from './client.ts';
import { type Io, Refusal, UsageError } from './io.ts';
import { DEFAULT_PROFILE, readProfiles } from './profiles.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4020';

export interface ConnectionOptions {
  profile?: string;
  url?: string;
}

/** A server, the key to it, and where the key came from. */
export interface Connection {
  url: string;
  apiKey: string | undefined;
  source: string;
  /** Secret that `florin listen` signs with: the same each time. */
  listenSecret: string;
}

/**
 * The environment overrides the profile, and --url overrides both. A profile chosen by name overrides the
 * environment.
 */
export function findConnection(io: Io, options: ConnectionOptions): Connection {
  const { env } = io;
  const profiles = readProfiles(io);
  const name = options.profile ?? DEFAULT_PROFILE;
  const profile = profiles[name];
  if (options.profile !== undefined && !profile)
    throw new Refusal(
      `there is no profile "${name}"`,
      `There ${listOf(Object.keys(profiles))}. Create it with: florin login --profile ${name}`,
    );
  const isFromEnv = options.profile === undefined && Boolean(env.FLORIN_API_KEY);
  const apiKey = isFromEnv ? env.FLORIN_API_KEY : profile?.apiKey;
  const urlOfEnv = options.profile === undefined ? env.FLORIN_URL : undefined;
  return {
    url: cleanUrl(options.url ?? (urlOfEnv || profile?.url || DEFAULT_URL)),
    apiKey,
    source: isFromEnv ? 'FLORIN_API_KEY' : `profile "${name}"`,
    listenSecret: isFromEnv || !profile ? derivedSecret(apiKey ?? '') : profile.listenSecret,
  };
}

function listOf(names: readonly string[]): string {
  return names.length === 0
    ? 'are no profiles yet'
    : `${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}

/** Derives the secret from the key, without revealing it, if there is no profile to store one in. */
function derivedSecret(apiKey: string): string {
  return `whsec_${createHmac('sha256', apiKey).update('florin listen').digest('hex').slice(0, 40)}`;
}

export function cleanUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`"${text}" is not the URL of a server`, `It looks like ${DEFAULT_URL}.`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A client with a key; without one there is nothing to ask. */
export function connect(io: Io, options: ConnectionOptions): Client {
  const connection = findConnection(io, options);
  if (!connection.apiKey)
    throw new Refusal('you are not logged in', 'Run florin login, or set FLORIN_API_KEY and FLORIN_URL.');
  return createClient(connection);
}
