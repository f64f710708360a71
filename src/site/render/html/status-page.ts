import { findEarliestDay } from '../../../core/model/dates.ts';
import { removeAddress } from '../../../core/schemas/definition/source-ids.ts';
import type { FreshnessState } from '../../../core/schemas/recorded/freshness.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { capitalise, formatCount, formatList, endSentence } from '../../../core/text/wording.ts';
import {
  acceptCommand,
  summariseFreshness,
  type Trouble,
} from '../../../decide/component-freshness.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';
import { renderPage } from './templates.ts';

const maxTitles = 2;

/** States that need a person come first. */
const states: Readonly<Record<FreshnessState, { words: string; tone: string }>> = {
  held: { words: 'on hold', tone: 'soon' },
  stale: { words: 'not checked', tone: 'soon' },
  live: { words: 'up to date', tone: 'ok' },
  static: { words: '', tone: '' },
};

/**
 * `status.html`. A script adds the day of the last run from `status.json`, so the page itself changes only with recorded
 * data.
 */
export function renderStatusPage(site: SiteContext, { summaries, runs, delay }: SiteInput): string {
  const byState = Map.groupBy(summaries, ({ freshness }): string => freshness.state);
  const rows = Object.keys(states).flatMap((state) =>
    (byState.get(state) ?? []).map(createStatusView),
  );
  const checked = rows.filter(({ isChecked }) => isChecked);

  return renderPage(site, 'status', {
    summary:
      summaries.length === 0 ? '' : summariseFreshness(summaries.map(({ freshness }) => freshness)),
    checked,
    hasChanges: checked.some(({ changedOn }) => changedOn !== undefined),
    unchecked: rows.filter(({ isChecked, isByHand }) => !isChecked && !isByHand),
    byHand: rows.filter(({ isByHand }) => isByHand),
    problems: groupProblems(summaries),
    runs: createRunsView(runs),
    delay,
  });
}

function createStatusView({ name, definition: { title }, freshness }: ComponentSummary) {
  const { state, changedOn, checkedOn, troubles } = freshness;
  // What is on hold did answer.
  const answerDays = troubles
    .filter(({ kind }) => kind === 'failed')
    .map(({ lastAnswered }) => lastAnswered);
  const isByHand = state === 'static';

  return {
    name,
    title,
    changedOn,
    ...states[state],
    isHeld: state === 'held',
    isByHand,
    /** Whether every source has ever answered. */
    isChecked: !isByHand && answerDays.every((day) => day !== undefined),
    /**
     * The oldest last answer of a failing source; of a component that was not checked for too long, the day of its last check.
     * Absent if every source answered in the last run.
     */
    lastCheckedOn: findEarliestDay(...answerDays) ?? (state === 'stale' ? checkedOn : undefined),
  };
}

/** Each problem once, with the components that have it. Failed documents of a host are one problem. */
function groupProblems(summaries: readonly ComponentSummary[]): object[] {
  const troubles = summaries.flatMap(({ name, definition: { title }, freshness }) =>
    freshness.troubles.map((trouble) => ({ name, title, ...trouble })),
  );
  const byProblem = Map.groupBy(
    troubles,
    ({ kind, cause, reason }) => `${kind} ${cause ?? reason}`,
  );

  return Array.from(byProblem.values(), createProblemView);
}

/** A trouble with the component that has it. */
type NamedTrouble = Trouble & { readonly name: string; readonly title: string };

/** The troubles with one problem. */
type Troubles = readonly [NamedTrouble, ...NamedTrouble[]];

function createProblemView(troubles: Troubles): object {
  const [{ name, source, kind, cause, id: waitId }] = troubles;
  const reason = describeReason(troubles);
  const isHeld = kind === 'held';
  const components = [...Map.groupBy(troubles, (trouble) => trouble.name).values()];

  return {
    // A source may be on hold and fail: these are two problems.
    id: `problem-${waitId ?? `${name}-${source}`.replaceAll(/[^a-z0-9]+/gi, '-')}`,
    heading: describeHeading(troubles),
    reason,
    isOpen: isHeld || (cause === undefined && reason !== ''),
    // The latest: the texts of one kind of trouble differ only in their days.
    since: troubles.map(describeSince).sort().at(-1),
    size: formatCount(components.length, 'component'),
    components: components.map((group) => ({
      name: group[0].name,
      title: group[0].title,
      sources: group.map(nameSource).filter(Boolean).join(', '),
    })),
    commands: isHeld
      ? components.map(([trouble]) => ({ name: trouble.name, command: acceptCommand(trouble) }))
      : [],
  };
}

/** The package of a source; empty for a source that is an address. */
function nameSource({ source }: Trouble): string {
  const name = removeAddress(source);
  return name.includes(':') ? name : '';
}

/** The host that does not answer, otherwise the components and the kind of trouble. */
function describeHeading(troubles: Troubles): string {
  const [{ kind, cause, failures }] = troubles;
  const titles = [...new Set(troubles.map(({ title }) => title))];
  const state = failures === 0 ? 'not asked yet' : 'the check failed';
  return cause ?? `${formatList(titles, maxTitles)}: ${kind === 'held' ? 'on hold' : state}`;
}

/** Empty where the heading says all. */
function describeReason(troubles: Troubles): string {
  const [{ kind, reason, failures }] = troubles;
  if (kind === 'failed' && failures === 0) {
    return '';
  }

  const isOfAll = troubles.every((trouble) => trouble.reason === reason);
  const text = reason.startsWith('http') ? reason : capitalise(reason);
  return endSentence(isOfAll ? text : `For example: ${reason}`);
}

function describeSince({ heldSince, lastAnswered }: Trouble): string {
  if (heldSince !== undefined) {
    return `on hold since ${heldSince}`;
  }

  return lastAnswered === undefined ? '' : `last answer ${lastAnswered}`;
}

/** Undefined if no run is recorded. */
function createRunsView(runs: readonly Run[]): object | undefined {
  if (runs.length === 0) {
    return undefined;
  }

  const events = runs.reduce((sum, run) => sum + run.events, 0);
  const days = new Set(runs.map(({ asOf }) => asOf));
  return {
    size: formatCount(runs.length, 'run'),
    days: formatCount(days.size, 'day'),
    events: formatCount(events, 'event'),
  };
}
