import type { FastifyRequest } from 'fastify';
import type { Mailer } from '../../email/mailer.ts';
import type { Environment } from '../../platform/access/key.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { deviceCookie } from './known-device.ts';
import type { Moment, Visitor } from './member.ts';
import { dashboardCookie } from './session.ts';

/** Dependencies of the operations of this folder. */
export interface MemberParts {
  db: Database;
  clock: Clock;
  /** Real time, which the sandbox does not move; tests do. */
  wallClock: Clock;
  log: Logger;
  environment: Environment;
  network: string;
  /** Absent where no mail server is set. */
  mailer: Mailer | undefined;
  publicUrl(): string;
}

export function momentOf({ clock, wallClock }: Pick<MemberParts, 'clock' | 'wallClock'>): Moment {
  return { now: wallClock.now(), serviceNow: clock.now() };
}

const MAX_USER_AGENT = 255;

export function visitorOf({ ip, headers }: FastifyRequest, publicUrl: string): Visitor {
  return {
    address: ip,
    userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null,
    cookie: dashboardCookie.read(headers, publicUrl),
    device: deviceCookie.read(headers, publicUrl),
  };
}
