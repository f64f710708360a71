import { pick, pickDefined } from '../../../core/model/objects.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../../core/schemas/published/details-file.ts';
import {
  searchedKeys,
  type SearchedComponent,
  type SearchedLine,
} from '../../../core/schemas/published/search-file.ts';

/** The entry of a component in `search.json`, with one line per release: a diff shows single releases. */
export function renderSearchedComponent(details: DetailsFile): string {
  const { lines, ...component } = compactDetails(details);
  return `${renderWithList(component, 'lines', lines.map(renderLine))}\n`;
}

function renderLine({ releases, ...line }: SearchedLine): string {
  const rows = releases.map((release) => `\n${JSON.stringify(release)}`);
  return `\n${renderWithList(line, 'releases', rows)}`;
}

/** An object as JSON, with a last member that is a list of JSON texts. */
function renderWithList(object: object, key: string, items: readonly string[]): string {
  return `${JSON.stringify(object).slice(0, -1)},"${key}":[${items.join(',')}]}`;
}

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...pick({ ...details, policy: details.support.policy }, searchedKeys.component),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

type SearchedRelease = NonNullable<SearchedLine['shared']>;

/** A line with the values that all of its releases share, and its releases with the others. */
function compactLine(line: PublishedLine, releases: readonly PublishedRelease[]): SearchedLine {
  const sharedKeys = searchedKeys.release.filter((key) => isShared(key, releases));
  const ownKeys = searchedKeys.release.filter((key) => !sharedKeys.includes(key));
  const shared = compactRelease(releases[0] ?? {}, sharedKeys);

  return {
    ...pick(line, searchedKeys.line),
    shared: Object.keys(shared).length > 0 ? shared : undefined,
    releases: releases.map((release) => ({
      ...compactRelease(release, ownKeys),
      version: release.version,
    })),
  };
}

function isShared(key: keyof SearchedRelease, releases: readonly PublishedRelease[]): boolean {
  const values = new Set(releases.map((release) => JSON.stringify(release[key])));
  return releases.length > 1 && values.size === 1;
}

function compactRelease(
  release: Partial<PublishedRelease>,
  keys: readonly (keyof SearchedRelease)[],
): SearchedRelease {
  const compact: SearchedRelease = pickDefined(release, keys);
  if (compact.releaseTimestamp !== undefined) {
    // A day stands for its first instant.
    compact.releaseTimestamp = compact.releaseTimestamp.replace('T00:00:00Z', '');
  }

  return compact;
}
