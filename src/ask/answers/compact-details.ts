import { defined, pick, pickDefined } from '../../core/model/objects.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../core/schemas/published/details-file.ts';
import {
  searchedKeys,
  type SearchedComponent,
  type SearchedLine,
} from '../../core/schemas/published/release-documents.ts';

type SearchedRelease = SearchedLine['releases'][number];

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  return {
    ...pickDefined({ ...details, policy: details.support.policy }, searchedKeys.component),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

function compactLine(line: PublishedLine, releases: readonly PublishedRelease[]): SearchedLine {
  const [first, ...others] = releases;
  const isShared = (key: keyof SearchedRelease) =>
    others.length > 0 && others.every((other) => isEqual(other[key], first![key]));
  const shared = searchedKeys.release.filter(isShared);
  const rest = searchedKeys.release.filter((key) => !shared.includes(key));
  const facts = compactRelease(first, shared);
  return defined({
    ...pick(line, searchedKeys.line),
    shared: Object.keys(facts).length > 0 ? facts : undefined,
    releases: releases.map((release) => compactRelease(release, rest)),
  });
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

function compactRelease(
  release: Partial<PublishedRelease> = {},
  keys: readonly (keyof SearchedRelease)[],
): SearchedRelease {
  const compact: SearchedRelease = pickDefined(release, keys);
  if (compact.releaseTimestamp !== undefined) {
    compact.releaseTimestamp = compact.releaseTimestamp.replace('T00:00:00Z', '');
  }

  return compact;
}
