import { componentFields } from '../core/query/fields.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { SearchedComponent, SearchedLine } from '../core/schemas/published/search-file.ts';
import { defined, pick } from '../core/text.ts';

type LineDetails = DetailsFile['lines'][number];
type ReleaseDetails = DetailsFile['releases'][number];
type ReleaseFacts = SearchedLine['releases'][number];

/** The facts that queries need, from the `details/` document of a component. */
export function compactDetails(details: DetailsFile): SearchedComponent {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  const facts = [...componentFields, 'watchesAdvisories'] as const;
  return {
    ...defined(pick({ ...details, policy: details.support.policy }, facts)),
    lines: details.lines.map((line) => compactLine(line, byLine.get(line.line) ?? [])),
  };
}

function compactLine(line: LineDetails, releases: readonly ReleaseDetails[]): SearchedLine {
  const compact = releases.map(compactRelease);
  const [release] = compact;
  const [first = {}, ...others] = compact.map((release) =>
    Object.fromEntries(Object.entries(release).map(([key, value]) => [key, JSON.stringify(value)])),
  );
  const isShared = (key: string) =>
    others.length > 0 && others.every((other) => other[key] === first[key]);
  const keys = Object.keys(first).filter(isShared) as (keyof ReleaseFacts)[];
  return defined({
    ...pick(line, [
      'line',
      'isLts',
      'ltsFrom',
      'phases',
      'supportedUntil',
      'supportedUntilAtMost',
      'reason',
    ]),
    shared: release && keys.length > 0 ? pick(release, keys) : undefined,
    releases: compact.map((release) => without(release, keys)),
  });
}

function compactRelease(release: ReleaseDetails): ReleaseFacts {
  const { version, releaseTimestamp, timestampKind, firstSeen, availableAt, isPrerelease } =
    release;
  const { withdrawnSince, reasons, advisories, fixes, severity, provenance } = release;
  return defined({
    ...{ version, releaseTimestamp, timestampKind, firstSeen, availableAt },
    isPrerelease: isPrerelease ? (true as const) : undefined,
    ...{ withdrawnSince, reasons, advisories, fixes, severity },
    provenance:
      provenance &&
      pick(provenance, ['repository', 'builder', 'commit', 'startedOn', 'finishedOn']),
  });
}

function without(release: ReleaseFacts, keys: readonly string[]): ReleaseFacts {
  return Object.fromEntries(Object.entries(release).filter(([key]) => !keys.includes(key)));
}
