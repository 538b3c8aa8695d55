/** Numbers from 0 up to 1, the same for the same seed and stream (mulberry32). Good for tests and nothing else. */
export function seededRandom(seed: number, stream: number): () => number {
  let state = (seed * 0x9e3779b1 + stream * 0x85ebca77) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
