import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp } from '../../test/support/clean-up.ts';
import { temporaryFolder } from '../../test/support/process.ts';

export const root = join(import.meta.dirname, '../..');
const execute = promisify(execFile);

/** Runs a command to its end, without a network to fall back on; answers what it printed, or throws with it. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  };
  try {
    return (await execute(command, args, { cwd, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

/** The package as it would be published: built and packed by the command that the guide names. */
export async function packClient(): Promise<{ tarball: string; files: string[]; printed: string }> {
  const folder = await temporaryFolder(cleanUp);
  const printed = await run('npm', ['run', '-s', 'pack:sdk', '--', '--output', folder], root);
  const tarball = join(folder, (await readdir(folder))[0]!);
  const names = (await run('tar', ['-tzf', tarball], folder)).trim().split('\n');
  return { tarball, files: names.map((name) => name.replace(/^package\//, '')), printed };
}

/** A project of somebody else's with the package installed, these files, and links to these tools. */
export async function newProject(
  tarball: string,
  files: Record<string, string>,
  tools: readonly string[] = [],
): Promise<string> {
  const folder = await temporaryFolder(cleanUp);
  await writeFile(join(folder, 'package.json'), '{"name":"shop","private":true,"type":"module"}');
  await run('npm', ['install', tarball, '--no-audit', '--no-fund', '--cache', join(folder, '.npm')], folder);
  for (const tool of tools) {
    const link = join(folder, 'node_modules', tool);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', tool), link);
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}
