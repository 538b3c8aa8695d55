import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** Power of ten of the guesses that a patient machine makes in a day, even against a slow hash. */
const TOO_FEW_GUESSES_LOG10 = 6;
/** Checking more characters is slow and changes nothing: a weak beginning is tried early, whatever follows. */
const READ_CHARACTERS = 48;

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * True if attackers try it first: common passwords and variants, rows of keys, repetitions, the member's own names.
 */
export async function isGuessedSoon(password: string, personalWords: string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  const { guessesLog10 } = (await estimator).check(password.slice(0, READ_CHARACTERS), personalWords);
  return guessesLog10 < TOO_FEW_GUESSES_LOG10;
}

/** 15 MB of word lists, loaded only when somebody chooses a password. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Estimator }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Estimator({ dictionary, graphs: adjacencyGraphs });
}
