const KEY = 'florin-till-muted';

/** @type {AudioContext | undefined} */
let context;

export const isMuted = () => localStorage.getItem(KEY) === 'yes';

/** @param {boolean} muted */
export function setMuted(muted) {
  localStorage.setItem(KEY, muted ? 'yes' : 'no');
}

/** Browsers allow sound only after somebody has touched the page: called by the button that starts a payment. */
export function readySound() {
  if (isMuted() || !('AudioContext' in window)) return;
  context ??= new AudioContext();
  void context.resume().catch(() => {});
}

/** Two notes, up: paid. */
export function playPaid() {
  if (isMuted() || !context) return;
  const start = context.currentTime;
  note(context, 880, start);
  note(context, 1318.5, start + 0.14);
}

/** @param {AudioContext} audio @param {number} frequency @param {number} at */
function note(audio, frequency, at) {
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.type = 'sine';
  oscillator.frequency.value = frequency;
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.3, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.45);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.5);
}
