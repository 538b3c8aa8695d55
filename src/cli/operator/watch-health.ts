import type { Config } from '../../config/config.ts';
import { examine, type Finding } from '../../operations/doctor/doctor.ts';
import { followDatabaseTime } from '../../platform/db/clock-watch.ts';
import { findHolder } from '../../platform/db/data-folder-lock.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { redact } from '../../platform/lib/log.ts';
import { type Opened, openStorage } from '../../service/open-storage.ts';
import { pause, untilInterrupted } from '../developer/follow-events.ts';

export interface WatchOptions {
  everyMs: number;
  onlyInvariants: boolean;
  json: boolean;
}

/**
 * Looks again and again until it is interrupted, and prints what is different from the last look. Answers whether the
 * last look found nothing wrong.
 */
export async function watchHealth(config: Config, options: WatchOptions): Promise<boolean> {
  const signal = untilInterrupted();
  const known = new Map<string, boolean>();
  let storage: Opened | undefined;
  let ok = true;
  while (!signal.aborted) {
    const findings = await look().catch((error: Error) => [failed(error)]);
    for (const finding of findings) {
      // A detail with a count or a duration in it is never twice the same.
      if (known.get(finding.check) !== finding.ok) print(finding, options.json);
      known.set(finding.check, finding.ok);
    }
    ok = findings.every((finding) => finding.ok);
    await pause(options.everyMs, signal);
  }
  await storage?.close();
  return ok;

  async function look(): Promise<Finding[]> {
    await refuseToStartDatabase(config);
    storage ??= await openStorage(config, 'command', () => {});
    await followDatabaseTime(storage.db);
    const { onlyInvariants } = options;
    const parts = { config, db: storage.db, secrets: storage.secrets, onFinding: () => {} };
    return examine({ ...parts, onlyInvariants, withoutInvariants: !onlyInvariants });
  }
}

/** A command of a moment may start the embedded database; one that stays would keep the service from starting. */
async function refuseToStartDatabase({ DATABASE_URL, FLORIN_DATA }: Config): Promise<void> {
  if (DATABASE_URL || (await findHolder(FLORIN_DATA))?.purpose === 'service') return;
  throw new Error(`the service is not running on ${FLORIN_DATA}; start it`);
}

const failed = (error: Error): Finding => ({ check: 'database', ok: false, detail: redact(error.message) });

function print({ check, ok, detail }: Finding, json: boolean): void {
  const at = realNow().toISOString();
  const line = json
    ? stringifyJson({ at, check, ok, detail })
    : `${at} ${ok ? '✓' : '✗'} ${check}: ${detail}`;
  process.stdout.write(`${line}\n`);
}
