import type { SearchedComponent, SearchedLine } from './schemas/published/search-file.ts';
import {
  certainFrom,
  isLtsOn,
  statesOn,
  type ComponentOn,
  type LineOn,
  type ReleaseOn,
  type State,
} from './states.ts';
import { defined, distinct, pick } from './text.ts';
import type { PlacedRelease } from './query/catalogue.ts';
import { componentFields, type Row, type statuses } from './query/fields.ts';
import { formatDuration } from './query/values.ts';

type ReleaseFacts = ReturnType<typeof expandReleases>[number];
type Line = Omit<SearchedLine, 'releases'> & { readonly releases: readonly ReleaseFacts[] };

/** The releases of a component as queries see them on a day, oldest first. `ofComponent`: fields that all of them share. */
export function rowsOn(
  component: SearchedComponent,
  day: string,
  ofComponent: Row,
): PlacedRelease[] {
  return rowsOf({ ...component, ...componentOn(component, day), day }, ofComponent);
}

/** A component with its states on a day. */
type ComponentOfDay = Omit<SearchedComponent, 'lines'> &
  ComponentOn<Line, ReleaseFacts> & { readonly day: string };

/** The releases of a component whose states are known. */
export function rowsOf(component: ComponentOfDay, ofComponent: Row): PlacedRelease[] {
  const { lines, releases, day } = component;
  const shared = {
    ...defined(pick(component, componentFields)),
    ...ofComponent,
    releases: releases.length,
  };
  return lines.flatMap((line) => {
    const ofLine = { ...shared, ...lineRow(line, day) } as Row;
    return line.releases.map((release) =>
      defined({ shared: ofLine, own: releaseRow(release, component) }),
    );
  });
}

/** The states of a component on a day, from the facts in `search.json`. */
export function componentOn({ lines }: SearchedComponent, day: string) {
  const expanded = lines.map((line) => ({ ...line, releases: expandReleases(line) }));
  return statesOn<ReleaseFacts, Line>(expanded, day);
}

function expandReleases({ shared, releases }: SearchedLine) {
  return releases.map((own) => {
    const release = { ...shared, ...own };
    return { ...release, version: release.version!, isPrerelease: release.isPrerelease === true };
  });
}

function lineRow(line: LineOn<Line, ReleaseFacts>, day: string): Row {
  const { phase } = line;
  const { line: name, supportedUntil, supportedUntilAtMost } = line;
  return defined({
    ...{ line: name, supportedUntil, supportedUntilAtMost },
    isLts: isLtsOn(line, day),
    phase: phase?.name,
    phaseUntil: phase?.until,
  });
}

function releaseRow(
  release: ReleaseOn<ReleaseFacts>,
  { watchesAdvisories }: ComponentOfDay,
): PlacedRelease['own'] {
  const {
    version,
    state,
    because,
    isDeprecated,
    isPrerelease,
    isLatest,
    isLatestOfLine,
    isSupported,
  } = release;
  const { releaseTimestamp, timestampKind, firstSeen, availableAt, releasesBehind, daysBehind } =
    release;
  const { advisories, fixes, severity, provenance } = release;
  return defined({
    version,
    state,
    status: coarseStatus[state],
    reason: distinct(because.map(({ text }) => text)),
    ...{ isDeprecated, isPrerelease },
    isWithdrawn: state === 'withdrawn',
    ...{ isLatest, isLatestOfLine, isSupported },
    ...{ releaseTimestamp, timestampKind, firstSeen, availableAt },
    deprecatedSince: because[0] && certainFrom(because[0]),
    releasesBehind,
    behind: daysBehind === undefined ? undefined : `P${daysBehind}D`,
    isVulnerable: advisories !== undefined || (watchesAdvisories ? false : undefined),
    advisory: advisories,
    ...{ fixes, severity },
    hasProvenance: provenance !== undefined,
    ...(provenance && buildRow(provenance)),
  });
}

const coarseStatus: Readonly<Record<State, (typeof statuses)[number]>> = {
  supported: 'supported',
  'ends-soon': 'supported',
  'may-have-ended': 'listed',
  'no-promise': 'listed',
  'not-listed': 'listed',
  'not-released': 'listed',
  'unknown-line': 'listed',
  ended: 'deprecated',
  deprecated: 'deprecated',
  withdrawn: 'withdrawn',
};

function buildRow(provenance: NonNullable<ReleaseFacts['provenance']>) {
  const { startedOn, finishedOn } = provenance;
  const built = startedOn && finishedOn && Date.parse(finishedOn) - Date.parse(startedOn);
  return {
    ...pick(provenance, ['repository', 'builder', 'commit']),
    buildStartTime: startedOn,
    buildDuration: built ? formatDuration(Math.max(0, built)) : undefined,
  };
}
