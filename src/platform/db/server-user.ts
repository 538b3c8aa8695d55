import { lchownSync, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** User that a process runs as. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * An id without an account, from a range that neither distributions nor systemd assign, and inside what containers
 * map. `nobody` is shared: anything else that runs as it could read the database's files and memory.
 */
export const SERVER_UID = 60_720;

/**
 * The user for the server when we are root: its own, because PostgreSQL refuses root. A folder that belongs to another
 * user, chosen by an operator, keeps it; one that an earlier version gave to `nobody` does not.
 */
export async function serverUserOf(folder: string, uid: number | undefined): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  if (uid !== undefined) return { uid, gid: uid };
  const owner = await stat(folder);
  const { uid: nobody } = await namedUser();
  const isFree = owner.uid === 0 || owner.uid === nobody;
  return isFree ? { uid: SERVER_UID, gid: SERVER_UID } : { uid: owner.uid, gid: owner.gid };
}

/** initdb runs only as a user that has a name. */
export async function namedUser(): Promise<SystemUser> {
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = accounts.split('\n').find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** The folder itself last: as long as it belongs to someone else, the work is not done. */
export async function giveTo({ uid, gid }: SystemUser, folder: string): Promise<void> {
  const owner = await stat(folder);
  if (owner.uid === uid && owner.gid === gid) return;
  // A thousand files, in a few milliseconds: while the service is loaded, each turn of the event loop would take longer.
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
  lchownSync(folder, uid, gid);
}
