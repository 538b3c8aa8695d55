/** Preloaded into a process: its machine's clock is CLOCK_SHIFT_MS ahead, from the start or, with CLOCK_SHIFT_LATER, from each second SIGUSR2 on. */
const { CLOCK_SHIFT_MS = '0', CLOCK_SHIFT_LATER } = process.env;
const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);
let shiftMs = CLOCK_SHIFT_LATER === undefined ? Number(CLOCK_SHIFT_MS) : 0;
process.on('SIGUSR2', () => {
  shiftMs = shiftMs === 0 ? Number(CLOCK_SHIFT_MS) : 0;
});

globalThis.Date = new Proxy(RealDate, {
  construct(target, args, newTarget) {
    const given = args.length === 0 ? [realNow() + shiftMs] : args;
    return Reflect.construct(target, given, newTarget === globalThis.Date ? target : newTarget);
  },
  apply: () => new RealDate(realNow() + shiftMs).toString(),
  get: (target, name) => (name === 'now' ? () => realNow() + shiftMs : Reflect.get(target, name)),
});
