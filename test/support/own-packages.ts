import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Written last, beside the packages: the list that they were installed by. */
const INSTALLED = 'node_modules/.installed.json';

/** One process at a time, and one that has waited looks again. Only the packages are downloaded; none of them runs anything. */
const INSTALL = `cmp -s package-lock.json ${INSTALLED} && exit
  echo "Installing the packages of $0 …"
  npm ci --include=dev --ignore-scripts --no-audit --no-fund && cp package-lock.json ${INSTALLED} || exit 1
  echo "Installed the packages of $0 ($SECONDS s)."`;

/**
 * Installs the packages of a folder that has a package-lock.json of its own, unless they are there as it lists them.
 * Such packages are large, and only a few tests need them: nobody else waits for them.
 */
export function requirePackages(folder: string): void {
  if (isInstalled(folder)) return;
  const name = relative(join(import.meta.dirname, '../..'), folder);
  execFileSync('flock', ['package-lock.json', 'bash', '-c', INSTALL, name], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

function isInstalled(folder: string): boolean {
  try {
    const [wanted, installed] = ['package-lock.json', INSTALLED].map((file) =>
      readFileSync(join(folder, file)),
    );
    return wanted!.equals(installed!);
  } catch {
    return false;
  }
}
