import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { noteProcesses } from './examine-processes.ts';

const room = { cores: 8, memoryMb: 8_000, connections: 97 };

test.each([
  [{}, room, true, 'one, with 8 connections, on one of 8 cores; API_PROCESSES=auto uses all of them'],
  [{}, { ...room, cores: 2 }, true, 'one, with 8 connections, on one of 2 cores'],
  [
    { API_PROCESSES: '2' },
    room,
    true,
    '2 for requests and one for the rest on 8 cores, with up to 1150 MB and 16 connections',
  ],
  [
    { API_PROCESSES: '2', FLORIN_ROLES: 'api' },
    room,
    true,
    '2 for requests on 8 cores, with up to 800 MB and 12 connections',
  ],
  [
    { API_PROCESSES: '2', DATABASE_POOL_SIZE: '94', BACKUP_FOLDER: '/b' },
    room,
    true,
    '2 for requests and one for the rest on 8 cores, with up to 1150 MB and 94 connections',
  ],
  [
    { API_PROCESSES: '24' },
    room,
    false,
    '24 for requests and one for the rest on 8 cores, with up to 8850 MB and 104 connections; this machine has 8000 MB: lower API_PROCESSES; the database takes 97 connections: lower DATABASE_POOL_SIZE, or raise max_connections there',
  ],
])('%j in %j', (env, given, ok, detail) => {
  const noted: unknown[] = [];
  noteProcesses(readConfig(env), given, (...finding) => noted.push(finding));
  expect(noted).toEqual([['processes', ok, detail]]);
});
