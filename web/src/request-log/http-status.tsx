import { Status, type Tone } from '../parts/status.tsx';

/** 2xx and 3xx worked, 4xx is the caller's, 5xx is ours. */
export function HttpStatus({ of }: { of: number }) {
  const tone: Tone = of < 400 ? 'good' : of < 500 ? 'warn' : 'bad';
  return <Status of={String(of)} tone={tone} />;
}
