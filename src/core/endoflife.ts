import { addDays, dayOf, type Day } from './dates.ts';
import { isPhaseOver, lastFreePhase, severalPhases } from './phases.ts';
import type { Phase } from './schemas/phase.ts';
import type { DetailsFile } from './schemas/published/details-file.ts';
import { isLtsOn, type LineState } from './states.ts';
import { defined } from './text.ts';

/** The version of the description of endoflife.date's API that the documents of version 1 follow. */
const schemaVersion = '1.2.1';

/** Of an index that nothing is known of. */
const noInstant = '1970-01-01T00:00:00Z';

type DetailedRelease = Omit<DetailsFile['releases'][number], 'onBuildDay'>;
type Line = Omit<DetailsFile['lines'][number], 'releases'> &
  LineState & { readonly releases: readonly DetailedRelease[] };

/** A component on a day. */
interface Details extends Pick<DetailsFile, 'component' | 'title' | 'identifiers'> {
  readonly day: Day;
  readonly lines: readonly Line[];
}

/** A release line in the form of version 1. Days of endoflife.date are the last with support; ours are the first without. */
export interface ReleaseCycle {
  readonly name: string;
  readonly codename: null;
  readonly label: string;
  /** Absent where only bounds are known. */
  readonly releaseDate?: Day;
  readonly isLts: boolean;
  readonly ltsFrom: Day | null;
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

/** The lines of a component on a day, newest first. The form has no bounds, so that it has exact days only. */
export function releaseCycles({ lines, day }: Pick<Details, 'lines' | 'day'>): ReleaseCycle[] {
  const hasPaid = lines.some(({ phases }) => paidPhase(phases));
  return lines.toReversed().flatMap((line) => {
    // Examples hold some of the releases.
    return line.releases.length > 0 ? [releaseCycle(line, day, hasPaid)] : [];
  });
}

function releaseCycle(line: Line, day: Day, hasPaid: boolean): ReleaseCycle {
  const { version, releaseTimestamp, timestampKind, changelogUrl } = latestOf(line.releases);
  const isExact = line.firstReleaseDateAtMost === undefined;
  return {
    name: line.line,
    codename: null,
    label: line.line,
    ...(line.firstReleaseDate !== undefined && isExact && { releaseDate: line.firstReleaseDate }),
    isLts: isLtsOn(line, day),
    ltsFrom: line.ltsFrom ?? null,
    isEol: line.isSupported === false,
    eolFrom: lastDay(lastFreePhase(line.phases)),
    ...otherEnds(line, day, hasPaid),
    isMaintained: line.isSupported === true || line.phase !== undefined,
    latest: {
      name: version,
      date: releaseTimestamp === undefined || timestampKind === 'observed' ? null : dayOf(releaseTimestamp),
      link: changelogUrl ?? null,
    },
  };
}

function lastDay({ until, untilAtMost }: Partial<Phase> = {}): Day | null {
  return until === undefined || untilAtMost !== undefined ? null : addDays(until, -1);
}

/**
 * An end of active support where that is not the end of support; one of extended support where any line has that. The paid
 * phases count as one.
 */
function otherEnds({ phases }: Line, day: Day, hasPaid: boolean) {
  const active = activePhase(phases);
  const paid = paidPhase(phases);
  return {
    ...(active && { isEoas: isPhaseOver(active, day) === true, eoasFrom: lastDay(active) }),
    ...(hasPaid && { isEoes: paid ? isPhaseOver(paid, day) === true : null, eoesFrom: lastDay(paid) }),
  };
}

function activePhase(phases: readonly Phase[] | undefined): Phase | undefined {
  const [first] = severalPhases(phases);
  return first === lastFreePhase(phases) ? undefined : first;
}

function paidPhase(phases: readonly Phase[] = []): Phase | undefined {
  return phases.findLast(({ paid }) => paid);
}

/** The greatest stable release that is not deprecated by itself, or else the greatest. */
function latestOf(releases: readonly DetailedRelease[]): DetailedRelease {
  const isSound = ({ isPrerelease, reasons = [] }: DetailedRelease) => !isPrerelease && reasons.length === 0;
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
function labelOf({ lines }: Details, phaseOf: (phases: Line['phases']) => Phase | undefined): string | null {
  return lines.map(({ phases }) => phaseOf(phases)).findLast((phase) => phase !== undefined)?.name ?? null;
}

/** The last day up to today on which something was released, seen or ended, so that a document moves with its data. */
export function lastChangeOf({ lines, day }: Pick<Details, 'lines' | 'day'>): string {
  let last = dayOf(noInstant);
  const add = (on: Day | undefined) => {
    if (on !== undefined && on <= day && on > last) last = on;
  };
  for (const { phases = [], releases } of lines) {
    for (const { until, untilAtMost } of phases) add(untilAtMost ?? until);
    for (const { firstSeen, releaseTimestamp = '', reasons = [] } of releases)
      for (const on of [firstSeen, dayOf(releaseTimestamp), ...reasons.map(({ from }) => from)]) add(on);
  }
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
