/** @type {WakeLockSentinel | undefined} */
let lock;

/** Keeps the screen on while the till is in front, where the browser can do that. */
export function stayAwake() {
  if (!('wakeLock' in navigator)) return;
  const ask = async () => {
    if (document.hidden || (lock && !lock.released)) return;
    // A phone that saves its battery says no, and dims as usual.
    lock = await navigator.wakeLock.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  document.addEventListener('pointerdown', ask);
  void ask();
}
