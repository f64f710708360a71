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
  readonly lines: readonly L[];
  readonly releases: readonly R[];
};

type Values = Record<string, unknown>;

export function shortenReleases({ releases, ...component }: Short<Line, Release>): ShortRelease[] {
  const byLine = implyByLines(component);
  return releases.map((release): ShortRelease => {
    const { line, values } = byLine.get(release.line)!;
    const implied: Values = { ...values, ...implyByName(component.title, line, release) };
    const short: Values = {
      ...release,
      isLatest: undefined,
      isLatestOfLine: undefined,
      releasesBehind: undefined,
      behind: undefined,
    };
    const without: string[] = [];
    for (const key in implied) {
      if (isEqual(short[key], implied[key])) {
        short[key] = undefined;
      } else if (short[key] === undefined) {
        without.push(key);
      }
    }
    short['releaseTimestamp'] = release.releaseTimestamp?.replace('T00:00:00Z', '');
    short['without'] = without.length > 0 ? without : undefined;
    return short as ShortRelease;
  });
}

export function expandReleases<R extends SearchRelease = Release>({
  releases,
  ...component
}: Short<SearchLine, ShortRelease>): R[] {
  const byLine = implyByLines(component);
  let newer = 0;
  const latestDay = findDay(releases.find(({ version }) => version === component.latest));
  const newestFirst = releases.toReversed().map(({ without = [], ...short }): R => {
    const { line, values } = byLine.get(short.line)!;
    const { version, releaseTimestamp } = short;
    const release: Values = { ...values, ...implyByName(component.title, line, short), ...short };
    for (const key of without) {
      delete release[key];
    }

    const day = findDay(short);
    const isBehind = component.latest !== undefined && version !== component.latest;
    Object.assign(release, {
      ...(releaseTimestamp?.length === 10 && { releaseTimestamp: `${releaseTimestamp}T00:00:00Z` }),
      ...(version === component.latest && { isLatest: true }),
      ...(version === line.latest && { isLatestOfLine: true }),
      ...(isBehind && { releasesBehind: newer }),
      ...(isBehind &&
        day &&
        latestDay &&
        day <= latestDay && { behind: countDays(day, latestDay) }),
    });
    newer += Number(!release['isPrerelease'] && !release['isDeprecated']);
    return release as R;
  });
  return newestFirst.reverse();
}

/** The day that upstream states. */
function findDay({ releaseTimestamp, timestampKind }: Partial<Release> = {}): string | undefined {
  return timestampKind === 'observed' ? undefined : releaseTimestamp?.slice(0, 10);
}

function isEqual(a: unknown, b: unknown): boolean {
  return (
    a === b ||
    (typeof a === 'object' &&
      typeof b === 'object' &&
      (isEmpty(a) ? isEmpty(b) : JSON.stringify(a) === JSON.stringify(b)))
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** What a release of a line is if nothing else is said. */
function implyByLines({
  lines,
  watchesAdvisories,
}: Pick<Short<SearchLine, never>, 'lines' | 'watchesAdvisories'>) {
  const entries = lines.map((line): [string, { line: SearchLine; values: Values }] => {
    const { state, label, isSupported, moveReason, moveTo, moveBy, because, advice, reason } =
      line as Line;
    const reasons = state === 'ended' && reason ? [reason] : [];
    const usual = {
      sources: [],
      fixes: [],
      advisories: watchesAdvisories ? [] : undefined,
      reasons,
      isDeprecated: reasons.length > 0,
    };
    return [
      line.line,
      {
        line,
        values: {
          ...usual,
          state,
          label,
          isSupported,
          moveReason,
          moveTo,
          moveBy,
          because,
          advice,
        },
      },
    ];
  });
  return new Map(entries);
}

function implyByName(title: string, line: SearchLine, { version, releaseTimestamp }: ShortRelease) {
  return {
    timestampKind: releaseTimestamp && 'published',
    sentence: (line as Line).sentence?.replace(
      `${title} ${line.line}`,
      () => `${title} ${version}`,
    ),
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
