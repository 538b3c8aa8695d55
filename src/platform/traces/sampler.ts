export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** Returns true if a trace is recorded; `parent` has the caller's decision, where there is one. */
export type Sampler = (traceId: string, parent: { isSampled: boolean } | undefined) => boolean;

/** The samplers of the OpenTelemetry specification. `ratio` counts for those that end in traceidratio. */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const followsParent = name.startsWith('parentbased_');
  const share = name.endsWith('traceidratio') ? ratio : name.endsWith('always_on') ? 1 : 0;
  return (traceId, parent) => (followsParent && parent ? parent.isSampled : isAmong(traceId, share));
}

const RANDOM_DIGITS = 14;

/** By the last 56 bits, which are random in every trace id: all services with the same share choose the same traces. */
function isAmong(traceId: string, share: number): boolean {
  const place = Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) / 16 ** RANDOM_DIGITS;
  // The highest place is rounded to 1.
  return share >= 1 || (share > 0 && place >= 1 - share);
}
