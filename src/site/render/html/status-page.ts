import { acceptCommand, freshnessOfAll } from '../../../decide/sentences.ts';
import type { FreshnessState } from '../../../core/schemas/freshness.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { Trouble } from '../../../decide/component-freshness.ts';
import type { Run } from '../../../core/schemas/journal.ts';
import { withoutAddress } from '../../../core/schemas/source.ts';
import { counted, listed, sentence } from '../../../core/text.ts';
import type { SiteInput } from '../site-input.ts';
import type { SiteContext } from '../site-context.ts';
import { renderPage } from './templates.ts';

/** States that need a person come first. */
const states: Readonly<Record<FreshnessState, { words: string; tone: string }>> = {
  held: { words: 'on hold', tone: 'soon' },
  stale: { words: 'not checked', tone: 'soon' },
  live: { words: 'up to date', tone: 'ok' },
  static: { words: 'by hand', tone: '' },
};

/**
 * `status.html`. A script adds the day of the last run from `status.json`, so the page itself changes only with recorded
 * data.
 */
export function renderStatusPage(site: SiteContext, { summaries, runs, delay }: SiteInput): string {
  const members = Object.groupBy(summaries, ({ freshness }) => freshness.state);

  return renderPage(site, 'status', {
    summary:
      summaries.length === 0 ? '' : freshnessOfAll(summaries.map(({ freshness }) => freshness)),
    components: Object.entries(states).flatMap(([state, { words, tone }]) =>
      (members[state as FreshnessState] ?? []).map((summary) => ({
        ...componentView(summary),
        words,
        tone,
      })),
    ),
    problems: problemsOf(summaries),
    runs: runsView(runs),
    delay,
  });
}

/** `checked` is empty if every source answered in the last run. */
function componentView({ name, definition: { title }, freshness }: ComponentSummary): object {
  const { state, changedOn, checkedOn, troubles } = freshness;
  const answered = troubles.map(({ lastAnswered = 'never' }) => lastAnswered).sort();

  return {
    ...{ name, title, changedOn },
    checked:
      state === 'static'
        ? 'not needed'
        : (answered.includes('never') && 'never') ||
          (answered[0] ?? (state === 'stale' ? checkedOn : '')),
  };
}

/** Each problem once, with the components that have it. Failed documents of a host are one problem. */
function problemsOf(summaries: readonly ComponentSummary[]): object[] {
  const all = summaries.flatMap(({ name, definition: { title }, freshness }) =>
    freshness.troubles.map((trouble) => ({ name, title, ...trouble })),
  );
  const problemOf = ({ kind, cause, reason }: Trouble) => `${kind} ${cause ?? reason}`;

  return Array.from(Map.groupBy(all, problemOf).values(), (members) => {
    const [{ kind, cause = '', reason }] = members;
    const isSameReason = members.every((member) => member.reason === reason);

    return {
      reason: isSameReason
        ? sentence(reason)
        : `${sentence(cause)} For example: ${sentence(reason)}`,
      isHeld: kind === 'held',
      components: Array.from(Map.groupBy(members, ({ name }) => name).values(), (of) => {
        const [first] = of;
        const { name, title } = first;

        return {
          name,
          title,
          sources: of.map(({ source }) => withoutAddress(source)),
          since: sinceOf(first),
          command: kind === 'held' ? acceptCommand(first) : '',
        };
      }),
    };
  });
}

function sinceOf({ heldSince, lastAnswered }: Trouble): string {
  if (heldSince !== undefined) {
    return `on hold since ${heldSince}`;
  }

  return lastAnswered === undefined ? '' : `last answer ${lastAnswered}`;
}

/** Undefined if no run is recorded. */
function runsView(runs: readonly Run[]): object | undefined {
  if (runs.length === 0) {
    return undefined;
  }

  const troubled = runs.filter(({ troubles }) => troubles !== undefined);

  return {
    size: counted(runs.length, 'run'),
    days: counted(new Set(runs.map(({ asOf }) => asOf)).size, 'day'),
    events: counted(
      runs.reduce((sum, run) => sum + run.events, 0),
      'event',
    ),
    troubled: troubled.slice(0, maxTroubled).map(({ asOf, troubles = [] }) => ({
      day: asOf,
      text: listed(
        troubles.map(
          ({ component, source, kind }) => `${component} (${withoutAddress(source)}) ${kind}`,
        ),
        maxTroubled,
      ),
    })),
  };
}

const maxTroubled = 10;
