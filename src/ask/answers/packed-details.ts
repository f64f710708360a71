import { dayNumber, dayOf, toDay, type Day } from '../../core/model/dates.ts';
import { withUsualValues } from '../../core/query/rows.ts';
import { lastFreePhase } from '../../core/model/phases.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../core/schemas/published/details-file.ts';
import { defined, pickDefined } from '../../core/text/text.ts';
import type { ComponentFacts } from './details-on.ts';

/**
 * The facts of a component that verdicts and plans need, for pages: a fifth of the bytes of `details/`. Values that most releases
 * share are stored once, and the others as columns.
 */
export interface PackedDetails extends Pick<ComponentFacts, (typeof headKeys)[number]> {
  /** By the key of a line: a value for each line, 0 where it is the usual one, and an empty text where there is none. */
  readonly lines: Readonly<Record<string, readonly unknown[]>>;
  /** For each line: the versions of its releases, without the name of the line; `=2025.1` is a whole version, `*` the next one. */
  readonly versions: readonly string[];
  /** For each line: the days of its releases, each as the number of days since the release before it. */
  readonly days: readonly string[];
  /** For each line: the places of the other facts of its releases in `others`; a single one is that of all. */
  readonly kinds: readonly string[];
  readonly others: readonly OtherFacts[];
}

/** Smaller indexes have fewer files. A plan names few of their components, so it saves less. */
export function isLargeIndex(components: number): boolean {
  return components > 100;
}

/** With fewer releases, the document in `details/` is small, and a file more would cost more than it saves. */
export function isPacked(releases: number, components: number): boolean {
  return releases > 100 && isLargeIndex(components);
}

const headKeys = [
  'component',
  'title',
  'homepage',
  'changelogUrl',
  'support',
  'replacedBy',
  'watchesAdvisories',
  'worksWith',
  'statedBy',
  'upgradeStops',
] as const;

const lineKeys = [
  'line',
  'isLts',
  'ltsFrom',
  'phases',
  'undatedEnd',
  'reason',
  'firstReleaseDate',
  'firstReleaseDateAtMost',
  'supportedUntil',
  'supportedUntilAtMost',
] as const;

const releaseKeys = [
  'isPrerelease',
  'timestampKind',
  'changelogUrl',
  'withdrawnSince',
  'reasons',
  'advisories',
  'fixes',
  'isVulnerable',
  'severity',
  'security',
] as const;

type PackedLine = Omit<PublishedLine, 'latest' | 'releases'>;
type Release = ComponentFacts['releases'][number];
/** The link has a space in place of the version. */
type OtherFacts = Partial<Pick<PublishedRelease, (typeof releaseKeys)[number]>>;

const radix = 36;

export function packDetails(details: DetailsFile): PackedDetails {
  const byLine = Map.groupBy(details.releases, ({ line }) => line);
  const releases = details.lines.map(({ line }) => byLine.get(line) ?? []);
  const others: OtherFacts[] = [];
  const places = new Map<string, number>();
  let before = 0;

  const placeOf = (release: PublishedRelease) => {
    const facts = otherFacts(release);
    const key = JSON.stringify(facts);

    const place = places.get(key) ?? others.length;
    if (place === others.length) {
      others.push(facts);
      places.set(key, place);
    }

    return place;
  };

  const daysSince = ({ releaseTimestamp }: PublishedRelease) => {
    if (releaseTimestamp === undefined) {
      return '';
    }

    const day = dayNumber(dayOf(releaseTimestamp));
    const since = (day - before).toString(radix);

    before = day;

    return since;
  };

  return {
    ...pickDefined(details, headKeys),
    lines: packLines(details.lines, releases),
    versions: releases.map((ofLine, place) =>
      packVersions(
        ofLine.map(({ version }) => version),
        details.lines[place]!.line,
      ),
    ),
    days: releases.map((ofLine) => joinTexts(ofLine, daysSince)),
    kinds: releases.map((ofLine) => {
      const places = ofLine.map((release) => String(placeOf(release)));
      return new Set(places).size > 1 ? places.join(' ') : (places[0] ?? '');
    }),
    others,
  };
}

function joinTexts(
  releases: readonly PublishedRelease[],
  textOf: (release: PublishedRelease) => string,
): string {
  return releases.map(textOf).join(' ');
}

/** Signs of the usual next versions, which no version has. */
const [patchSign, minorSign] = ['*', '**'];

/** `1.2.4` for `1.2.3` */
function nextPatch(version: string): string {
  return version.replace(/\d+$/, (digits) => String(Number(digits) + 1));
}

/** `1.3.0` for `1.2.3` */
function nextMinor(version: string): string {
  return version.replace(/(\d+)\.\d+$/, (_, digits) => `${Number(digits) + 1}.0`);
}

function packVersions(versions: readonly string[], line: string): string {
  const texts = versions.map((version, place) => {
    const before = versions[place - 1] ?? '';

    // No next patch ends in zero, and every next minor version does.
    if (version.endsWith('.0')) {
      if (version === nextMinor(before)) {
        return minorSign;
      }
    } else if (version === nextPatch(before)) {
      return patchSign;
    }

    // Never empty: an empty text is a line without releases.
    return version !== line && version.startsWith(line)
      ? version.slice(line.length)
      : `=${version}`;
  });

  return texts.join(' ');
}

function unpackVersions(texts: string, line: string): string[] {
  if (texts === '') {
    return [];
  }

  let before = '';

  return texts.split(' ').map((text) => {
    before = unpackVersion(text, before, line);
    return before;
  });
}

function unpackVersion(text: string, before: string, line: string): string {
  if (text === patchSign) {
    return nextPatch(before);
  }

  if (text === minorSign) {
    return nextMinor(before);
  }

  return text.startsWith('=') ? text.slice(1) : `${line}${text}`;
}

function otherFacts(release: PublishedRelease): OtherFacts {
  const { version, changelogUrl } = release;

  const facts = pickDefined(release, releaseKeys);

  return changelogUrl === undefined
    ? facts
    : { ...facts, changelogUrl: changelogUrl.replaceAll(version, ' ') };
}

function packLines(
  lines: readonly PublishedLine[],
  releases: readonly (readonly PublishedRelease[])[],
): PackedDetails['lines'] {
  const columns: Record<string, unknown[]> = {};
  const usual = lines.map((line, place) => usualValues(line, releases[place]!));

  for (const key of lineKeys) {
    const column = lines.map((line, place) =>
      line[key] === usual[place]![key] ? 0 : (line[key] ?? ''),
    );

    if (column.some((value) => value !== 0)) {
      columns[key] = column;
    }
  }

  return columns;
}

/** The values that most lines have: those that follow from their phases and releases. */
function usualValues(
  { phases }: Pick<PackedLine, 'phases'>,
  releases: readonly Pick<Release, 'releaseTimestamp'>[],
): Partial<PackedLine> {
  const { until, untilAtMost } = lastFreePhase(phases) ?? {};
  let first: string | undefined;

  for (const { releaseTimestamp } of releases) {
    if (releaseTimestamp !== undefined && (first === undefined || releaseTimestamp < first)) {
      first = releaseTimestamp;
    }
  }

  return {
    firstReleaseDate: first && dayOf(first),
    supportedUntil: until,
    supportedUntilAtMost: untilAtMost,
  };
}

export function unpackDetails({
  lines: columns,
  versions,
  days,
  kinds,
  others,
  ...head
}: PackedDetails): ComponentFacts {
  const names = columns['line'] as readonly string[] | undefined;
  const unpacked = (names ?? []).map((line, place) => ({ line, place }));
  let before = 0;

  const dayAfter = (since: string): Day | undefined => {
    if (since === '') {
      return undefined;
    }

    before += parseInt(since, radix);

    return toDay(new Date(before * msPerDay));
  };

  const releases: Release[] = [];
  const lines: ComponentFacts['lines'][number][] = [];

  for (const { line, place } of unpacked) {
    const since = days[place]!.split(' ');
    const kindsOfLine = kinds[place]!.split(' ');

    const ofLine = unpackVersions(versions[place]!, line).map((version, at): Release => {
      const facts = others[Number(kindsOfLine[at] ?? kindsOfLine[0])]!;

      return releaseOf(version, line, dayAfter(since[at]!), facts);
    });

    const lineValues = valuesAt(columns, place) as PackedLine;
    const usual = defined(usualValues(lineValues, ofLine));

    releases.push(...ofLine);
    lines.push({
      ...usual,
      ...lineValues,
      latest: ofLine.at(-1)?.version,
    });
  }

  return { ...head, lines: lines.map(withoutAbsent), releases };
}

const msPerDay = 86_400_000;

function releaseOf(
  version: string,
  line: string,
  day: Day | undefined,
  facts: OtherFacts,
): Release {
  const changelogUrl = facts.changelogUrl?.replaceAll(' ', version);
  const dated = day === undefined ? { version, line } : { version, line, releaseTimestamp: day };

  return withUsualValues({
    ...dated,
    ...facts,
    ...(changelogUrl !== undefined && { changelogUrl }),
  });
}

function valuesAt(columns: PackedDetails['lines'], place: number): Record<string, unknown> {
  const values = Object.entries(columns).map(([key, column]) => [key, column[place]]);
  return Object.fromEntries(values.filter(([, value]) => value !== 0));
}

/** An empty text stands where a line lacks its usual value. */
function withoutAbsent<Line extends object>(line: Line): Line {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== '')) as Line;
}
