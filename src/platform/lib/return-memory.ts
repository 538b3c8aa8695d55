import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { elapsedMs } from './clock.ts';

const FIRST_LOOK_MS = 1_500;
/** While the memory of the start is to be returned, which takes a few collections, and afterwards. */
const LOOK_EVERY_MS = { atFirst: 5_000, later: 60_000 };
const FIRST_COLLECTIONS = 6;
/** Share of the time since the last look from which a process counts as busy. */
const BUSY = 0.1;
/** Less is not worth the pause. */
const WORTH_BYTES = 16 * 1024 * 1024;

/**
 * Returns memory to the system while there is nothing to do. V8 keeps what a start or a busy hour needed for new objects, 64 MB
 * of it, until it collects all garbage at a time when few new ones come. That takes about 60 ms in which nobody is answered, so
 * a busy process is left alone.
 */
export function returnMemoryWhenIdle(): void {
  let last = { atMs: elapsedMs(), usedMs: usedMs() };
  let collections = 0;
  const look = () => {
    const now = { atMs: elapsedMs(), usedMs: usedMs() };
    const busy = (now.usedMs - last.usedMs) / (now.atMs - last.atMs);
    last = now;
    if (busy < BUSY && spareBytes() > WORTH_BYTES) {
      collectGarbage();
      collections = spareBytes() < WORTH_BYTES ? FIRST_COLLECTIONS : collections + 1;
    }
    const { atFirst, later } = LOOK_EVERY_MS;
    setTimeout(look, collections < FIRST_COLLECTIONS ? atFirst : later).unref();
  };
  setTimeout(look, FIRST_LOOK_MS).unref();
}

/** Processor time, which does not count what other programs on the machine take. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Room for new objects that none of them takes. */
function spareBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return young ? young.space_size - young.space_used_size : 0;
}

let collect: ((how: object) => void) | undefined;

/**
 * Collects in the usual way. The thorough one (`last-resort`) also drops what was compiled, and requests then
 * took half as long again, permanently.
 */
function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as (how: object) => void;
    setFlagsFromString('--no-expose-gc');
  }
  collect({ type: 'major', execution: 'sync' });
}
