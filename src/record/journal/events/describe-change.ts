import type { Day } from '../../../core/model/dates.ts';
import { dropUndefined } from '../../../core/model/objects.ts';
import type { CorrectedField, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { describeAdvisory, listNames } from '../../../decide/advisories.ts';
import { applyEvent, type DraftEvent, type JournalState } from '../../../decide/fold-journal.ts';
import type { Judged, JudgedRelease } from '../../../decide/judge.ts';
import { compareLines, cutReason, type Comparison, type Differences } from './compare-lines.ts';

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
  const differences = judged ? compareAll({ state, judged, day }) : excludeAll(state);
  const drafts: DraftEvent[] = [];
  for (const { on = day, ...details } of differences) {
    const draft = dropUndefined({ on, ...details, reason: cutReason(details.reason) });
    drafts.push(draft);
    // What follows is compared with the state that includes this event.
    applyEvent(state, draft);
  }

  return drafts;
}

/** The component was removed from the index. */
function* excludeAll({ versions }: JournalState): Differences {
  for (const [version, { isListed }] of versions) {
    if (isListed) {
      yield { type: 'excluded', version, reason: 'The component was removed.' };
    }
  }
}

function* compareAll(comparison: Comparison): Differences {
  yield* compareNames(comparison);
  yield* compareAdvisories(comparison);
  // From here on, the state has each version that is judged.
  yield* comparePresence(comparison);
  for (const release of comparison.judged.judgement.releases) {
    yield* compareValues(release, comparison);
    yield* compareUpstream(release, comparison);
  }
  yield* compareLines(comparison);
}

function* compareNames({ state, judged: { name, definition } }: Comparison): Differences {
  const formerName = state.name ?? definition.renamedFrom?.[0] ?? name;
  if (formerName !== name) {
    yield { type: 'renamed', from: formerName, to: name };
  }

  const { replacedBy } = definition;
  if (state.replacedBy !== replacedBy) {
    yield { type: 'replaced', from: state.replacedBy, to: replacedBy };
  }
}

/** A changed advisory is stated again as a whole. */
function* compareAdvisories({ state, judged, day }: Comparison): Differences {
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
    yield { type, on, advisory, to, reason, url };
  }

  for (const advisory of withdrawn) {
    yield { type: 'advisory-withdrawn', advisory };
  }
}

/** Compares the listed releases. A release without a stated day gets the day it was first seen. */
function* comparePresence({ state, judged, day }: Comparison): Differences {
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
      yield { type: 'included', version, reason: 'The definition admits it again.' };
    } else {
      yield {
        type: 'released',
        on: releaseDay ?? recorded.firstSeen ?? day,
        version,
        line,
        url: changelogUrl,
        timestampKind: timestampKind === 'published' ? undefined : 'observed',
        isPrerelease: isPrerelease || undefined,
      };
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
    yield { type: 'excluded', version, reason };
  }
}

function* compareValues(release: JudgedRelease, { state }: Comparison): Differences {
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
      yield { type: 'corrected', version, field, from, to, reason, timestampKind: kind };
    }
  }
}

/** Compares what the sources of a release state of the release: whether they list it, and its bytes. */
function* compareUpstream(
  { version, recorded }: JudgedRelease,
  { state, day }: Comparison,
): Differences {
  const former = state.versions.get(version)!;
  const { withdrawnSince, source = 'Upstream', republished } = recorded;
  const isWithdrawn = withdrawnSince !== undefined && withdrawnSince <= day;
  if (isWithdrawn && !former.isWithdrawn) {
    const reason = `${source} no longer lists it.`;
    yield { type: 'withdrawn', on: withdrawnSince, version, reason };
  }
  if (!isWithdrawn && former.isWithdrawn) {
    yield { type: 'relisted', version, reason: `${source} lists it again.` };
  }
  if (republished && former.republished !== `${republished.from} ${republished.to}`) {
    yield { type: 'republished', version, ...republished };
  }
}

/**
 * Numbers the new events of a run after the recorded ones. The first event of a journal names its component. `publishedId`: the
 * greatest id that readers have from before the history was rewritten.
 */
export function numberEvents(
  recorded: readonly JournalEvent[],
  drafts: readonly DraftEvent[],
  at: string,
  {
    name,
    definition,
    publishedId = 0,
  }: Pick<Judged, 'name' | 'definition'> & { publishedId?: number | undefined },
): JournalEvent[] {
  const isInitial = recorded.length === 0;
  const firstName = definition.renamedFrom?.[0] ?? name;
  const lastId = Math.max(recorded.at(-1)?.id ?? 0, publishedId);
  return drafts.map(({ type, on, ...details }, index) =>
    dropUndefined({
      id: lastId + index + 1,
      at,
      type,
      on,
      component: isInitial && index === 0 ? firstName : undefined,
      ...details,
      initial: isInitial ? (true as const) : undefined,
    }),
  );
}
