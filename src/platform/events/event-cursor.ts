/** A position and what shows that it still is the same event's; of an older release, the event's ordinal. */
export type EventCursor = { position: bigint; isOf(eventId: string): boolean } | { ordinal: bigint };

const VERSION = 2;
const LENGTH = 17;
/** Before positions: the number of a transaction, which means nothing here any more, and the ordinal of an event. */
const OLD_LENGTH = 16;
const MAX = 2n ** 63n - 1n;

/** Without a place: before the first event. */
export function encodeCursor(place: { position: bigint; eventId: string } | undefined): string {
  const bytes = Buffer.alloc(LENGTH);
  bytes[0] = VERSION;
  if (place) {
    bytes.writeBigInt64BE(place.position, 1);
    tailOf(place.eventId).copy(bytes, 9);
  }
  return bytes.toString('base64url');
}

/** Undefined for what is no cursor. */
export function decodeCursor(text: string): EventCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return undefined;
  if (bytes.length === OLD_LENGTH) return { ordinal: bytes.readBigInt64BE(8) };
  if (bytes.length !== LENGTH || bytes[0] !== VERSION) return undefined;
  const position = bytes.readBigUInt64BE(1);
  if (position > MAX) return undefined;
  return { position, isOf: (eventId) => bytes.subarray(9).equals(tailOf(eventId)) };
}

/** The second half of an id is random; the first is the time. */
function tailOf(eventId: string): Buffer {
  return Buffer.from(eventId.replaceAll('-', '').slice(16), 'hex');
}
