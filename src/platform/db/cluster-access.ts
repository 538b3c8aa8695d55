import { chmod, chown, rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { SystemUser } from './server-user.ts';

/**
 * Allows only the user the service runs as, and root, which no lock keeps out; the kernel tells the server who
 * connects. Written at every start, so that a cluster of an earlier version, which trusted everyone who reached its
 * socket, is closed too.
 */
export async function writeAccessRules(
  cluster: string,
  role: string,
  owner: SystemUser | undefined,
): Promise<void> {
  const names = new Set(['root', ownName()]);
  const map = [...names].map((name) => `florin "${name}" ${role}\n`);
  await put(join(cluster, 'pg_ident.conf'), map.join(''), owner);
  await put(join(cluster, 'pg_hba.conf'), `local all ${role} peer map=florin\n`, owner);
}

/** A user without an account has no name. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'root';
  }
}

async function put(path: string, text: string, owner: SystemUser | undefined): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, `# Written by Florin at every start.\n${text}`, { mode: 0o600 });
  await chmod(draft, 0o600);
  if (owner) await chown(draft, owner.uid, owner.gid);
  await rename(draft, path);
}
