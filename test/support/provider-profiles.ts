import type { FaultRule } from '@florin/sandbox-chain';
import type { OddNode } from './odd-node.ts';
import type { Provider } from './provider.ts';
import { LATE, PRUNED } from './pruned.ts';

type Alter = NonNullable<OddNode['alter']>;

/** One kind of provider, as people have met it. */
export interface ProviderProfile {
  name: string;
  /** Faults of each of its backends, among which calls take turns; default: one without any. */
  backends?: readonly (readonly FaultRule[])[];
  /** Refusals of its plan. */
  plan?: () => Alter;
  /** Misbehaviour of its socket: another one for each payment, in turn. */
  socket?: readonly ((provider: Provider) => void)[];
  /** Findings that `florin doctor --probe` must have, besides those of a node without limits. */
  findings: Readonly<Record<string, [ok: boolean, detail: RegExp]>>;
}

const socketFaults = (rules: FaultRule[]) => (provider: Provider) => {
  for (const faults of provider.faults) faults.set({ rules });
};

/** Providers in the order of the table in docs/going-live.md. */
export const PROFILES: readonly ProviderProfile[] = [
  {
    name: 'archive',
    findings: {
      history: [true, /^everything, from the first block on$/],
      archive: [true, /as new as what the node lists/],
      backends: [true, /^always the same, or in step$/],
      'accounts in one call': [true, /^100$/],
      'signatures in one call': [true, /^256$/],
      notifications: [true, /^subscribed after/],
      'calls per second': [true, /^25, as the service makes at the most$/],
    },
  },
  {
    name: 'pruned',
    backends: [[PRUNED]],
    findings: {
      history: [true, /\(from block \d+ on\)/],
      'pruned transactions': [true, /-32020/],
    },
  },
  {
    name: 'late-archive',
    backends: [[LATE]],
    findings: {
      archive: [true, /late: .*-32020/],
    },
  },
  {
    name: 'lagging-backends',
    backends: [[], [{ kind: 'lag', slots: 12 }], [{ kind: 'lag', slots: 100 }]],
    findings: {
      backends: [true, /^several, up to \d+ slots behind one another$/],
    },
  },
  {
    name: 'free-plan',
    plan: tenCalls,
    findings: {
      'calls per second': [false, /^\d+ were taken before one was refused \(.*429\); set SOLANA_MAX_CALLS/],
    },
  },
  {
    name: 'five-accounts',
    plan: fiveAccounts,
    findings: {
      'accounts in one call': [true, /^5: .*up to 20 here/],
    },
  },
  {
    name: 'limits-in-200',
    plan: limitsIn200,
    findings: {
      'calls per second': [false, /^\d+ were taken before one was refused \(.*(limit|rate limited).*\)/],
    },
  },
  {
    name: 'flaky-socket',
    socket: [
      socketFaults([{ kind: 'loseNotification' }]),
      socketFaults([{ kind: 'dropWebSocket', methods: ['logsNotification'] }]),
      ({ socket }) => socket.swallow(),
      ({ socket, faults }) => {
        // Closed for having been idle, and full when it is opened again.
        faults[0]!.set({ rules: [{ kind: 'dropWebSocket', methods: ['connect'] }] });
        socket.cut();
      },
      socketFaults([{ kind: 'dropWebSocket', methods: ['logsSubscribe'] }]),
    ],
    findings: {
      notifications: [false, /closed/],
    },
  },
];

/** Time for which a plan that is used up takes nothing. */
const USED_UP_MS = 500;

/** Takes ten calls; the next one, and what comes soon after it, gets 429 without Retry-After. */
function tenCalls(): Alter {
  let taken = 0;
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    if (nowMs - refusedAtMs < USED_UP_MS) return 429;
    if (taken++ < 10) return undefined;
    taken = 0;
    refusedAtMs = nowMs;
    return 429;
  };
}

/** Refuses more than five accounts in one call: by turns with HTTP 413 and with an error. */
function fiveAccounts(): Alter {
  let refusals = 0;
  return (method, [list]) => {
    if (method !== 'getMultipleAccounts' || list.length <= 5) return undefined;
    return refusals++ % 2 === 0 ? 413 : error(-32602, 'Too many inputs provided; max 5');
  };
}

const LIMITS = [
  error(-32429, 'rate limited'),
  error(-32007, '15/second request limit reached - reduce calls per second or upgrade your account'),
  error(-32000, 'limit reached'),
];

/** Refuses every eighth call, each in other words, and always with HTTP 200. */
function limitsIn200(): Alter {
  let calls = 0;
  return () => (++calls % 8 === 0 ? LIMITS[(calls / 8) % LIMITS.length] : undefined);
}

function error(code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } });
}
