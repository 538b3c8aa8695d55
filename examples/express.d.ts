/** The part of Express that these examples use; it brings no types of its own. In your project: `@types/express`. */
declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  export interface Request extends IncomingMessage {
    body: unknown;
    params: Record<string, string>;
    query: Record<string, unknown>;
    header(name: string): string | undefined;
  }

  export interface Response extends ServerResponse {
    locals: Record<string, unknown>;
    status(code: number): this;
    set(name: string, value: string): this;
    type(name: string): this;
    send(body: string): this;
    json(body: unknown): this;
    sendStatus(code: number): this;
    redirect(status: number, url: string): void;
  }

  export type Next = (error?: unknown) => void;
  export type Handler = (request: Request, response: Response, next: Next) => unknown;
  export type ErrorHandler = (error: unknown, request: Request, response: Response, next: Next) => unknown;

  export interface Express {
    disable(setting: string): this;
    use(...handlers: (Handler | ErrorHandler)[]): this;
    use(path: string, ...handlers: Handler[]): this;
    get(path: string, ...handlers: Handler[]): this;
    post(path: string, ...handlers: Handler[]): this;
    listen(port: number, host: string): Server;
  }

  const express: {
    (): Express;
    raw(options: { type: string; limit?: string }): Handler;
    json(): Handler;
    urlencoded(options: { extended: boolean }): Handler;
  };
  export default express;
}
