import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactNames, writeArtifacts } from './artifacts.ts';
import { dateUnreleased, unreleasedOf } from './changelog.ts';
import { isLater, setVersion, VERSION } from './versions.ts';

/** Why no release is made. Nothing has been changed. */
class Refusal extends Error {}

const root = join(import.meta.dirname, '../..');
const say = (text: string) => process.stdout.write(`${text}\n`);
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, stdio: 'inherit' });

try {
  await release(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`No release: ${error.message}\n`);
  process.exitCode = 1;
}

/**
 * `npm run release -- <version> [--dry-run]`: states the version everywhere, dates the changelog, regenerates what depends
 * on it, commits, writes release/ and tags. It never pushes. Whatever fails on the way is undone.
 */
async function release(args: readonly string[]): Promise<void> {
  const isDryRun = args.includes('--dry-run');
  const [version, ...more] = args.filter((arg) => arg !== '--dry-run');
  if (version === undefined || more.length > 0)
    throw new Refusal('usage: npm run release -- <version> [--dry-run]');
  const current: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  const notes = requireReady(version, current);
  const start = git('rev-parse', 'HEAD');
  let isDone = false;
  try {
    await prepare(current, version);
    if (isDryRun) {
      describe(version, notes);
      return;
    }
    git('commit', '--all', '--quiet', '--message', `release: ${version}`);
    writeArtifacts(root, version);
    git('tag', '--annotate', `v${version}`, '--message', `Florin ${version}\n\n${notes}`);
    isDone = true;
    say(
      `Florin ${version} is committed and tagged v${version}; its files are in release/. Nothing was pushed:`,
    );
    say(`  git push origin HEAD v${version}`);
  } finally {
    // The tree was clean, so this takes back our own changes alone.
    if (!isDone) git('reset', '--hard', '--quiet', start);
  }
}

/** Refuses whatever should not be released; answers what the changelog says about it. */
function requireReady(version: string, current: string): string {
  if (!VERSION.test(version)) throw new Refusal(`"${version}" is not a version such as 1.2.3 or 1.2.3-rc.1`);
  // The version of the manifests may itself be unreleased; its tag says whether it is.
  if (version !== current && !isLater(version, current))
    throw new Refusal(`${version} does not come after ${current}`);
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new Refusal(`commit or remove these changes first:\n${changes}`);
  if (git('tag', '--list', `v${version}`) !== '') throw new Refusal(`the tag v${version} exists already`);
  const notes = unreleasedOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (notes === undefined) throw new Refusal('CHANGELOG.md has no entry under "## Unreleased"');
  try {
    npm('run', '-s', 'check');
  } catch {
    throw new Refusal('npm run check fails');
  }
  return notes;
}

async function prepare(current: string, version: string): Promise<void> {
  await setVersion(root, current, version);
  const path = join(root, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(path, dateUnreleased(readFileSync(path, 'utf8'), version, day));
  npm('run', '-s', 'openapi');
}

function describe(version: string, notes: string): void {
  say(git('diff'));
  say(`\nNotes of v${version}:\n\n${notes}`);
  say(
    `\nA dry run: nothing was kept. Without --dry-run, this is committed as "release: ${version}", tagged v${version},`,
  );
  say(`and release/ holds ${artifactNames(version).join(', ')}.`);
}
