import { daysBetween, type Day } from '../core/dates.ts';
import { isPhaseOver, phaseOn } from '../core/phases.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { StatusFile } from '../core/schemas/published/status-file.ts';
import type { SearchedComponent } from './published-index.ts';
import { defined } from '../core/text.ts';

// The documents hold what is known on the day of the build, and the days on which that changes. Whoever asks later than that
// is answered as of the later day, so that an index which nobody builds any more calls nothing supported that has ended.

/** The details of a component as of a day after the build. */
export function detailsOn(details: DetailsFile, day: Day): DetailsFile {
  if (details.nextChangeOn === undefined || day < details.nextChangeOn) return details;
  const hasCome = (from: Day | undefined) => from !== undefined && from <= day;
  const lines = details.lines.map((line) =>
    defined({
      ...line,
      ...(line.isSupported && hasCome(line.supportedUntil) && { isSupported: false }),
      phase: phaseOn(line.phases, day)?.name,
    }),
  );
  const releases = details.releases.map((release) => {
    const { upcoming = [], reasons = [], status } = release;
    const come = upcoming.filter(({ from }) => hasCome(from));
    if (come.length === 0) return release;
    const later = upcoming.filter(({ from }) => !hasCome(from));
    return defined({
      ...release,
      isDeprecated: true,
      status: status === 'withdrawn' ? status : ('deprecated' as const),
      reasons: [...reasons, ...come],
      upcoming: later.length > 0 ? later : undefined,
    });
  });
  const latest = releases.findLast(({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease);
  const ends = lines.flatMap(({ isSupported, supportedUntil, phases = [] }) => [
    isSupported ? supportedUntil : undefined,
    ...phases.map((phase) => (isPhaseOver(phase, day) ? undefined : phase.until)),
  ]);
  const changes = [...ends, ...releases.map(({ upcoming = [] }) => upcoming[0]?.from)];
  return defined({
    ...details,
    latest: latest?.version,
    nextChangeOn: changes
      .filter((on) => on !== undefined)
      .sort()
      .at(0),
    lines,
    releases,
  });
}

/** The same of what queries see of a component. */
export function compactOn(component: SearchedComponent, day: Day): SearchedComponent {
  const { coming = [], lines } = component;
  const come = coming.filter(({ on }) => on <= day);
  if (come.length === 0) return component;
  const [phaseChanges = [], verdicts = []] = [true, false].map((isOfPhase) =>
    come.filter(({ event }) => event.includes('phase') === isOfPhase),
  );
  const since = new Map(verdicts.map(({ on, line, version }) => [version ?? line, on]));
  const ended = new Set(come.map(({ event, line }) => (event === 'leaves support' ? line : undefined)));
  const noPhase = { phase: undefined, phaseUntil: undefined };
  const phases = new Map([
    ...Array.from(ended, (line) => [line, noPhase] as const),
    ...phaseChanges.map(({ line, phase, phaseUntil }) => [line, { phase, phaseUntil }] as const),
  ]);
  const judged = lines.map(({ releases, ...shared }) => {
    const ofLine = releases.map((own) => {
      const { line, isDeprecated = false, ...row } = { ...shared, ...own };
      const deprecatedSince = since.get(row.version) ?? since.get(line);
      const inPhase = phases.get(line);
      if (deprecatedSince === undefined) return defined({ ...own, ...inPhase });
      return defined({
        ...own,
        ...inPhase,
        ...(ended.has(line) && { isSupported: false }),
        ...(!isDeprecated && { status: 'deprecated' as const, isDeprecated: true as const, deprecatedSince }),
      });
    });
    const { phase: _, phaseUntil: __, ...kept } = shared;
    return { ...(phases.has(shared.line) ? kept : shared), releases: ofLine };
  });
  const usable = judged.map(({ releases, ...shared }) =>
    releases.filter((own) => {
      const { isDeprecated, isPrerelease } = { ...shared, ...own };
      return !isDeprecated && !isPrerelease;
    }),
  );
  const latest = usable.flat().at(-1);
  const marked = judged.map((line, place) => ({
    ...line,
    releases: line.releases.map(({ isLatest: _, isLatestOfLine: __, ...own }, index) => ({
      ...own,
      ...(line.releases[index] === latest && { isLatest: true as const }),
      ...(line.releases[index] === usable[place]!.at(-1) && { isLatestOfLine: true as const }),
    })),
  }));
  return { ...component, coming: coming.filter(({ on }) => on > day), lines: marked };
}

/** The latest version of a component, where it has one. */
export function latestOf({ lines }: SearchedComponent): string | undefined {
  return lines.flatMap(({ releases }) => releases).find(({ isLatest }) => isLatest)?.version;
}

/** That an index was built too long ago, in a sentence; undefined where it was not. */
export function staleness({ asOf, staleAfterDays }: StatusFile, day: Day): string | undefined {
  if (staleAfterDays === undefined || daysBetween(asOf, day) <= staleAfterDays) return undefined;
  return `This index was last updated on ${asOf}; newer releases may be missing.`;
}
