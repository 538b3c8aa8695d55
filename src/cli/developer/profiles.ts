import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Io, Refusal } from './io.ts';

/** Login that `florin login` keeps: the server's address, its key, and the secret that `florin listen` signs with. */
export interface Profile {
  url: string;
  apiKey: string;
  listenSecret: string;
}

export const DEFAULT_PROFILE = 'default';

export function profilesPath({ env }: Io): string {
  const folder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return join(folder, 'florin', 'config.json');
}

export function readProfiles(io: Io): Record<string, Profile> {
  const path = profilesPath(io);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Refusal(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return (JSON.parse(text) as { profiles: Record<string, Profile> }).profiles;
  } catch {
    throw new Refusal(`${path} is not valid JSON`, 'Fix it, or delete it and run florin login again.');
  }
}

/** Written atomically, and private: it contains API keys. */
export function writeProfiles(io: Io, profiles: Record<string, Profile>): void {
  const path = profilesPath(io);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ profiles }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
