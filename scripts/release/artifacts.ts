import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const namesOf = (version: string) => ({
  sources: `florin-${version}.tar.gz`,
  server: `florin-${version}.tgz`,
  client: `florin-sdk-${version}.tgz`,
  chain: `florin-sandbox-chain-${version}.tgz`,
  sbom: `florin-${version}.sbom.cdx.json`,
  sums: 'SHA256SUMS',
});

export function artifactNames(version: string): string[] {
  return Object.values(namesOf(version));
}

/**
 * Fills release/ with what is published: the sources as committed, the server to install, the packed client and sandbox chain,
 * the list of all dependencies, and the checksums of these files. What was there before is removed.
 */
export function writeArtifacts(root: string, version: string): void {
  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { sources, sbom, sums } = namesOf(version);
  const run = (command: string, args: readonly string[]) =>
    execFileSync(command, args, {
      cwd: root,
      maxBuffer: 1_000_000_000,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  // gzip of Node writes no time, so the same commit always gives the same bytes.
  writeFileSync(
    join(folder, sources),
    gzipSync(run('git', ['archive', `--prefix=florin-${version}/`, 'HEAD'])),
  );
  for (const pack of ['pack', 'pack:sdk', 'pack:sandbox-chain'])
    run('npm', ['run', '-s', pack, '--', '--output', folder]);
  writeFileSync(join(folder, sbom), run('npm', ['run', '-s', 'sbom']));
  const lines = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, sums), lines.join(''));
}
