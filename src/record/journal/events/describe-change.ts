import { isDeepStrictEqual } from 'node:util';
import { countDaysBetween, type Day } from '../../../core/model/dates.ts';
import { dropUndefined } from '../../../core/model/objects.ts';
import { hasEnded } from '../../../core/model/phases.ts';
import { findCertainDay } from '../../../core/model/states.ts';
import { describePhaseName } from '../../../core/model/words.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import type { CorrectedField, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { listNames } from '../../../decide/advisories.ts';
import type { Judged } from '../../../decide/judge.ts';
import {
  applyEvent,
  createEndKey,
  listVersions,
  type DraftEvent,
  type JournalState,
  type VersionState,
} from '../../../decide/fold-journal.ts';
import type { JudgedLine, JudgedRelease } from '../../../decide/judge.ts';
import type { PlannedPhase } from '../../../decide/planned-phases.ts';
import { describeAdvisory } from '../../../decide/sentences.ts';
import { describePolicy } from '../../../decide/policy-sentences.ts';

/** What readers were told beside what is judged now. */
interface Comparison {
  /** As of the last event that was emitted. After `comparePresence`, it has each version that is judged. */
  state: JournalState;
  judged: Judged;
  day: Day;
  /** Adds an event, by default of that day, and applies it to the state. */
  emit(draft: Omit<DraftEvent, 'on'> & { on?: Day }): void;
}

/**
 * The events that lead from what readers were told to the judged state on a day, in the order of recording; empty if both are
 * equal. `judged`: undefined for a component that was removed.
 */
export function describeChange(
  former: JournalState,
  judged: Judged | undefined,
  day: Day,
): DraftEvent[] {
  const state = structuredClone(former);
  const drafts: DraftEvent[] = [];

  const emit: Comparison['emit'] = (draft) => {
    const event = dropUndefined({ on: day, ...draft, reason: cutReason(draft.reason) });
    drafts.push(event);
    applyEvent(state, event);
  };

  if (!judged) {
    excludeAll(state, emit);
    return drafts;
  }

  const comparison = { state, judged, day, emit };
  compareNames(comparison);
  compareAdvisories(comparison);
  comparePresence(comparison);
  const { releases, lines } = judged.judgement;
  for (const release of releases) {
    compareValues(release, comparison);
    compareUpstream(release, comparison);
  }
  compareFormerEnds(comparison);
  for (const line of lines) {
    compareEnds(line, comparison);
  }
  for (const line of lines) {
    compareVerdicts(line, comparison);
  }

  return drafts;
}

/** The component was removed from the index. */
function excludeAll({ versions }: JournalState, emit: Comparison['emit']): void {
  for (const [version, { isListed }] of versions) {
    if (isListed) {
      emit({ type: 'excluded', version, reason: 'The component was removed.' });
    }
  }
}

function compareNames({ state, judged: { name, definition }, emit }: Comparison): void {
  const formerName = state.name ?? definition.renamedFrom?.[0] ?? name;
  if (formerName !== name) {
    emit({ type: 'renamed', from: formerName, to: name });
  }

  const { replacedBy } = definition;
  if (state.replacedBy !== replacedBy) {
    emit({ type: 'replaced', from: state.replacedBy, to: replacedBy });
  }
}

/** A changed advisory is stated again as a whole. */
function compareAdvisories({ state, judged, day, emit }: Comparison): void {
  const withdrawn = new Set(state.advisories.keys());

  for (const entry of judged.judgement.advisories) {
    const { id: advisory, summary, url } = entry;
    const names = listNames(entry);
    const formerName = names.find((name) => withdrawn.has(name));
    const isKnown = formerName !== undefined;
    names.forEach((name) => withdrawn.delete(name));
    const to = toLine(`${entry.affected} (${describeAdvisory(entry)})`);
    const reason = cutReason(summary);
    const former = state.advisories.get(formerName ?? advisory);
    if (former?.to === to && former.reason === reason) {
      continue;
    }

    const on =
      isKnown || entry.published === undefined || entry.published > day ? day : entry.published;
    const type = isKnown ? 'advisory-changed' : 'advisory-published';
    emit({ type, on, advisory, to, reason, url });
  }

  for (const advisory of withdrawn) {
    emit({ type: 'advisory-withdrawn', advisory });
  }
}

/** Compares the listed releases. A release without a stated day gets the day it was first seen. */
function comparePresence({ state, judged, day, emit }: Comparison): void {
  const { name, judgement, unadmitted } = judged;
  const listed = new Set<string>();

  for (const release of judgement.releases) {
    const { version, line, isPrerelease, releaseDay, timestampKind, recorded, changelogUrl } =
      release;
    listed.add(version);
    const former = state.versions.get(version);
    if (former?.isListed) {
      continue;
    }

    if (former) {
      emit({ type: 'included', version, reason: 'The definition admits it again.' });
    } else {
      emit({
        type: 'released',
        on: releaseDay ?? recorded.firstSeen ?? day,
        version,
        line,
        url: changelogUrl,
        timestampKind: timestampKind === 'published' ? undefined : 'observed',
        isPrerelease: isPrerelease || undefined,
      });
    }
  }

  const unadmittedVersions = new Set(unadmitted);
  for (const [version, { isListed }] of state.versions) {
    if (!isListed || listed.has(version)) {
      continue;
    }

    const reason = unadmittedVersions.has(version)
      ? 'The definition no longer admits it.'
      : `data/${name}.json no longer holds it.`;
    emit({ type: 'excluded', version, reason });
  }
}

function compareValues(release: JudgedRelease, { state, emit }: Comparison): void {
  const { version, line, releaseDay, isPrerelease, timestampKind = 'observed', recorded } = release;
  const former = state.versions.get(version)!;
  const values: Partial<Record<CorrectedField, string | undefined>> = {
    line,
    ...(releaseDay !== undefined && { releaseTimestamp: releaseDay, timestampKind }),
    isPrerelease: String(isPrerelease),
    // Ignore links from the definition's template: an edit of the template would correct all releases.
    changelogUrl: recorded.changelogUrl,
  };

  for (const [field, to] of Object.entries(values) as [CorrectedField, string | undefined][]) {
    const from = former.values[field];
    const kind =
      field === 'releaseTimestamp' || field === 'timestampKind' ? timestampKind : undefined;
    const reason = field === 'releaseTimestamp' ? recorded.corrected?.reason : undefined;
    if (to !== undefined && from !== to) {
      emit({ type: 'corrected', version, field, from, to, reason, timestampKind: kind });
    }
  }
}

/** Compares what the sources of a release state of the release: whether they list it, and its bytes. */
function compareUpstream({ version, recorded }: JudgedRelease, comparison: Comparison): void {
  const { state, day, emit } = comparison;
  const former = state.versions.get(version)!;
  const { withdrawnSince, source = 'Upstream', republished } = recorded;
  const isWithdrawn = withdrawnSince !== undefined && withdrawnSince <= day;
  if (isWithdrawn && !former.isWithdrawn) {
    const reason = `${source} no longer lists it.`;
    emit({ type: 'withdrawn', on: withdrawnSince, version, reason });
  }
  if (!isWithdrawn && former.isWithdrawn) {
    emit({ type: 'relisted', version, reason: `${source} lists it again.` });
  }
  if (republished && former.republished !== `${republished.from} ${republished.to}`) {
    emit({ type: 'republished', version, ...republished });
  }
}

/** Drops phases that a release line's new policy does not have. */
function compareFormerEnds({ state, judged, emit }: Comparison): void {
  const lines = new Map(judged.judgement.lines.map(({ name, phases }) => [name, phases]));
  for (const [key, { until: from, untilAtMost, isEnded }] of state.ends) {
    const [line, phase] = key.split('/') as [string, string];
    const isFormer = lines.get(line)?.every(({ name }) => name !== phase);
    if (isFormer && (from !== undefined || untilAtMost !== undefined || isEnded)) {
      emit({ type: 'support-dropped', line, phase, from, reason: 'It has no such phase now.' });
    }
  }
}

function compareEnds({ name: line, phases = [] }: JudgedLine, comparison: Comparison): void {
  const phaseNames = phases.length > 1 ? phases.map(describePhaseName) : undefined;
  for (const phase of phases) {
    const { name, reason } = phase;
    const about = {
      line,
      phase: name,
      phases: phaseNames,
      rule: reason?.rule,
      reason: reason?.text,
    };
    compareEnd(about, phase, comparison);
    compareProgress(about, phase, comparison);
  }
}

type AboutPhase = Pick<DraftEvent, 'line' | 'phase' | 'phases' | 'rule' | 'reason'>;

/** Compares the stated end of a phase. */
function compareEnd(about: AboutPhase, planned: PlannedPhase, comparison: Comparison): void {
  const { until: to, untilAtMost: toAtMost } = planned;
  const former = comparison.state.ends.get(createEndKey(about));
  const from = former?.until ?? former?.untilAtMost;
  const hasEnd = to !== undefined || toAtMost !== undefined;
  const isChanged = former?.until !== to || former?.untilAtMost !== toAtMost;

  // The end is unchanged, but the phase may now be paid or be followed by another.
  const hasOtherPhases = hasEnd && String(former?.phases) !== String(about.phases);
  if (!isChanged && !hasOtherPhases) {
    return;
  }

  const isMoved = from !== undefined && isChanged;
  const eventType = isMoved ? 'support-moved' : 'support-announced';
  comparison.emit({
    type: hasEnd ? eventType : 'support-dropped',
    ...about,
    from: isMoved ? from : undefined,
    to,
    toAtMost,
  });
}

/** The days before the end of a phase on which to announce it, ascending. */
const daysAhead = [7, 30, 90];

/** Compares how near the end is. An event that states the end again makes it open and unannounced. */
function compareProgress(
  about: AboutPhase,
  planned: PlannedPhase,
  { state, day, emit }: Comparison,
): void {
  const { until: to, untilAtMost: toAtMost } = planned;
  const wasEnded = state.ends.get(createEndKey(about))?.isEnded === true;
  const isEnded = hasEnded(planned, day) === true;
  if (wasEnded && !isEnded) {
    emit({ type: 'support-dropped', ...about, to, toAtMost });
  }
  if (isEnded && !wasEnded) {
    emit({ type: 'support-ended', on: toAtMost ?? to ?? day, ...about, toAtMost });
  }
  if (isEnded || to === undefined || to < day) {
    return;
  }

  const daysLeft = countDaysBetween(day, to);
  const days = daysAhead.find((ahead) => daysLeft <= ahead);
  const { daysAnnounced = Infinity } = state.ends.get(createEndKey(about)) ?? {};
  if (days !== undefined && days < daysAnnounced) {
    emit({ type: 'support-ending', on: to, ...about, toAtMost, days });
  }
}

/** Emits one event for the line if all its remaining releases change for one reason, else one event per release. */
function compareVerdicts({ name: line, releases }: JudgedLine, comparison: Comparison): void {
  const { state } = comparison;
  const deprecated: JudgedRelease[] = [];
  const restored: JudgedRelease[] = [];

  for (const release of releases) {
    const { verdict } = state.versions.get(release.version)!;
    if (isSameVerdict(verdict, release.because[0])) {
      continue;
    }

    if (!release.isDeprecated) {
      restored.push(release);
    } else if (verdict) {
      comparison.emit({ version: release.version, ...draftVerdict(release, comparison) });
    } else {
      deprecated.push(release);
    }
  }

  // Each event changes the state, from which the next ones are counted.
  const offered = listVersions(state, line).filter(({ verdict }) => verdict === undefined);
  emitVerdicts(deprecated, line, offered.length, comparison);
  const withheld = listVersions(state, line).filter(({ verdict }) => verdict !== undefined);
  emitVerdicts(restored, line, withheld.length, comparison);
}

/** Emits one event for the line if the releases are alike, and as many as could change. */
function emitVerdicts(
  releases: readonly JudgedRelease[],
  line: string,
  candidateCount: number,
  comparison: Comparison,
): void {
  const drafts = releases.map((release) => draftVerdict(release, comparison));
  const [first] = drafts;
  const isAlike = drafts.every((draft) => isDeepStrictEqual(draft, first));
  if (first && releases.length > 1 && releases.length === candidateCount && isAlike) {
    comparison.emit({ line, ...first });
    return;
  }

  for (const [index, { version }] of releases.entries()) {
    comparison.emit({ version, ...drafts[index]! });
  }
}

/** The event of a changed verdict, without its subject. */
function draftVerdict(
  { version, because: [reason] }: JudgedRelease,
  { state, judged: { definition }, day }: Comparison,
): DraftEvent {
  if (reason) {
    const { rule, text, url, fromAtMost } = reason;
    const timestampKind = fromAtMost === undefined ? undefined : ('observed' as const);
    const on = findCertainDay(reason) ?? day;
    return { type: 'deprecated', on, rule, reason: text, url, timestampKind };
  }

  const rule = state.versions.get(version)!.verdict?.rule;
  const why = rule === 'support policy' ? describePolicy(definition.support) : undefined;
  return { type: 'restored', on: day, rule, reason: why };
}

/**
 * Rewording a policy's description does not change the verdict. The reasons that a definition or an upstream states are part of
 * it.
 */
function isSameVerdict(former: VersionState['verdict'], reason: Reason | undefined) {
  if (former?.rule !== reason?.rule) {
    return false;
  }

  const isStated = reason?.rule === 'definition' || reason?.rule === 'upstream';
  return !isStated || former?.reason === cutReason(reason.text);
}

/** As one line of the journal; undefined where nothing visible is left. */
function cutReason(text = ''): string | undefined {
  return toLine(text) || undefined;
}

/** Numbers the new events of a run after the recorded ones, and after `publishedId`, published before history was rewritten. */
export function numberEvents(
  recorded: readonly JournalEvent[],
  drafts: readonly DraftEvent[],
  at: string,
  { name, definition }: Pick<Judged, 'name' | 'definition'>,
  publishedId = 0,
): JournalEvent[] {
  const isInitial = recorded.length === 0;
  const lastId = Math.max(recorded.at(-1)?.id ?? 0, publishedId);
  return drafts.map(({ type, on, ...rest }, index) => ({
    id: lastId + index + 1,
    at,
    type,
    on,
    ...(isInitial && index === 0 && { component: definition.renamedFrom?.[0] ?? name }),
    ...rest,
    ...(isInitial && { initial: true as const }),
  }));
}
