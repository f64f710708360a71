import { addDays, dayOf, type Day } from '../core/dates.ts';
import { isPhaseOver, lastFreePhase, severalPhases } from '../core/phases.ts';
import type { Phase } from '../core/schemas/phase.ts';
import { isLtsOn } from '../core/states.ts';
import type { DetailedLine, DetailedRelease, DetailsOn } from './details-on.ts';

/** The version of the endoflife.date API specification that the documents of version 1 follow. */
const schemaVersion = '1.2.1';

/** The date of an empty index. */
const noInstant = '1970-01-01T00:00:00Z';

/** A component on a day, with the fields that the forms of endoflife.date have. */
type Details = Pick<DetailsOn, 'component' | 'title' | 'lines' | 'day'>;

/** A release line in the form of version 1. The days of endoflife.date are the last day with support; ours the first day without. */
export interface ReleaseCycle {
  readonly name: string;
  readonly codename: null;
  readonly label: string;
  /** Absent if only bounds are known. */
  readonly releaseDate?: Day | undefined;
  readonly isLts: boolean;
  readonly ltsFrom: Day | null;
  readonly isEol: boolean;
  readonly eolFrom: Day | null;
  /** The end of the first of several phases. */
  readonly isEoas?: boolean | undefined;
  readonly eoasFrom?: Day | null | undefined;
  /** The end of the paid phases; null for a line without one. */
  readonly isEoes?: boolean | null | undefined;
  readonly eoesFrom?: Day | null | undefined;
  readonly isMaintained: boolean;
  readonly latest: {
    readonly name: string;
    readonly date: Day | null;
    readonly link: string | null;
  };
}

/** The lines of a component on a day, newest first, with exact days only: the form has no bounds. */
export function releaseCycles({ lines, day }: Pick<Details, 'lines' | 'day'>): ReleaseCycle[] {
  const hasPaid = lines.some(({ phases }) => paidPhase(phases));
  return lines.toReversed().flatMap((line) => {
    const latest = latestOf(line.releases);
    // Examples hold some of the releases.
    return latest ? [releaseCycle(line, latest, day, hasPaid)] : [];
  });
}

function releaseCycle(
  line: DetailedLine,
  { version, releaseTimestamp, timestampKind, changelogUrl }: DetailedRelease,
  day: Day,
  hasPaid: boolean,
): ReleaseCycle {
  const isExact = line.firstReleaseDateAtMost === undefined;
  return {
    name: line.line,
    codename: null,
    label: line.line,
    releaseDate: isExact ? line.firstReleaseDate : undefined,
    isLts: isLtsOn(line, day),
    ltsFrom: line.ltsFrom ?? null,
    isEol: line.isSupported === false,
    eolFrom: lastDay(lastFreePhase(line.phases)),
    ...otherEnds(line, day, hasPaid),
    isMaintained: line.isSupported === true || line.phase !== undefined,
    latest: {
      name: version,
      date:
        releaseTimestamp === undefined || timestampKind === 'observed'
          ? null
          : dayOf(releaseTimestamp),
      link: changelogUrl ?? null,
    },
  };
}

function lastDay({ until, untilAtMost }: Partial<Phase> = {}): Day | null {
  return until === undefined || untilAtMost !== undefined ? null : addDays(until, -1);
}

/**
 * The end of active support, if it differs from the end of support; the end of extended support, if any line has it. Several
 * paid phases are one period of extended support.
 */
function otherEnds({ phases }: DetailedLine, day: Day, hasPaid: boolean) {
  const active = activePhase(phases);
  const paid = paidPhase(phases);
  const isPaidOver = paid ? isPhaseOver(paid, day) === true : null;
  return {
    isEoas: active && isPhaseOver(active, day) === true,
    eoasFrom: active && lastDay(active),
    isEoes: hasPaid ? isPaidOver : undefined,
    eoesFrom: hasPaid ? lastDay(paid) : undefined,
  };
}

function activePhase(phases: readonly Phase[] | undefined): Phase | undefined {
  const [first] = severalPhases(phases);
  return first === lastFreePhase(phases) ? undefined : first;
}

function paidPhase(phases: readonly Phase[] = []): Phase | undefined {
  return phases.findLast(({ paid }) => paid);
}

/** The greatest stable release without own reasons for a deprecation, else the greatest. */
function latestOf(releases: readonly DetailedRelease[]): DetailedRelease | undefined {
  const isSound = ({ isPrerelease, reasons = [] }: DetailedRelease) =>
    !isPrerelease && reasons.length === 0;
  return releases.findLast(isSound) ?? releases.at(-1);
}

/** The lines in the form of version 0, which most programs read. */
export function cyclesOfVersion0(cycles: readonly ReleaseCycle[]): object[] {
  return cycles.map(({ name, releaseDate, isLts, isEol, eolFrom, latest, ...ends }) => ({
    cycle: name,
    releaseDate,
    support: ends.eoasFrom ?? negated(ends.isEoas),
    eol: eolFrom ?? isEol,
    extendedSupport: ends.eoesFrom ?? negated(ends.isEoes),
    latest: latest.name,
    latestReleaseDate: latest.date ?? undefined,
    lts: isLts,
    link: latest.link ?? undefined,
  }));
}

/** Version 0 states whether a phase runs, but for `eol` whether it is over. */
function negated(isOver: boolean | null | undefined): boolean | undefined {
  return isOver === undefined ? undefined : !(isOver ?? true);
}

/** The folder of version 1. */
export const version1 = 'endoflife/api/v1';

const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['products', 'categories', 'tags', 'identifiers']],
  ['categories', ['app']],
  ['tags', ['app']],
  ['identifiers', ['purl', 'cpe']],
]);

/** The links in the root of version 1 and in its groups; undefined for any other name. */
export function linksIn(
  group: string,
  baseUrl: string,
): { name: string; uri: string }[] | undefined {
  const address = `${baseUrl}/${version1}/${group && `${group}/`}`;
  return groups.get(group)?.map((name) => ({ name, uri: `${address}${name}` }));
}

/** A component as an entry in the list of products. */
export function productSummary(
  { component, title }: Pick<Details, 'component' | 'title'>,
  baseUrl: string,
) {
  const uri = `${baseUrl}/${version1}/products/${component}`;
  return { name: component, label: title, aliases: [], category: 'app', tags: ['app'], uri };
}

/** A component in the form of version 1. */
export function productOf(details: Details, baseUrl: string) {
  const { uri: _, ...summary } = productSummary(details, baseUrl);
  return {
    ...summary,
    versionCommand: null,
    identifiers: [] as readonly { id: string; type: string }[],
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
function labelOf(
  { lines }: Details,
  phaseOf: (phases: DetailedLine['phases']) => Phase | undefined,
): string | null {
  return (
    lines.map(({ phases }) => phaseOf(phases)).findLast((phase) => phase !== undefined)?.name ??
    null
  );
}

/** The last day up to today with a release, a first sighting or an end: a document changes its timestamp only with its data. */
export function lastChangeOf({ lines, day }: Pick<Details, 'lines' | 'day'>): string {
  let last = dayOf(noInstant);
  const add = (on: Day | undefined) => {
    if (on !== undefined && on <= day && on > last) {
      last = on;
    }
  };
  for (const { phases = [], releases } of lines) {
    for (const { until, untilAtMost } of phases) {
      add(untilAtMost ?? until);
    }
    for (const { firstSeen, releaseTimestamp = '', reasons = [] } of releases) {
      for (const on of [firstSeen, dayOf(releaseTimestamp), ...reasons.map(({ from }) => from)]) {
        add(on);
      }
    }
  }
  return `${last}T00:00:00Z`;
}

/** An answer of version 1 with one result or a list. `at`: an instant in UTC. */
export function answerOfVersion1(result: object, at: string): object {
  const size = Array.isArray(result) ? { total: result.length } : { last_modified: at };
  return { schema_version: schemaVersion, generated_at: at, ...size, result };
}

/** The document of a product. */
export interface ProductAnswer {
  readonly last_modified: string;
  readonly result: ReturnType<typeof productOf>;
}

/** The documents of versions 0 and 1 about all products, by path. */
export function documentsOfAll(
  products: readonly ProductAnswer[],
  baseUrl: string,
): Readonly<Record<string, object>> {
  const instants = products.map(({ last_modified }) => last_modified);
  const last = instants.reduce(
    (newest, instant) => (instant > newest ? instant : newest),
    noInstant,
  );
  const full = products.map(({ result }) => result);
  const summaries = full.map(({ name, label }) =>
    productSummary({ component: name, title: label }, baseUrl),
  );
  const identifiersOf = (wanted: string) =>
    full.flatMap(({ name, label, identifiers }) => {
      const { uri } = productSummary({ component: name, title: label }, baseUrl);
      return identifiers.flatMap(({ id, type }) =>
        type === wanted ? [{ identifier: id, product: { name, uri } }] : [],
      );
    });
  const of = (result: readonly object[]) => answerOfVersion1(result, last);
  return {
    'endoflife/api/all.json': summaries.map(({ name }) => name),
    [`${version1}/products/full`]: of(full),
    [`${version1}/categories/app`]: of(summaries),
    [`${version1}/tags/app`]: of(summaries),
    [`${version1}/identifiers/purl`]: of(identifiersOf('purl')),
    [`${version1}/identifiers/cpe`]: of(identifiersOf('cpe')),
  };
}
