import words from './de.json' with { type: 'json' };

globalThis.florinWords = words;
