import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { certainFrom, isInForceOn } from '../../core/model/states.ts';
import { counted, sentence } from '../../core/text/text.ts';
import { phaseLabel, rangeInWords } from '../../core/model/words.ts';
import type { Component } from '../../decide/component.ts';
import { describeChange } from '../../record/journal/events/describe-change.ts';
import { applyEvent, foldJournal } from '../../decide/fold-journal.ts';
import type { DraftEvent, JournalState } from '../../decide/fold-journal.ts';
import { listChanges, publishedEvents } from '../../record/journal/events/published-events.ts';
import type { JudgedLine, JudgedRelease, Judgement } from '../../decide/judge.ts';
import { shortNotices } from '../../decide/line-ends.ts';

/**
 * Every change for readers: each verdict and each end with its days before and after, then the other changes that `record` would
 * write.
 */
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
    return changesIn(describeChange(foldJournal([]), now, day), day, true).map(
      ({ headline }) => headline,
    );
  }

  const { state, drafts: formerDrafts } = stateOf(was, day);
  const drafts = describeChange(state, now, day);
  const initialDrafts = formerDrafts.map((draft) => ({ ...draft, initial: true as const }));
  const short = shortNotices(now, [...initialDrafts, ...drafts], day).map(
    (text) => `too short a notice: ${text}.`,
  );
  const others = changesIn(drafts.filter(isOther), day, false).map(({ text }) => text);
  const [from, to] = [was.judgement.latest?.version, now.judgement.latest?.version];
  const latest =
    from === to ? [] : [`the latest release is ${to ?? 'none'}, instead of ${from ?? 'none'}.`];

  return [
    ...movedEnds(was.judgement, now.judgement),
    ...movedVerdicts(was.judgement, now.judgement, day),
    ...others.reverse(),
    ...short,
    ...latest,
  ];
}

/** Whether an event is about neither a verdict nor an end. */
function isOther({ type }: DraftEvent): boolean {
  return !type.startsWith('support-') && type !== 'deprecated' && type !== 'restored';
}

/** The state of a complete journal of the component, and its events. */
function stateOf(component: Component, day: Day): { state: JournalState; drafts: DraftEvent[] } {
  const state = foldJournal([]);
  const drafts = describeChange(state, component, day);

  for (const draft of drafts) {
    applyEvent(state, draft);
  }

  return { state, drafts };
}

/** The ends of support that differ, by line and phase. */
function movedEnds({ lines: was }: Judgement, { lines: now }: Judgement): string[] {
  const [before, after] = [endsOf(was), endsOf(now)];
  const places = [...new Set([...before.keys(), ...after.keys()])];

  return places
    .filter((place) => before.get(place) !== after.get(place))
    .map((place) => {
      const [from = 'no end', to] = [before.get(place), after.get(place)];
      const end = to === undefined ? 'has no end' : `ends ${to}`;

      return `release line ${place} ${end} (before: ${from}).`;
    });
}

function endsOf(lines: readonly JudgedLine[]): Map<string, string> {
  const ends = lines.flatMap(({ name, phases = [] }) =>
    phases
      .map((phase) => {
        const end = rangeInWords({ from: phase.until, atMost: phase.untilAtMost });
        const label = phase.name === 'support' ? 'support' : `phase ${phaseLabel(phase)}`;

        return end === '' ? undefined : ([`${name}: ${label}`, end] as const);
      })
      .filter((value) => value !== undefined),
  );

  return new Map(ends);
}

/** The verdicts that differ, with the versions that have the same one before and after. */
function movedVerdicts(was: Judgement, now: Judgement, day: Day): string[] {
  const before = new Map(was.releases.map((release) => [release.version, release]));

  const moved = now.releases
    .map((release) => {
      const formerRelease = before.get(release.version);
      const [from, to] = [
        formerRelease && verdictOf(formerRelease, was, day),
        verdictOf(release, now, day),
      ];
      if (from === undefined || from.state === to.state) {
        return undefined;
      }

      const why = to.reason === undefined ? '' : ` ${sentence(to.reason)}`;

      return { version: release.version, text: `${to.state} (before: ${from.state}).${why}` };
    })
    .filter((value) => value !== undefined);

  const byText = Map.groupBy(moved, ({ text }) => text);

  return Array.from(byText, ([text, of]) => {
    return `${of.map(({ version }) => version).join(', ')}: ${text}`;
  });
}

/** The verdict on a release with its day, and why. The end of its line counts once it is reached; before, it is an end. */
function verdictOf(
  { line: name, reasons, isDeprecated }: JudgedRelease,
  { lines }: Judgement,
  day: Day,
): { state: string; reason?: string | undefined } {
  const line = lines.find((each) => each.name === name);
  const ofLine = isDeprecated && line?.reason && isInForceOn(line.reason, day) ? [line.reason] : [];

  // Reasons without a day come first.
  const [first] = [...reasons, ...ofLine].sort((a, b) =>
    oldestFirst(certainFrom(a) ?? '', certainFrom(b) ?? ''),
  );
  if (!first) {
    return { state: 'not deprecated' };
  }

  const from = certainFrom(first);
  const since = from === undefined ? '' : ` from ${from} on`;

  // The ends of lines are named by themselves.
  const reason = first.rule === 'support policy' ? undefined : first.text;

  return { state: `deprecated${since}`, reason };
}

function changesIn(drafts: readonly DraftEvent[], day: Day, isInitial: boolean) {
  const at = `${day}T00:00:00.000Z`;
  const initial = isInitial && { initial: true as const };
  const events = drafts.map((draft, index) => ({ id: index + 1, at, ...draft, ...initial }));

  return listChanges(publishedEvents(events));
}
