import type { FastifyInstance } from 'fastify';

/** An address to listen on, and the setting that its port comes from. */
export interface Place {
  host: string;
  port: number;
  setting: 'PORT' | 'HEALTH_PORT';
}

/** Listens there. What keeps it from it is said with the setting to change. */
export async function listenOn(app: Pick<FastifyInstance, 'listen'>, place: Place): Promise<void> {
  try {
    await app.listen({ host: place.host, port: place.port });
  } catch (cause) {
    const problem = problemOf((cause as NodeJS.ErrnoException).code, place);
    throw problem === undefined ? cause : new Error(problem, { cause });
  }
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
