import { COMMAND } from '../../config/command-name.ts';
import { countOthers, missingKeyIds, readSealed } from '../../operations/secret-keys/read-sealed.ts';
import { type Resealed, reseal } from '../../operations/secret-keys/reseal.ts';
import { retireOldKeys } from '../../operations/secret-keys/retire.ts';
import { withRotationLock } from '../../operations/secret-keys/rotation-lock.ts';
import { type CommandContext, CommandFailed } from './context.ts';

const BATCH_SIZE = 100;

/** Seals everything again with the current key; where the key is a file of ours, a new one is made first. */
export async function rotateSecretKeyCommand(context: CommandContext): Promise<void> {
  await withRotationLock(context.db, async () => {
    await refuseMissingKeys(context);
    await beginRotation(context);
    const resealed = await resealAll(context);
    const [current, ...old] = context.secrets.keyIds();
    const left = countOthers(await readSealed(context.db), current!);
    const result = { currentKeyId: current, oldKeyIds: old, resealedRows: resealed.rows, left };
    context.print(result, left === 0 ? describeDone(current!, old) : describeLeft(resealed, left));
    if (left > 0) process.exitCode = 1;
  });
}

async function refuseMissingKeys({ db, secrets }: CommandContext): Promise<void> {
  const known = secrets.keyIds();
  const missing = missingKeyIds(await readSealed(db), known);
  if (missing.length === 0) return;
  throw new CommandFailed(
    `some secrets are sealed with ${missing.join(', ')}, but only ${known.join(', ')} is configured. ` +
      'Nothing was changed. Add the missing key to FLORIN_SECRET_KEYS_OLD, or as a line of secret.key in the data folder.',
  );
}

/** If there is already a second key, a rotation is in progress and continues. */
async function beginRotation({ db, secrets, keyFile, say }: CommandContext): Promise<void> {
  const [current, ...old] = secrets.keyIds();
  if (old.length > 0) return;
  if (keyFile) {
    const added = await keyFile.addKey();
    say(`New secret key ${added.id} in ${keyFile.path}; ${current} stays readable.`);
  } else if (countOthers(await readSealed(db), current!) === 0) {
    throw new CommandFailed(
      `everything is sealed with ${current}, the current key. To change it: create a key with openssl rand -hex 32, set ` +
        'FLORIN_SECRET_KEY to it and FLORIN_SECRET_KEYS_OLD to the key you have now, restart, and run this again.',
    );
  }
}

/** Again until a pass finds nothing: a process may have sealed with the old key behind our back. */
async function resealAll({ db, secrets, say }: CommandContext): Promise<Resealed> {
  const all = countOthers(await readSealed(db), secrets.keyIds()[0]!);
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let done = 0;
  for (;;) {
    const pass = await reseal(db, secrets, {
      batchSize: BATCH_SIZE,
      isStopped: () => isStopped,
      onProgress: (rows) => say(`  ${done + rows} rows resealed (of ${all} secrets)`),
    });
    done += pass.rows;
    if (pass.rows === 0 || isStopped) return { rows: done, unopened: pass.unopened };
  }
}

function describeDone(current: string, old: readonly string[]): string {
  const done = `Everything is sealed with ${current}.`;
  if (old.length === 0) return done;
  return `${done} ${old.join(', ')} is no longer needed. Retire it: ${COMMAND} secret-key retire`;
}

function describeLeft({ rows, unopened }: Resealed, left: number): string {
  const done = `${rows} rows were resealed, ${left} secrets are left.`;
  if (unopened.length === 0) return `${done} Run the same command to continue.`;
  const named = unopened.slice(0, 10).join(', ');
  return `${done} No configured key opens those of ${unopened.length} rows: ${named}`;
}

/** Takes the old keys out of use, only when nothing is sealed with them. */
export async function retireSecretKeyCommand(context: CommandContext): Promise<void> {
  const { db, secrets, keyFile, print } = context;
  const [current, ...old] = secrets.keyIds();
  if (old.length === 0) throw new CommandFailed(`there is no old secret key: ${current} is the only one`);
  await withRotationLock(db, async () => {
    let setAside: string[] = [];
    const left = await retireOldKeys(db, secrets, async () => {
      if (keyFile) setAside = await keyFile.setOldKeysAside();
    });
    if (left > 0) {
      throw new CommandFailed(
        `${left} secrets are not sealed with ${current} yet, so nothing was retired: ${COMMAND} secret-key rotate`,
      );
    }
    print(
      { currentKeyId: current, retiredKeyIds: old, files: setAside },
      `${describeRetired(old, setAside)}\nBackups made before the rotation still need it: keep it with them.`,
    );
  });
}

function describeRetired(old: readonly string[], setAside: readonly string[]): string {
  const none = `Nothing is sealed with ${old.join(', ')} anymore.`;
  if (setAside.length > 0) return `${none} It was moved to ${setAside.join(', ')}.`;
  return `${none} Remove it from FLORIN_SECRET_KEYS_OLD and restart.`;
}
