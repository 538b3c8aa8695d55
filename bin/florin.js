#!/usr/bin/env node
// Plain JavaScript, so that an older Node can still run it and hand over to the one npm installed here.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// A release has the compiled sources, a checkout the sources themselves.
const [cli] = ['../src/cli.js', '../src/cli.ts']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .filter((path) => existsSync(path));

// Reading the sources is most of a short command’s time: what was read once is kept for the next.
const caches = process.env.XDG_CACHE_HOME || (process.env.HOME && join(process.env.HOME, '.cache'));
if (caches) module.enableCompileCache?.(join(caches, 'florin'));

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(cli);
} else {
  const node = installedNode();
  if (!node) {
    process.stderr.write(
      `Florin needs Node 24 or newer, and this is ${process.version}. It brings its own for Linux on x64 and arm64, ` +
        'as an optional dependency: install Florin again without --omit=optional, or install Node 24.\n',
    );
    process.exit(1);
  }
  const child = spawn(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A signal to this wrapper is meant for the service: left behind, it would hold its data folder.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exit(signal ? 128 + constants.signals[signal] : code);
  });
}

/** Wherever npm has put it: beside this package, inside it, or above. */
function installedNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
}
