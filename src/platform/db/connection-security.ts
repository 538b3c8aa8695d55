import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type pg from 'pg';
import type { Database } from './database.ts';

/** The way between this process and its database, or the pooler before it. */
export interface ConnectionSecurity {
  /** It leaves this machine. */
  isRemote: boolean;
  /** TLS of this version; undefined: none. */
  protocol: string | undefined;
  /** The certificate belongs to the host and somebody that is trusted signed it. */
  isVerified: boolean;
  /** End of the certificate. */
  validTo: Date | undefined;
}

export async function readConnectionSecurity(db: Database): Promise<ConnectionSecurity> {
  return db.withConnection(async (client) => {
    const { stream } = (client as unknown as { connection: pg.Connection }).connection as unknown as {
      stream: Socket;
    };
    const { remoteAddress } = stream;
    const isRemote = remoteAddress !== undefined && !/^(::ffff:)?127\.|^::1$/.test(remoteAddress);
    if (!(stream instanceof TLSSocket))
      return { isRemote, protocol: undefined, isVerified: false, validTo: undefined };
    const { valid_to: end } = stream.getPeerCertificate();
    return {
      isRemote,
      protocol: stream.getProtocol() ?? undefined,
      isVerified: stream.authorized,
      validTo: end ? new Date(end) : undefined,
    };
  });
}
