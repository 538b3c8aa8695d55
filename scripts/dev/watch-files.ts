import { type FSWatcher, watch } from 'node:fs';

/** A save is often several events: the file is emptied, written and renamed. */
const SETTLE_MS = 100;

/** Calls `onChange` with the path that changed, once for a burst of changes. Tests do not count: the service never loads them. */
export function watchFiles(paths: readonly string[], onChange: (path: string) => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  const watchers: FSWatcher[] = paths.map((path) =>
    watch(path, { recursive: true }, (_event, name) => {
      if (name !== null && isIgnored(name)) return;
      clearTimeout(timer);
      timer = setTimeout(() => onChange(name === null ? path : `${path}/${name}`), SETTLE_MS);
    }),
  );
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Tests, and what editors leave beside a file while it is open. */
export function isIgnored(name: string): boolean {
  return /\.test\.ts$|(^|\/)(\.[^/]*|[^/]*~|4913|[^/]*\.sw[a-z])$/.test(name);
}
