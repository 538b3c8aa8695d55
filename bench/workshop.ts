import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { CamelCaseClient } from '../src/platform/db/column-names.ts';
import { type Running, type StartOptions, startService, startYardstick } from './processes.ts';

export type Spec = Omit<StartOptions, 'folder'>;

/** A temporary folder and the processes at work in it. */
export interface Workshop {
  folder: string;
  startService(spec: Spec): Promise<Running>;
  startYardstick(file: string, spec: Spec): Promise<Running>;
  /** A plain connection to a database of a server in `dataFolder`, without our timeouts. */
  connect(dataFolder: string, database?: string): Promise<pg.Client>;
  /** Writes what get.lua reads and answers its path. */
  writeRequests(name: string, requests: readonly { key: string; path: string }[]): Promise<string>;
  /** Runs before the folder goes, last come first. */
  onClose(close: () => Promise<unknown>): void;
}

/** Whatever happens inside, afterwards nothing runs and nothing is left on disk. */
export async function withWorkshop<Result>(work: (shop: Workshop) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-bench-'));
  const closers: (() => Promise<unknown>)[] = [];
  const keep = (running: Running) => {
    closers.unshift(() => running.stop());
    return running;
  };
  const shop: Workshop = {
    folder,
    // Each with files of its own: one data folder holds one sandbox chain.
    startService: async (spec) =>
      keep(
        await startService({
          folder,
          ...spec,
          env: { FLORIN_DATA: join(folder, `${spec.name}-files`), ...spec.env },
        }),
      ),
    startYardstick: async (file, spec) => keep(await startYardstick(file, { folder, ...spec })),
    async connect(dataFolder, database = 'florin') {
      const client = new CamelCaseClient({ host: socketFolder(dataFolder), user: 'florin', database });
      await client.connect();
      closers.unshift(() => client.end());
      return client;
    },
    async writeRequests(name, requests) {
      const path = join(folder, name);
      await writeFile(path, requests.map((request) => `${request.key} ${request.path}\n`).join(''));
      return path;
    },
    onClose: (close) => closers.unshift(close),
  };
  try {
    return await work(shop);
  } finally {
    for (const close of closers) await close().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

/** Folder of the socket at which the embedded server of a data folder listens. */
export function socketFolder(dataFolder: string): string {
  return join(dataFolder, 'postgres');
}

/** The demo merchant's key, from what a fresh sandbox prints. */
export function demoKey(service: Running): string {
  return /API key {2,}(\S+)/.exec(service.output)![1]!;
}

export function newSeed(): string {
  return String(Math.floor(Math.random() * 1e6));
}
