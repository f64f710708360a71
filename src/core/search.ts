/** The releases of `details/` and `search.json`, in short and in full. No zod and no Node: pages load it. */
import type { Component, Line, Release } from './schema/published.ts';
import { countDays } from './day.ts';

const sharedKeys = ['line', 'state', 'isSupported', 'moveTo', 'moveBy'] as const;
/** What `search.json` has of a line and of a release: what the fields of queries read. */
export const searchedLineKeys = [
  ...sharedKeys,
  'isLts',
  'ltsFrom',
  'isInferred',
  'phase',
  'supportedUntil',
  'supportedUntilAtMost',
  'latest',
  'reason',
] as const;
export const searchedReleaseKeys = [
  'version',
  ...sharedKeys,
  'releaseTimestamp',
  'timestampKind',
  'firstSeen',
  'availableAt',
  'isPrerelease',
  'isDeprecated',
  'advisories',
  'severity',
  'exploitedSince',
  'reasons',
  'fixes',
] as const;
/** What order says. */
type Place = 'isLatest' | 'isLatestOfLine' | 'releasesBehind' | 'behind';
export type SearchRelease = Pick<Release, (typeof searchedReleaseKeys)[number] | Place>;
export type SearchLine = Pick<Line, (typeof searchedLineKeys)[number]>;
export type SearchComponent = Pick<
  Component,
  'title' | 'sourceRepository' | 'latest' | 'watchesAdvisories'
> & {
  readonly support: { readonly policy: string };
  readonly sources: readonly {
    readonly datasource: string;
    readonly packageName?: string | undefined;
  }[];
  readonly advisories: readonly {
    readonly id: string;
    readonly aliases?: readonly string[] | undefined;
  }[];
  readonly freshness: string;
};

/** Without what is usual, what its line says, and what its place says. `without`: of these, what it lacks. */
export type ShortRelease = Partial<Release> & {
  readonly version: string;
  readonly line: string;
  readonly without?: readonly string[];
};

type Short<L, R> = Pick<Component, 'title' | 'latest' | 'watchesAdvisories'> & {
  readonly sources: readonly any[];
  readonly lines: readonly L[];
  readonly releases: readonly R[];
};

type Values = Record<string, unknown>;

/** `releases`: with all keys, also those without a value. */
export function shortenReleases({ releases, ...component }: Short<Line, Release>): ShortRelease[] {
  const impliedByLine = implyByLines(component);
  return releases.map((release: Release & Values): ShortRelease => {
    const { line, values } = impliedByLine.get(release.line)!;
    const implied = Object.assign(values, implyByName(component.title, line, release));
    const short: Values = {};
    const without: string[] = [];
    for (const key in release) {
      const value = release[key];
      if (value === undefined) {
        if (implied[key] !== undefined) {
          without.push(key);
        }
      } else if (!isEqual(value, implied[key])) {
        short[key] = value;
      }
    }
    if (release.releaseTimestamp) {
      short['releaseTimestamp'] = release.releaseTimestamp.replace('T00:00:00Z', '');
    }
    return (without.length > 0 ? { ...short, without } : short) as ShortRelease;
  });
}

export function expandReleases<R extends SearchRelease = Release>({
  releases,
  ...component
}: Short<SearchLine, ShortRelease>): R[] {
  const { title, latest } = component;
  const impliedByLine = implyByLines(component);
  const latestDay = findDay(releases.find(({ version }) => version === latest));
  let newer = 0;

  const newestFirst = releases.toReversed().map(({ without = [], ...short }): R => {
    const { version, releaseTimestamp } = short;
    const { line, values } = impliedByLine.get(short.line)!;
    const release: Values = { ...values, ...implyByName(title, line, short), ...short };
    for (const key of without) {
      release[key] = undefined;
    }

    if (releaseTimestamp?.length === 10) {
      release['releaseTimestamp'] = `${releaseTimestamp}T00:00:00Z`;
    }
    release['isLatest'] = version === latest || undefined;
    release['isLatestOfLine'] = version === line.latest || undefined;
    if (latest !== undefined && version !== latest) {
      const day = findDay(short);
      const isOlder = day !== undefined && latestDay !== undefined && day <= latestDay;
      release['releasesBehind'] = newer;
      release['behind'] = isOlder ? countDays(day, latestDay) : undefined;
    }
    newer += Number(!release['isPrerelease'] && !release['isDeprecated']);
    return release as R;
  });
  return newestFirst.reverse();
}

/** The day that upstream states. */
function findDay({ releaseTimestamp, timestampKind }: Partial<Release> = {}): string | undefined {
  return timestampKind === 'observed' ? undefined : releaseTimestamp?.slice(0, 10);
}

function isEqual(a: any, b: any): boolean {
  return Array.isArray(b)
    ? a?.length === b.length && b.every((each, index) => each === a[index])
    : a === b || (typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** What a release of a line is if nothing else is said. */
function implyByLines({
  lines,
  sources,
  watchesAdvisories,
}: Omit<Short<SearchLine, never>, 'releases'>) {
  return new Map(
    lines.map((line) => {
      const { state, label, isSupported, because, advice, reason } = line as Line;
      const { moveReason, moveTo, moveBy } = line as Line;
      const reasons = state === 'ended' && reason ? [reason] : [];
      const values: Values = {
        ...{ state, label, isSupported, because, advice, moveReason, moveTo, moveBy },
        ...{ reasons, isDeprecated: reasons.length > 0, fixes: [] },
        sources: [sources[0]?.id],
        advisories: watchesAdvisories ? [] : undefined,
      };
      return [line.line, { line, values }];
    }),
  );
}

/** What a release says of itself as its line does. */
function implyByName(title: string, line: SearchLine, { version, releaseTimestamp }: ShortRelease) {
  const sentence = (line as Partial<Line>).sentence;
  return {
    timestampKind: releaseTimestamp && 'published',
    sentence: sentence?.replace(`${title} ${line.line}`, () => `${title} ${version}`),
  };
}

export interface SearchedComponent extends SearchComponent {
  /** Names and aliases, of which the first is its own. */
  readonly names: readonly string[];
  /** Package URLs without a version. */
  readonly packages: readonly string[];
  readonly lines: readonly SearchLine[];
  readonly releases: readonly ShortRelease[];
}
export interface Search {
  readonly asOf: string;
  readonly components: Readonly<Record<string, SearchedComponent>>;
}
