import { execFile, execFileSync } from 'node:child_process';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp } from './clean-up.ts';
import { requireTool } from './debian.ts';
import { freePort, temporaryFolder } from './process.ts';

const BINARIES = '/usr/lib/postgresql/15/bin';

export interface OwnPostgres {
  databaseUrl: string;
  /** Runs the commands of a guide as its reader would, with this server in the place of theirs. */
  follow(script: string): Promise<string>;
  query(sql: string): Promise<string>;
}

/**
 * A PostgreSQL of Debian, as an operator has it. Guides say /var/lib/postgresql/15/main and /backups: both are folders of
 * this test, and `systemctl` and `sudo` are functions of the shell. With `diskMb` its files have a disk of their own, which
 * can be filled; only root can make one.
 */
export async function ownPostgres({ diskMb }: { diskMb?: number } = {}): Promise<OwnPostgres> {
  requireTool(`${BINARIES}/postgres`, 'postgresql-15');
  const folder = await temporaryFolder(cleanUp);
  const owner = process.getuid?.() === 0 ? userNamed('postgres') : undefined;
  if (owner) await chown(folder, owner.uid, owner.gid);
  const [main, backups, port] = [join(folder, 'main'), join(folder, 'backups'), await freePort()];
  await mkdir(backups);
  if (owner) await chown(backups, owner.uid, owner.gid);
  if (diskMb !== undefined) await mountDisk(main, diskMb, owner);
  const functions = join(folder, 'functions.sh');
  await writeFile(functions, shellFunctions(main, folder, port));
  const run = async (script: string) => {
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euo', 'pipefail', '-c', `. ${functions}\n${script}`],
      {
        ...owner,
        cwd: folder,
        env: {
          PATH: `${BINARIES}:/usr/bin:/bin`,
          PGHOST: folder,
          PGPORT: String(port),
          PGUSER: 'postgres',
          LC_ALL: 'C',
          TZ: 'UTC',
        },
      },
    );
    return stdout;
  };
  await run(
    `initdb -D ${main} -U postgres --auth=trust --encoding=UTF8 > /dev/null; systemctl start postgresql`,
  );
  cleanUp(() => run('systemctl stop postgresql').catch(() => {}));
  await run('psql -qc "create role florin login" -c "create database florin owner florin"');
  return {
    databaseUrl: `postgres://florin@127.0.0.1:${port}/florin`,
    follow: (script) =>
      run(script.replaceAll('/var/lib/postgresql/15/main', main).replaceAll('/backups', backups)),
    query: async (sql) => (await run(`psql -d florin -Atc "${sql}"`)).trim(),
  };
}

function shellFunctions(main: string, folder: string, port: number): string {
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  return `
sudo() { if [ "$1" = -u ]; then shift 2; fi; "$@"; }
systemctl() {
  case "$*" in *postgresql*) ;; *) return 0 ;; esac
  if [ "$1" != start ]; then pg_ctl -D ${main} -m fast -w stop > /dev/null; fi
  if [ "$1" != stop ]; then pg_ctl -D ${main} -w -l ${folder}/server.log -o "${options}" start > /dev/null; fi
}
`;
}

async function mountDisk(folder: string, sizeMb: number, owner: { uid: number; gid: number } | undefined) {
  await mkdir(folder);
  const { uid, gid } = owner ?? {};
  const options = `size=${sizeMb}m,mode=0700${owner ? `,uid=${uid},gid=${gid}` : ''}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'florin', folder]);
  cleanUp(async () => void execFileSync('umount', ['-l', folder]));
}

function userNamed(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
