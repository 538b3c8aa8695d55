import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUp } from './clean-up.ts';
import { temporaryFolder } from './process.ts';

const root = join(import.meta.dirname, '../..');

export interface CopiedCheckout {
  folder: string;
  git(...args: string[]): string;
}

/** This checkout as it is now, uncommitted work included, as the only commit of a repository of its own. */
export async function copiedCheckout(): Promise<CopiedCheckout> {
  const folder = join(await temporaryFolder(cleanUp), 'florin');
  await mkdir(folder);
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  // A file that was just removed is still listed.
  const files = listed
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)));
  execFileSync('cp', ['--parents', ...files, folder], { cwd: root });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'A maintainer');
  git('config', 'user.email', 'maintainer@florin.example');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all of it');
  return { folder, git };
}
