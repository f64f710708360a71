import { dayOf, oldestFirst, type Day } from '../../core/dates.ts';
import { certainFrom } from '../../core/states.ts';
import { counted, listed } from '../../core/text.ts';
import { knownEnd, type Component } from '../../decide/component.ts';
import { differences } from '../../decide/journal/differences.ts';
import { applyEvent, foldJournal } from '../../decide/journal/fold-journal.ts';
import type { DraftEvent, JournalState } from '../../decide/journal/fold-journal.ts';
import { listChanges, publishedEvents } from '../../decide/journal/published-events.ts';
import type { JudgedRelease, Judgement } from '../../decide/judge.ts';
import { shortNotices } from '../../decide/line-ends.ts';
import type { PublishedComponent } from '../publish/live.ts';

/** The changes that `record` would write for the new state of a component, and changed days of deprecation. */
export function changesOf(
  was: Component | undefined,
  now: Component | undefined,
  day: Day,
): string[] {
  if (was && !now) {
    return [`no longer there, with its ${counted(was.judgement.releases.length, 'release')}.`];
  }
  if (!now) {
    return [];
  }
  if (!was) {
    return changesIn(differences(foldJournal([]), now, day), day, true).map(
      ({ headline }) => headline,
    );
  }
  const { state, drafts: known } = stateOf(was, day);
  const drafts = differences(state, now, day);
  const [from, to] = [was.judgement.latest?.version, now.judgement.latest?.version];
  const latest =
    from === to ? [] : [`the latest release is ${to ?? 'none'}, instead of ${from ?? 'none'}.`];
  const stated = known.map((draft) => ({ ...draft, initial: true as const }));
  const short = shortNotices(now, [...stated, ...drafts], day).map(
    (text) => `too short a notice: ${text}.`,
  );
  const recorded = changesIn(drafts, day, false).map(({ text }) => text);
  return [...recorded.reverse(), ...movedDeprecations(was, now), ...short, ...latest];
}

/** The state of a complete journal of the component, and its events. */
function stateOf(component: Component, day: Day): { state: JournalState; drafts: DraftEvent[] } {
  const state = foldJournal([]);
  const drafts = differences(state, component, day);
  for (const draft of drafts) {
    applyEvent(state, draft);
  }
  return { state, drafts };
}

/** Deprecations that differ only in their day. The end of a release line is reported elsewhere, with its deprecations. */
function movedDeprecations({ judgement: was }: Component, { judgement: now }: Component): string[] {
  const dayOf = ({ line: name, reasons }: JudgedRelease, { lines }: Judgement) => {
    const line = lines.find((each) => each.name === name);
    const end = line && knownEnd(line);
    const days = [...reasons, ...(line?.reason ? [line.reason] : [])].map(certainFrom);
    // Reasons without a day come first.
    const [first] = days.sort((a = '', b = '') => oldestFirst(a, b));
    return line?.reason && first === end ? undefined : first;
  };
  const before = new Map(was.releases.map((release) => [release.version, release]));
  const moved = now.releases.flatMap((release) => {
    const { version, isDeprecated } = release;
    const old = before.get(version);
    if (old?.isDeprecated !== isDeprecated) {
      return [];
    }
    const [from, to] = [dayOf(old, was), dayOf(release, now)];
    if (from === to) {
      return [];
    }
    if (to === undefined) {
      return { version, text: `no longer deprecated from ${from} on` };
    }
    const instead = from === undefined ? '' : `, not from ${from} on`;
    return { version, text: `deprecated from ${to} on${instead}` };
  });
  const byText = Map.groupBy(moved, ({ text }) => text);
  return Array.from(byText, ([text, of]) => {
    const versions = of.map(({ version }) => version);
    return `${listed(versions, 12)}: ${text}.`;
  });
}

/** The changes that readers will see, in sentences. `was`: the live state, if any. */
export function changesSince(
  now: Component,
  was: PublishedComponent | undefined,
  asOf: Day,
  day: Day,
): string[] {
  const state = was ? liveState(now, was, asOf, day) : foldJournal(now.journal);
  const isNew = state.versions.size === 0;
  const changes = changesIn(differences(state, now, day), day, isNew);
  return isNew
    ? changes.map(({ headline }) => headline)
    : changes.map(({ text }) => text).reverse();
}

/** The present state with the live releases and verdicts, and with the ends that the journal had on the live day. */
function liveState(
  now: Component,
  { releases }: PublishedComponent,
  asOf: Day,
  day: Day,
): JournalState {
  const { state } = stateOf(now, day);
  const recorded = foldJournal(now.journal.filter(({ at }) => dayOf(at) <= asOf));
  if (recorded.versions.size > 0) {
    state.ends.clear();
    for (const [key, end] of recorded.ends) {
      state.ends.set(key, end);
    }
  }
  const live = new Map(releases.map((release) => [release.version, release]));
  for (const [version, known] of state.versions) {
    const release = live.get(version);
    if (!release) {
      state.versions.delete(version);
    } else if (!release.isDeprecated) {
      delete known.verdict;
    } else {
      known.verdict ??= recorded.versions.get(version)?.verdict ?? { rule: 'definition' };
    }
    Object.assign(known.values, recorded.versions.get(version)?.values);
  }
  return state;
}

function changesIn(drafts: readonly DraftEvent[], day: Day, isInitial: boolean) {
  const at = `${day}T00:00:00.000Z`;
  const initial = isInitial && { initial: true as const };
  const events = drafts.map((draft, index) => ({ id: index + 1, at, ...draft, ...initial }));
  return listChanges(publishedEvents(events));
}
