import type { Command } from 'commander';
import { completionCommand } from './completion.ts';
import { eventsExtension } from './events.ts';
import type { Io } from './io.ts';
import { listenCommand } from './listen.ts';
import { loginCommands } from './login.ts';
import { logCommands } from './logs.ts';
import { mcpCommand } from './mcp.ts';
import { type PayOptions, payCommand } from './pay.ts';
import { prepareExtension, sendExtension } from './refund-files.ts';
import { resourceCommands } from './resources.ts';
import { sandboxCommands } from './sandbox-commands.ts';
import { resetExtension } from './sandbox-reset.ts';

/** Commands for developers in a terminal: over HTTP, with any server, and without a database. */
export function developerCommands(
  florin: Command,
  io: Io,
  payAsOperator: (intentId: string, options: PayOptions) => Promise<void>,
): void {
  florin.commandsGroup('Developing against a server:');
  loginCommands(florin, io);
  listenCommand(florin, io);
  sandboxCommands(florin, io);
  payCommand(florin, io, payAsOperator);
  logCommands(florin, io);
  mcpCommand(florin, io);
  completionCommand(florin, io);
  resourceCommands(florin, io, {
    listEvents: eventsExtension(io),
    resetSandbox: resetExtension(io),
    prepareRefunds: prepareExtension(io),
    sendRefunds: sendExtension(io),
  });
}
