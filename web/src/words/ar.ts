import words from './ar.json' with { type: 'json' };

globalThis.florinWords = words;
