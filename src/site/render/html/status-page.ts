import { removeAddress } from '../../../core/schemas/definition/source.ts';
import type { FreshnessState } from '../../../core/schemas/recorded/freshness.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { capitalise, formatCount, formatList, endSentence } from '../../../core/text/wording.ts';
import type { Trouble } from '../../../decide/component-freshness.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { acceptCommand, summariseFreshness } from '../../../decide/sentences.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';
import { renderPage } from './templates.ts';

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
  const rows = Object.entries(states).flatMap(([state, look]) =>
    summaries
      .filter(({ freshness }) => freshness.state === state)
      .map((summary) => createStatusView(summary, look)),
  );
  const checked = rows.filter(({ on }) => on !== undefined);

  return renderPage(site, 'status', {
    summary:
      summaries.length === 0 ? '' : summariseFreshness(summaries.map(({ freshness }) => freshness)),
    components: rows.length > 0,
    checked,
    hasChanges: checked.some(({ changedOn }) => changedOn !== undefined),
    unchecked: rows.filter(({ on, isByHand }) => on === undefined && !isByHand),
    byHand: rows.filter(({ isByHand }) => isByHand),
    problems: groupProblems(summaries),
    runs: createRunsView(runs),
    delay,
  });
}

/** `on` is the last complete check: empty if every source answered in the last run, undefined if there was none. */
function createStatusView(
  { name, definition: { title }, freshness }: ComponentSummary,
  look: { words: string; tone: string },
) {
  const { state, changedOn, checkedOn, troubles } = freshness;
  const answerDays = troubles.map(({ lastAnswered }) => lastAnswered);
  const isComplete = state !== 'static' && answerDays.every((day) => day !== undefined);
  const earliest = answerDays.toSorted()[0];

  return {
    name,
    title,
    changedOn,
    ...look,
    isHeld: state === 'held',
    isByHand: state === 'static',
    on: isComplete ? (earliest ?? (state === 'stale' ? checkedOn : '')) : undefined,
  };
}

/** Each problem once, with the components that have it. Failed documents of a host are one problem. */
function groupProblems(summaries: readonly ComponentSummary[]): object[] {
  const troubles = summaries.flatMap(({ name, definition: { title }, freshness }) =>
    freshness.troubles.map((trouble) => ({ name, title, ...trouble })),
  );
  const joinProblem = ({ kind, cause, reason }: Trouble) => `${kind} ${cause ?? reason}`;

  return Array.from(Map.groupBy(troubles, joinProblem).values(), (members) => {
    const [{ name: first, kind, cause }] = members;
    const components = Map.groupBy(members, ({ name }) => name);
    const isHeld = kind === 'held';
    const reason = describeReason(members);

    return {
      // The first component has it in one source or more.
      id: `problem-${first}-${members[0].source.replaceAll(/[^a-z0-9]+/gi, '-')}`,
      heading: describeHeading(members),
      reason,
      isOpen: isHeld || (cause === undefined && reason !== ''),
      since: members.map(findSince).sort().at(-1),
      size: formatCount(components.size, 'component'),
      components: Array.from(components.values(), (group) => ({
        name: group[0].name,
        title: group[0].title,
        sources: group
          .map(({ source }) => findPackage(source))
          .filter(Boolean)
          .join(', '),
      })),
      commands: isHeld
        ? Array.from(components.values(), ([each]) => ({
            name: each.name,
            command: acceptCommand(each),
          }))
        : [],
    };
  });
}

/** The package of a source; empty for a source that is an address. */
function findPackage(source: string): string {
  const name = removeAddress(source);
  return name.includes(':') ? name : '';
}

type Titled = Trouble & { readonly title: string };
type Troubles = readonly [Titled, ...Titled[]];

/** The host that does not answer, otherwise the components and the kind of trouble. */
function describeHeading(members: Troubles): string {
  const [{ kind, cause, failures }] = members;
  const titles = [...new Set(members.map(({ title }) => title))];
  const state = failures === 0 ? 'not asked yet' : 'the check failed';
  return cause ?? `${formatList(titles, maxTitles)}: ${kind === 'held' ? 'on hold' : state}`;
}

/** Empty where the heading says all. */
function describeReason(members: Troubles): string {
  const [{ kind, reason, failures }] = members;
  if (kind === 'failed' && failures === 0) {
    return '';
  }

  const isSame = members.every((member) => member.reason === reason);
  const text = reason.startsWith('http') ? reason : capitalise(reason);
  return endSentence(isSame ? text : `For example: ${reason}`);
}

function findSince({ heldSince, lastAnswered }: Trouble): string {
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

  const troubled = runs.filter(({ troubles }) => troubles !== undefined);
  return {
    size: formatCount(runs.length, 'run'),
    days: formatCount(new Set(runs.map(({ asOf }) => asOf)).size, 'day'),
    events: formatCount(
      runs.reduce((sum, run) => sum + run.events, 0),
      'event',
    ),
    troubled: joinSame(troubled).slice(0, maxTroubled),
  };
}

/** Runs with the same troubles are one row, with the day of the newest. */
function joinSame(runs: readonly Run[]): object[] {
  const byTroubles = Map.groupBy(
    runs,
    ({ troubles = [] }) => `${formatCount(troubles.length, 'source')} failed`,
  );
  return Array.from(byTroubles, ([text, [newest, ...others]]) => ({
    day: newest.asOf,
    text: others.length > 0 ? `${text} in ${others.length + 1} runs` : text,
  }));
}

const maxTroubled = 10;
const maxTitles = 2;
