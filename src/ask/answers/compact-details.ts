import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../core/schemas/published/details-file.ts';
import {
  searchedBuildKeys,
  searchedKeys,
  type SearchedComponent,
  type SearchedLine,
} from '../../core/schemas/published/search-file.ts';
import { defined, pick } from '../../core/text/text.ts';

type SearchedRelease = SearchedLine['releases'][number];

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);

  return {
    ...defined(pick({ ...details, policy: details.support.policy }, searchedKeys.component)),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

function compactLine(line: PublishedLine, releases: readonly PublishedRelease[]): SearchedLine {
  const compact = releases.map(compactRelease);
  const [release] = compact;
  const [first = {}, ...others] = compact.map((release) =>
    Object.fromEntries(Object.entries(release).map(([key, value]) => [key, JSON.stringify(value)])),
  );
  const isShared = (key: string) =>
    others.length > 0 && others.every((other) => other[key] === first[key]);
  const keys = Object.keys(first).filter(isShared) as (keyof SearchedRelease)[];

  return defined({
    ...pick(line, searchedKeys.line),
    shared: release && keys.length > 0 ? pick(release, keys) : undefined,
    releases: compact.map((release) => without(release, keys)),
  });
}

function compactRelease(release: PublishedRelease): SearchedRelease {
  const { isPrerelease, provenance } = release;

  return defined({
    ...pick(release, searchedKeys.release),
    isPrerelease: isPrerelease ? (true as const) : undefined,
    provenance: provenance && pick(provenance, searchedBuildKeys),
  });
}

function without(release: SearchedRelease, keys: readonly string[]): SearchedRelease {
  return Object.fromEntries(Object.entries(release).filter(([key]) => !keys.includes(key)));
}
