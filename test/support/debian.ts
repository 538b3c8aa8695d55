import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Waits for what else installs packages on the machine. */
const PATIENT = '-o DPkg::Lock::Timeout=600';

/** Makes sure a tool of Debian is there: a fresh machine has only git and npm. Some are in a package of another name. */
export function requireTool(name: string, packageName = name): void {
  if (isThere(name)) return;
  // Test files run side by side, and apt refuses to run twice at once.
  const install = `apt-get ${PATIENT} update -q && apt-get ${PATIENT} install -qy --no-install-recommends ${packageName}`;
  execFileSync('flock', [join(tmpdir(), 'florin-apt.lock'), 'sh', '-c', install], { stdio: 'pipe' });
}

function isThere(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
