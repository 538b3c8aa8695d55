import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';

/** Lets members in by the dashboard's cookie. A later folder knows them; here is what it must answer. */
export interface SessionAuthenticator {
  /**
   * The member behind the request's cookie; undefined when it carries none. A change must also prove that it comes
   * from our own pages.
   */
  admit(request: FastifyRequest, isChange: boolean): Promise<Principal> | undefined;
}
