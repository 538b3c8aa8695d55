import type { FastifyInstance } from 'fastify';

/** An address to listen on, and the setting that its port comes from. */
export interface Place {
  host: string;
  port: number;
  setting: 'PORT' | 'HEALTH_PORT' | 'SANDBOX_RPC_PORT';
}

/** Listens there. What keeps it from it is said with the setting to change. */
export function listenOn(app: Pick<FastifyInstance, 'listen'>, place: Place): Promise<unknown> {
  return app.listen({ host: place.host, port: place.port }).catch((error) => refuse(error, place));
}

/** Throws what keeps a server from listening there. */
export function refuse(cause: NodeJS.ErrnoException, place: Place): never {
  const problem = problemOf(cause.code, place);
  throw problem === undefined ? cause : new Error(problem, { cause });
}

function problemOf(code: string | undefined, { host, port, setting }: Place): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use: stop the program that has it, or set ${setting} to another port`;
    case 'EACCES':
      return `this user may not open port ${port}: set ${setting} to 1024 or above`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is no address of this machine`;
    default:
      return undefined;
  }
}
