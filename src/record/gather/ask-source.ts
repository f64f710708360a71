import {
  cutDay,
  earliestPlausibleDay,
  findEarliestDay,
  toDay,
  type Day,
} from '../../core/model/dates.ts';
import { parseTimestamp } from '../../core/model/timestamps.ts';
import { pick } from '../../core/model/objects.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { warning, type Finding } from '../../core/schemas/finding.ts';
import { hasSameDefinition } from '../../core/schemas/recorded/freshness.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { sha256 } from '../../io/files/file-system.ts';
import {
  type SourceContext,
  EmptyAnswerError,
  SourceError,
  type SourceAnswer,
  type StatedRelease,
} from '../sources/datasource.ts';
import type { findAdapter } from '../sources/index.ts';
import { listSourceVersions } from './recorded-releases.ts';
import { findUnknownDays, requestReleases, type RecordedSource } from './request-facts.ts';
import { selectReleases } from './select-releases.ts';
import { createFailedOutcome, describeError, type Failed } from './source-failure.ts';
import { openSession, type SessionContext } from './source-session.ts';
import { checkReleases, type Report } from './stated-release.ts';

/** What a source lists, as far as the definition admits it. Not yet checked against recorded data. */
export interface Answered extends Pick<SourceAnswer, 'hasTags' | 'advisories' | 'lines' | 'about'> {
  kind: 'answered';
  id: string;
  /** A digest of the source in the definition; freshness records it as `definition`. */
  fingerprint: string;
  releases: StatedRelease[];
  /** Ranks of all versions it lists, whether or not the definition admits them. */
  ranks: ReadonlySet<string>;
  /** Tags that are not versions. */
  unordered?: readonly string[];
  /** A release that is missing in the answer may still exist: `listsSome` is true, or upstream drops old entries. */
  isPartial: boolean;
  /** The definition says that it lists only some releases, so a shorter list is no sign of a fault. */
  listsSome?: boolean;
  /** A release without a stated deprecation is not deprecated. */
  statesDeprecation: boolean;
  /** Versions whose day could not be read. */
  pending: string[];
  /** Keeps the documents of the answer for conditional requests of later runs; absent for an empty answer. */
  keep?(): void;
}

/** The answer of a source, or why it has none. `findings`: about the parts that were left out. */
export type SourceOutcome = (Answered | Failed) & { findings: readonly Finding[] };

/** The context that all components of a run share. */
export interface GatherContext extends SessionContext {
  day: Day;
  npmRegistry: SourceContext['npmRegistry'];
  /** The addresses of catalogues of exploited vulnerabilities. */
  catalogues?: readonly string[] | undefined;
}

export interface AskContext extends GatherContext, RecordedSource {
  component: string;
  packages: SourceContext['packages'];
  acceptsPrereleases: boolean;
  /** Whether the source lists release lines in place of releases. */
  listsLines?: boolean;
}

export type Adapter = Pick<
  ReturnType<typeof findAdapter>,
  'gather' | 'onlyAdds' | 'statesDeprecation'
>;

/** Asks one source. Any error, even a bug, becomes its outcome and affects no other source, but for the stop of the run. */
export async function askSource(
  source: Source,
  adapter: Adapter,
  context: AskContext,
): Promise<SourceOutcome> {
  const { id, component, recorded, freshness, listsLines } = context;
  const fingerprint = digestSource(source, context);
  const listsSome = source.onlyAdds === true;
  const facts = {
    kind: 'answered' as const,
    id,
    fingerprint,
    listsSome,
    isPartial: listsSome || adapter.onlyAdds === true,
    statesDeprecation: adapter.statesDeprecation === true,
  };
  const findings: Finding[] = [];
  const report: Report = (message, kind = message) => {
    findings.push({ ...warning(component, `${id}: ${message}`), kind: `${id} ${kind}` });
  };
  const session = openSession(context);

  try {
    const answer = await adapter.gather(source, {
      ...pick(context, ['npmRegistry', 'packages']),
      http: session,
      lastCount: freshness?.names,
      listedBefore: listSourceVersions(recorded, id).map(({ text }) => text),
    });
    const admitted = await admitAnswer(answer, source, context, report);
    return { ...facts, ...admitted, findings, keep: session.keep };
  } catch (error) {
    // An empty list of a source that has answered withdraws its releases. Of another one, its name is wrong.
    if (error instanceof EmptyAnswerError && hasAnswered(context, fingerprint)) {
      const lines = listsLines ? [] : undefined;
      return { ...facts, releases: [], ranks: new Set(), lines, pending: [], findings };
    }

    return { ...createFailedOutcome(id, error), findings };
  }
}

/** The admitted part of an answer. Throws a `SourceError` for an answer that holds nothing usable. */
async function admitAnswer(
  answer: SourceAnswer,
  source: Source,
  context: AskContext,
  report: Report,
) {
  const { id, day } = context;
  const { lines, skipped = [] } = answer;
  const listed = lines
    ? { ...answer, releases: lines.map(({ line }) => ({ name: line })) }
    : answer;
  const selection = selectReleases(source, listed, context.acceptsPrereleases);
  for (const { message, kind } of [...skipped, ...selection.skipped]) {
    report(message, kind);
  }

  const { elements, whyNoneAdmitted } = selection;
  if (whyNoneAdmitted !== undefined) {
    throw new SourceError(`${id} ${whyNoneAdmitted}`);
  }

  const unknownDays = findUnknownDays(elements.keys(), context);
  const { releases, absent, postponed } = await requestReleases(elements, unknownDays);
  reportAbsent(absent, report);
  reportPostponed(postponed, report);
  rejectLaterAnswer(context, releases);
  const admitted = new Set(releases.map(({ version }) => version));
  return {
    ...pick(selection, ['ranks', 'unordered']),
    ...pick(answer, ['about', 'advisories', 'hasTags']),
    releases: checkReleases(releases, day, report),
    lines: lines?.filter(({ line }) => admitted.has(line)),
    pending: [...postponed.keys()],
  };
}

/** Whether the source has answered with this definition, or has listed a recorded release. */
function hasAnswered({ id, recorded, freshness }: AskContext, fingerprint: string): boolean {
  return (
    (freshness?.answeredOn !== undefined && hasSameDefinition(freshness, fingerprint)) ||
    listSourceVersions(recorded, id).length > 0
  );
}

function reportAbsent(versions: readonly string[], report: Report): void {
  if (versions.length > 0) {
    const names = formatList(versions, 10);
    report(`lists ${names}, but has nothing to download. Left out. The next run asks again.`);
  }
}

/** Reports the versions whose day could not be asked for, with the first error. */
function reportPostponed(postponed: ReadonlyMap<string, unknown>, report: Report): void {
  const [first] = postponed;
  if (!first) {
    return;
  }

  const [version, error] = first;
  const versions = postponed.size === 1 ? version : formatCount(postponed.size, 'version');
  const reason = describeError(error);
  report(`the day of ${versions} could not be asked for (${reason}). The next run asks again.`);
}

/** Rejects an answer about a past day if all its plausible days are later: its releases would be recorded for that day. */
function rejectLaterAnswer({ id, day }: AskContext, releases: readonly StatedRelease[]): void {
  const timestamps = releases.flatMap(({ releaseTimestamp = [] }) => releaseTimestamp);

  // Sources with a request per version do not state the days of known versions.
  if (timestamps.length < releases.length || day >= toDay(new Date())) {
    return;
  }

  const days = timestamps.flatMap((each) => parseTimestamp(each) ?? []).map(cutDay);
  const firstDay = findEarliestDay(days.filter((each) => each >= earliestPlausibleDay));
  if (firstDay !== undefined && firstDay > day) {
    throw new SourceError(
      `${id} states no day before ${firstDay}, so its releases on ${day} are unknown`,
    );
  }
}

/** A digest of a source in the definition, without the keys that leave its lists comparable. */
function digestSource(
  { onlyAdds: _, rebuildsTags: __, ...listing }: Source,
  { acceptsPrereleases }: AskContext,
): string {
  return sha256(JSON.stringify([listing, acceptsPrereleases]));
}
