import { lookup as osLookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { blockedReason } from '../platform/lib/blocked-address.ts';
import { TIMEOUT_MS } from './delivery.ts';

export interface ConnectRules {
  /** Loopback and private networks too: for development, never on mainnet. */
  allowPrivate: boolean;
  /** Every address of a host name. */
  resolve?: Resolve;
}

export type Resolve = (hostname: string) => Promise<string[]>;

/** The webhook may not go where its URL leads. */
export class TargetRefused extends Error {}

/**
 * Opens connections for webhooks. The addresses of the host are looked up and all of them are judged here, and
 * only judged addresses are connected to, so an answer that changes between check and use changes nothing.
 */
export function guardedConnector(rules: ConnectRules): buildConnector.connector {
  const resolve = sharing(rules.resolve ?? (rules.allowPrivate ? resolveLikeTheSystem : resolvePublic));
  return (options, callback) => {
    allowedAddresses(options.hostname, resolve, rules.allowPrivate).then(
      (addresses) => open(options, addresses, callback),
      (error: Error) => callback(error, null),
    );
  };
}

async function allowedAddresses(
  hostname: string,
  resolve: Resolve,
  allowPrivate: boolean,
): Promise<string[]> {
  const isLiteral = isIP(hostname) !== 0;
  // Node never asks a lookup function about a literal, so it is judged here like any other address.
  const addresses = isLiteral ? [hostname] : await resolve(hostname);
  if (addresses.length === 0) throw new Error('the host name has no address');
  for (const address of addresses) {
    const objection = blockedReason(address, allowPrivate);
    // Addresses of a name are not repeated: that would let callers explore our network.
    if (objection)
      throw new TargetRefused(
        isLiteral ? `${hostname} is ${objection}` : `the host name leads to ${objection}`,
      );
  }
  return addresses;
}

function open(
  { hostname, protocol, port }: buildConnector.Options,
  addresses: readonly string[],
  callback: buildConnector.Callback,
): void {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, answers) : done(null, answers[0]!.address, answers[0]!.family);
  const isTls = protocol === 'https:';
  const common = { host: hostname, lookup, autoSelectFamily: true, noDelay: true };
  const socket: Socket = isTls
    ? tlsConnect({
        ...common,
        port: Number(port || 443),
        ...(isIP(hostname) === 0 && { servername: hostname }),
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      })
    : netConnect({ ...common, port: Number(port || 80) });
  let isSettled = false;
  const settle = (error: Error | null) => {
    clearTimeout(timer);
    if (isSettled) return;
    isSettled = true;
    if (error) {
      socket.destroy();
      callback(error, null);
    } else callback(null, socket);
  };
  const timer = setTimeout(() => settle(new Error('connecting took too long')), TIMEOUT_MS);
  socket.once(isTls ? 'secureConnect' : 'connect', () => settle(null));
  // The listener stays: a later error without a listener would crash the process.
  socket.on('error', settle);
  socket.once('close', () => settle(new Error('the connection was closed')));
}

/** Many connections to one host that open together ask once. */
function sharing(resolve: Resolve): Resolve {
  const underWay = new Map<string, Promise<string[]>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known) return known;
    const asked = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    return asked;
  };
}

/** Resolves as other programs on this machine do, /etc/hosts included. */
async function resolveLikeTheSystem(hostname: string): Promise<string[]> {
  return (await osLookup(hostname, { all: true })).map(({ address }) => address);
}

const dns = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * By DNS only. The system's resolver blocks one of four threads for as long as a name server likes: a few slow ones
 * would delay every other merchant.
 */
async function resolvePublic(hostname: string): Promise<string[]> {
  if (/^(.*\.)?localhost\.?$/.test(hostname)) throw new TargetRefused('localhost is this machine');
  const answers = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [first] = answers;
  if (found.length === 0 && first.status === 'rejected') throw first.reason;
  return found;
}
