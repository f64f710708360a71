import { addDays, dayOf, type Day } from './dates.ts';
import { lastFreePhase } from './phases.ts';
import type { Phase } from './schemas/phase.ts';
import type { DetailsFile } from './schemas/published/details-file.ts';
import { defined } from './text.ts';

/** The version of the description of endoflife.date's API that the documents of version 1 follow. */
const schemaVersion = '1.2.1';

/** Of an index that nothing is known of. */
const noInstant = '1970-01-01T00:00:00Z';

type Details = Pick<DetailsFile, 'component' | 'title' | 'identifiers' | 'lines' | 'releases'>;
type DetailedRelease = DetailsFile['releases'][number];
type PublishedLine = DetailsFile['lines'][number];
type DatedLine = PublishedLine & { readonly firstReleaseDate: Day };

/** A release line in the form of version 1. Days of endoflife.date are the last with support; ours are the first without. */
export interface ReleaseCycle {
  readonly name: string;
  readonly codename: null;
  readonly label: string;
  readonly releaseDate: Day;
  readonly isLts: boolean;
  readonly ltsFrom: null;
  readonly isEol: boolean;
  readonly eolFrom: Day | null;
  /** Of the first of several phases. */
  readonly isEoas?: boolean;
  readonly eoasFrom?: Day | null;
  /** Of the paid ones; null for a line that has none. */
  readonly isEoes?: boolean | null;
  readonly eoesFrom?: Day | null;
  readonly isMaintained: boolean;
  readonly latest: { readonly name: string; readonly date: Day | null; readonly link: string | null };
}

/** The lines of a component, newest first. A line without any day is left out: the form demands one. */
export function releaseCycles({ lines, releases }: Details): ReleaseCycle[] {
  const isDated = (line: PublishedLine): line is DatedLine => line.firstReleaseDate !== undefined;
  const releasesOf = Map.groupBy(releases, ({ line }) => line);
  const hasPaid = lines.some((line) => paidPhase(line));
  return lines
    .filter(isDated)
    .toReversed()
    .flatMap((line) => {
      // Examples hold some of the releases.
      const ofLine = releasesOf.get(line.line);
      return ofLine ? [releaseCycle(line, ofLine, hasPaid)] : [];
    });
}

function releaseCycle(line: DatedLine, releases: readonly DetailedRelease[], hasPaid: boolean): ReleaseCycle {
  const isEol = line.isSupported === false;
  const { version, releaseTimestamp, changelogUrl } = latestOf(releases);
  return {
    name: line.line,
    codename: null,
    label: line.line,
    releaseDate: line.firstReleaseDate,
    isLts: line.isLts === true,
    ltsFrom: null,
    isEol,
    eolFrom: lastDay(line.supportedUntil),
    ...otherEnds(line, hasPaid),
    isMaintained: !isEol || line.phase !== undefined,
    latest: {
      name: version,
      date: releaseTimestamp === undefined ? null : dayOf(releaseTimestamp),
      link: changelogUrl ?? null,
    },
  };
}

function lastDay(until: Day | undefined): Day | null {
  return until === undefined ? null : addDays(until, -1);
}

/** The phases of a line that are over; none where it has one alone. */
function phasesOver({ phases = [], phase: present }: PublishedLine): Phase[] {
  const place = phases.findIndex(({ name }) => name === present);
  return place === -1 ? phases : phases.slice(0, place);
}

/**
 * An end of active support where that is not the end of support; one of extended support where any line has that. The paid
 * phases count as one.
 */
function otherEnds(line: PublishedLine, hasPaid: boolean) {
  const over = phasesOver(line);
  const active = activePhase(line);
  const paid = paidPhase(line);
  return {
    ...(active && { isEoas: over.includes(active), eoasFrom: lastDay(active.until) }),
    ...(hasPaid && { isEoes: paid ? over.includes(paid) : null, eoesFrom: lastDay(paid?.until) }),
  };
}

function activePhase({ phases = [] }: PublishedLine): Phase | undefined {
  return phases[0] === lastFreePhase(phases) ? undefined : phases[0];
}

function paidPhase({ phases = [] }: PublishedLine): Phase | undefined {
  return phases.findLast(({ paid }) => paid);
}

/** The greatest release that nothing but the end of its line speaks against, or else the greatest. */
function latestOf(releases: readonly DetailedRelease[]): DetailedRelease {
  const isSound = ({ isPrerelease, reasons = [] }: DetailedRelease) =>
    !isPrerelease && reasons.every(({ rule }) => rule === 'support policy');
  return releases.findLast(isSound) ?? releases.at(-1)!;
}

/** The lines in the form of version 0, an array, which most programs read. */
export function cyclesOfVersion0(cycles: readonly ReleaseCycle[]): object[] {
  return cycles.map(({ name, releaseDate, isLts, isEol, eolFrom, latest, ...ends }) =>
    defined({
      cycle: name,
      releaseDate,
      support: ends.eoasFrom ?? negated(ends.isEoas),
      eol: eolFrom ?? isEol,
      extendedSupport: ends.eoesFrom ?? negated(ends.isEoes),
      latest: latest.name,
      latestReleaseDate: latest.date ?? undefined,
      lts: isLts,
      link: latest.link ?? undefined,
    }),
  );
}

/** Version 0 says whether a phase runs, and of the end of life whether it has come. */
function negated(isOver: boolean | null | undefined): boolean | undefined {
  return isOver === undefined ? undefined : !(isOver ?? true);
}

/** A component as an entry of the list of products. `baseUrl`: without a slash at its end. */
export function productSummary({ component, title }: Pick<Details, 'component' | 'title'>, baseUrl: string) {
  const uri = `${baseUrl}/endoflife/api/v1/products/${component}`;
  return { name: component, label: title, aliases: [], category: 'app', tags: ['app'], uri };
}

/** A component in the form of version 1. */
export function productOf(details: Details, baseUrl: string) {
  const { uri: _, ...summary } = productSummary(details, baseUrl);
  return {
    ...summary,
    versionCommand: null,
    identifiers: Object.entries(details.identifiers ?? {}).flatMap(([type, ids = []]) =>
      ids.map((id) => ({ id, type })),
    ),
    labels: {
      eoas: labelOf(details, activePhase),
      discontinued: null,
      eol: 'Support',
      eoes: labelOf(details, paidPhase),
    },
    links: { icon: null, html: `${baseUrl}/${details.component}.html`, releasePolicy: null },
    releases: releaseCycles(details),
  };
}

/** The name of a phase in the newest line that has it. */
function labelOf({ lines }: Details, phaseOf: (line: PublishedLine) => Phase | undefined): string | null {
  return lines.map(phaseOf).findLast((phase) => phase !== undefined)?.name ?? null;
}

/** The last day on which something was released, seen or ended: documents move with their data, not with the day of the build. */
export function lastChangeOf({ lines, releases }: Pick<Details, 'lines' | 'releases'>): string {
  const ends = lines
    .flatMap((line) => [
      (line.isSupported === false ? line.supportedUntil : undefined) ?? [],
      ...phasesOver(line).map(({ until = [] }) => until),
    ])
    .flat();
  let last = dayOf([noInstant, ...ends].sort().at(-1)!);
  for (const { firstSeen = '', releaseTimestamp = '', reasons = [] } of releases)
    for (const day of [firstSeen, dayOf(releaseTimestamp), ...reasons.map(({ from = '' }) => from)])
      if (day > last) last = day;
  return `${last}T00:00:00Z`;
}

/** An answer of version 1: a result, or a list of them. `at`: an instant in UTC. */
export function answerOfVersion1(result: object, at: string): object {
  const size = Array.isArray(result) ? { total: result.length } : { last_modified: at };
  return { schema_version: schemaVersion, generated_at: at, ...size, result };
}

/** The text of `endoflife/api/v1/products/full`: the results of the documents of each product. */
export function renderProducts(documents: readonly string[]): string {
  const products = documents.map((text) => /"generated_at":"(.*?)".*?"result":(.*)\}\n$/.exec(text)!);
  const at = products.reduce((last, [, instant = '']) => (instant > last ? instant : last), noInstant);
  const opening = JSON.stringify({ ...answerOfVersion1([], at), total: products.length }).slice(
    0,
    -']}'.length,
  );
  return `${opening}${products.map(([, , result]) => result).join(',')}]}\n`;
}
