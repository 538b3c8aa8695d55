const HEADING = '## Unreleased\n';

/** Text of the changelog about the coming release; undefined if it has none. */
export function unreleasedOf(changelog: string): string | undefined {
  const start = changelog.indexOf(HEADING);
  if (start === -1) return undefined;
  const [section] = changelog.slice(start + HEADING.length).split(/^## /m);
  return /^- /m.test(section!) ? section!.trim() : undefined;
}

/** The changelog with its unreleased section under the version and day, and an empty one above it for what comes next. */
export function dateUnreleased(changelog: string, version: string, day: string): string {
  return changelog.replace(HEADING, `${HEADING}\n## ${version} (${day})\n`);
}
