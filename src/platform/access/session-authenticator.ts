import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';

/** Authenticates members by the dashboard's cookie. A later folder implements it. */
export interface SessionAuthenticator {
  /**
   * The member behind the request's cookie; undefined when it carries none. A change must also prove that it comes
   * from our own pages.
   */
  admit(request: FastifyRequest, isChange: boolean): Promise<Principal> | undefined;
}
