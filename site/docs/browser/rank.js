/**
 * Ranks the findings of a search, best first. The service and the page rank alike, because both run this.
 *
 * @typedef {{ url: string, page: string, heading: string, text: string }} Entry
 * @typedef {{ entry: Entry, score: number, before: string, match: string, after: string }} Finding
 */

/**
 * Every word asked for must be somewhere in an entry; where, and how much of a word, decides its place.
 *
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @param {number} limit
 * @returns {Finding[]}
 */
export function rank(entries, query, limit) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = findingsOf(entries, words, limit);
  if (found.length > 0) return found;
  const meant = corrected(entries, words);
  return meant ? findingsOf(entries, meant, limit) : [];
}

/**
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} words
 * @param {number} limit
 * @returns {Finding[]}
 */
function findingsOf(entries, words, limit) {
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map((found) => ({ ...found, ...excerptOf(found.entry.text, words) }));
}

/**
 * @param {string} query
 * @returns {string[]}
 */
function wordsOf(query) {
  return query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 8);
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function scoreOf({ heading, page, text }, words) {
  let score = 0;
  for (const word of words) {
    const found = 8 * strength(heading, word) + strength(page, word) + strength(text, word);
    if (found === 0) return 0;
    score += found;
  }
  // A page as a whole comes before its own parts.
  return heading === page ? score * 1.2 : score;
}

/**
 * 1 for a whole word, less for its beginning, least for somewhere within.
 *
 * @param {string} text
 * @param {string} word
 */
function strength(text, word) {
  const low = text.toLowerCase();
  let best = 0;
  for (let at = low.indexOf(word); at >= 0 && best < 1; at = low.indexOf(word, at + 1)) {
    const begins = at === 0 || !/[\p{L}\p{N}]/u.test(low[at - 1]);
    const ends = at + word.length === low.length || !/[\p{L}\p{N}]/u.test(low[at + word.length]);
    best = Math.max(best, begins ? (ends ? 1 : 0.6) : 0.15);
  }
  return best;
}

/**
 * The text around the first place where one of the words occurs.
 *
 * @param {string} text
 * @param {readonly string[]} words
 */
function excerptOf(text, words) {
  const low = text.toLowerCase();
  const places = words.map((word) => ({ word, at: low.indexOf(word) })).filter(({ at }) => at >= 0);
  const [first] = places.sort((one, other) => one.at - other.at);
  if (!first) return { before: clipped(text.slice(0, 140), text.length > 140), match: '', after: '' };
  const start = first.at < 60 ? 0 : text.indexOf(' ', first.at - 60) + 1 || first.at;
  const end = first.at + first.word.length;
  return {
    before: (start > 0 ? '… ' : '') + text.slice(Math.min(start, first.at), first.at),
    match: text.slice(first.at, end),
    after: clipped(text.slice(end, end + 100), end + 100 < text.length),
  };
}

/**
 * Ends with a whole word, and says when there is more.
 *
 * @param {string} text
 * @param {boolean} isCut
 */
function clipped(text, isCut) {
  return isCut ? `${text.replace(/\s\S*$/, '')} …` : text;
}

/**
 * The words, with those that occur nowhere replaced by the nearest that does; undefined where nothing is near.
 *
 * @param {readonly Entry[]} entries
 * @param {readonly string[]} words
 * @returns {string[] | undefined}
 */
function corrected(entries, words) {
  const known = vocabularyOf(entries);
  const meant = [];
  for (const word of words) {
    const other = known.some((one) => one.includes(word)) ? word : nearest(word, known);
    // The first word that is nothing ends it: a line of nonsense costs no more than one of them.
    if (other === undefined) return undefined;
    meant.push(other);
  }
  return meant;
}

/** @type {WeakMap<readonly Entry[], string[]>} */
const vocabularies = new WeakMap();

/** @param {readonly Entry[]} entries */
function vocabularyOf(entries) {
  const known = vocabularies.get(entries);
  if (known) return known;
  const texts = entries.map(({ heading, page, text }) => `${heading} ${page} ${text}`.toLowerCase());
  const words = [...new Set(texts.join(' ').split(/[^\p{L}\p{N}]+/u))];
  vocabularies.set(entries, words);
  return words;
}

/** Shorter words have too many neighbours, and a number is never nearly another. */
const SHORTEST = 5;
const LONG = 8;

/**
 * @param {string} word
 * @param {readonly string[]} known
 */
function nearest(word, known) {
  if (word.length < SHORTEST || /\p{N}/u.test(word)) return undefined;
  let best;
  let least = word.length < LONG ? 2 : 3;
  for (const other of known) {
    if (Math.abs(other.length - word.length) >= least) continue;
    const distance = distanceOf(word, other);
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}

/**
 * How many letters must be put in, taken out, changed or swapped with the next one.
 *
 * @param {string} from
 * @param {string} to
 */
function distanceOf(from, to) {
  let before = /** @type {number[]} */ ([]);
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = isSwapped ? before[j - 2] + 1 : change;
      next.push(Math.min(change, swap, row[j] + 1, next[j - 1] + 1));
    }
    [before, row] = [row, next];
  }
  return row[to.length];
}
