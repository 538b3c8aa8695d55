import type { Config } from './config.ts';

/** URL at which the world reaches the service; `port` is the one it listens on, if known. */
export function publicUrlOf(config: Config, port: number = config.PORT): string {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  return config.PUBLIC_URL ?? `http://${host}:${port}`;
}
