import type { Day } from '../../../core/model/dates.ts';
import { dropUndefined } from '../../../core/model/objects.ts';
import type { CorrectedField, JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { listIds, describeAdvisory } from '../../../decide/advisories.ts';
import { nameInIds } from '../../../decide/component.ts';
import {
  applyEvent,
  type DraftEvent,
  type JournalState,
  type VersionState,
} from '../../../decide/fold-journal.ts';
import { nameListingSource, type Judged, type JudgedRelease } from '../../../decide/judge.ts';
import { compareEnds, compareVerdicts, type Comparison, type Difference } from './compare-lines.ts';

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

  // Each comparison starts from the state after the events of the earlier ones.
  const record = (differences: readonly Difference[]) => {
    for (const { on = day, ...details } of differences) {
      const draft = dropUndefined({ on, ...details, reason: cutReason(details.reason) });
      drafts.push(draft);
      applyEvent(state, draft);
    }
  };

  if (!judged) {
    const reason = 'The component was removed.';
    record(listFormerVersions(state).map((version) => ({ type: 'excluded', version, reason })));
    return drafts;
  }

  const comparison = { state, judged, day };
  record(compareNames(comparison));
  record(compareAdvisories(comparison));
  record(comparePresence(comparison));
  record(compareReleases(comparison));
  record(compareEnds(comparison));
  record(compareVerdicts(comparison));
  return drafts;
}

/** As one line of the journal; undefined where nothing visible is left. */
function cutReason(text = ''): string | undefined {
  return toLine(text) || undefined;
}

/** The listed versions without those that the component has now. */
function listFormerVersions(
  { versions }: JournalState,
  present: ReadonlySet<string> = new Set(),
): string[] {
  const former = [...versions].filter(
    ([version, { isListed }]) => isListed && !present.has(version),
  );
  return former.map(([version]) => version);
}

function compareNames({ state, judged: { name, definition } }: Comparison): Difference[] {
  const events: Difference[] = [];
  const formerName = state.name ?? nameInIds({ name, definition });
  if (formerName !== name) {
    events.push({ type: 'renamed', from: formerName, to: name });
  }

  const { replacedBy } = definition;
  if (state.replacedBy !== replacedBy) {
    events.push({ type: 'replaced', from: state.replacedBy, to: replacedBy });
  }

  return events;
}

/** A changed advisory is stated again as a whole. */
function compareAdvisories({ state, judged, day }: Comparison): Difference[] {
  const events: Difference[] = [];
  const withdrawn = new Set(state.advisories.keys());

  for (const entry of judged.judgement.advisories) {
    const { id: advisory, summary, url, published = day } = entry;
    const ids = listIds(entry);
    const formerId = ids.find((id) => withdrawn.has(id));
    ids.forEach((id) => withdrawn.delete(id));

    const former = state.advisories.get(formerId ?? advisory);
    const to = toLine(`${entry.affected} (${describeAdvisory(entry)})`);
    const reason = cutReason(summary);
    if (former?.to === to && former.reason === reason) {
      continue;
    }

    if (formerId === undefined) {
      const on = published > day ? day : published;
      events.push({ type: 'advisory-published', on, advisory, to, reason, url });
    } else {
      events.push({ type: 'advisory-changed', advisory, to, reason, url });
    }
  }

  for (const advisory of withdrawn) {
    events.push({ type: 'advisory-withdrawn', advisory });
  }

  return events;
}

/** Compares the listed releases. A release without a stated day gets the day it was first seen. */
function comparePresence({ state, judged, day }: Comparison): Difference[] {
  const { name, judgement, unadmitted } = judged;
  const events: Difference[] = [];

  for (const release of judgement.releases) {
    const { version, line, isPrerelease, releaseDay, timestampKind, recorded, changelogUrl } =
      release;
    const former = state.versions.get(version);
    if (!former) {
      events.push({
        type: 'released',
        on: releaseDay ?? recorded.firstSeen ?? day,
        version,
        line,
        url: changelogUrl,
        timestampKind: timestampKind === 'published' ? undefined : 'observed',
        isPrerelease: isPrerelease || undefined,
      });
    } else if (!former.isListed) {
      // The definition admits it again, or data that was lost is back.
      events.push({ type: 'included', version });
    }
  }

  const judgedVersions = new Set(judgement.releases.map(({ version }) => version));
  const unadmittedVersions = new Set(unadmitted);
  for (const version of listFormerVersions(state, judgedVersions)) {
    const reason = unadmittedVersions.has(version)
      ? 'The definition no longer admits it.'
      : `data/${name}.json no longer holds it.`;
    events.push({ type: 'excluded', version, reason });
  }

  return events;
}

/** Compares the facts of each release, which the state has since `comparePresence`. */
function compareReleases({ state, judged, day }: Comparison): Difference[] {
  return judged.judgement.releases.flatMap((release) => {
    const former = state.versions.get(release.version)!;
    return [...compareValues(release, former), ...compareUpstream(release, former, day)];
  });
}

function compareValues(release: JudgedRelease, { values }: VersionState): Difference[] {
  const { version, line, releaseDay, isPrerelease, timestampKind = 'observed', recorded } = release;
  const events: Difference[] = [];
  const compare = (field: CorrectedField, to: string | undefined, details?: DayDetails) => {
    const from = values[field];
    if (to !== undefined && from !== to) {
      events.push({ type: 'corrected', version, field, from, to, ...details });
    }
  };

  compare('line', line);
  if (releaseDay !== undefined && releaseDay !== values.releaseTimestamp) {
    // Corrects the kind, too.
    const reason = recorded.corrected?.reason;
    compare('releaseTimestamp', releaseDay, { timestampKind, reason });
  } else if (releaseDay !== undefined) {
    compare('timestampKind', timestampKind, { timestampKind });
  }
  compare('isPrerelease', String(isPrerelease));
  // Ignore links from the definition's template: an edit of the template would correct all releases.
  compare('changelogUrl', recorded.changelogUrl);
  return events;
}

type DayDetails = Pick<DraftEvent, 'timestampKind' | 'reason'>;

/** Compares what the sources of a release state of the release: whether they list it, and its bytes. */
function compareUpstream(
  { version, recorded }: JudgedRelease,
  former: VersionState,
  day: Day,
): Difference[] {
  const { withdrawnSince, republished } = recorded;
  const source = nameListingSource(recorded);
  const events: Difference[] = [];
  const isWithdrawn = withdrawnSince !== undefined && withdrawnSince <= day;
  if (isWithdrawn && !former.isWithdrawn) {
    const reason = `${source} no longer lists it.`;
    events.push({ type: 'withdrawn', on: withdrawnSince, version, reason });
  }
  if (!isWithdrawn && former.isWithdrawn) {
    events.push({ type: 'relisted', version, reason: `${source} lists it again.` });
  }
  if (republished && former.republished !== `${republished.from} ${republished.to}`) {
    events.push({ type: 'republished', version, ...republished });
  }
  return events;
}

/**
 * Numbers the new events of a run after the recorded ones. The first event of a journal names its component. `publishedId`: the
 * greatest id that readers have from before the history was rewritten.
 */
export function numberEvents(
  recorded: readonly JournalEvent[],
  drafts: readonly DraftEvent[],
  at: string,
  component: Pick<Judged, 'name' | 'definition'>,
  publishedId = 0,
): JournalEvent[] {
  const isInitial = recorded.length === 0;
  const firstName = nameInIds(component);
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
