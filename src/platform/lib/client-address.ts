import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** `192.0.2.1:443`, `[2001:db8::1]:443`: some proxies name the port of whom they forward for too. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * An address without port, brackets and zone, in the one form that all who write it differently share: an IPv4 address as
 * one, an IPv6 address as RFC 5952 has it. Undefined for what is no address.
 */
export function plainAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, bracketed, dotted] = WITH_PORT.exec(text) ?? [];
  const address = bracketed ?? dotted ?? text;
  if (isIPv4(address)) return address;
  return isIPv6(address) ? canonical(address.replace(/%.*$/, '')) : undefined;
}

/** The IPv4 address in the form of an IPv6 one, as sockets that serve both report it, however that is written. */
export function mappedIpv4(ipv6: string): string | undefined {
  const address = canonical(ipv6);
  return isIPv4(address) ? address : undefined;
}

function canonical(ipv6: string): string {
  const { address } = new SocketAddress({ address: ipv6, family: 'ipv6' });
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}
