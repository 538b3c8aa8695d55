import words from './fr.json' with { type: 'json' };

globalThis.florinWords = words;
