import { expect, test } from 'vitest';
import { isWrapper } from './wrapper-processes.ts';

test.each([
  [['npm start']],
  [['npm exec florin start']],
  [['sh', '-c', 'florin start']],
  [['/bin/dash', '-c', 'cd /srv/florin && npm start']],
  [['bash', '-e', '-c', 'npm ci && npm start; echo over']],
  [['node', '/srv/florin/bin/florin.js', 'start']],
  [['/usr/bin/node', '/usr/bin/npm', 'start']],
])('%j only wraps the service', (command) => {
  expect(isWrapper(command)).toBe(true);
});

test.each([
  [['bash']],
  [['-bash']],
  [['bash', 'run.sh']],
  [['sh', '-c', 'npm start & echo $!']],
  [['sh', '-c', 'nohup npm start > log']],
  [['sh', '-c']],
  [['systemd', '--user']],
  [['node', 'supervisor.js']],
  [[]],
])('%j does something of its own', (command) => {
  expect(isWrapper(command)).toBe(false);
});
