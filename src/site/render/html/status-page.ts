import { findEarliestDay, findLatestDay } from '../../../core/model/dates.ts';
import type { NonEmpty } from '../../../core/model/objects.ts';
import { removeAddress } from '../../../core/schemas/definition/source-ids.ts';
import type { FreshnessState } from '../../../core/model/states.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { capitalise, formatCount, formatList, endSentence } from '../../../core/text/wording.ts';
import {
  hasFailed,
  summariseFreshness,
  type Trouble,
} from '../../../decide/component-freshness.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import { formatAcceptCommand } from '../../../record/gate/rules/waiting-change.ts';
import type { SiteContext, SiteInput } from '../site-context.ts';
import { renderPage } from './templates.ts';

/** The number of components in the heading of a problem. */
const maxTitles = 2;

const stateWords: Readonly<Record<FreshnessState, string>> = {
  held: 'on hold',
  stale: 'not checked',
  live: 'up to date',
  static: 'maintained by hand',
};

/**
 * `status.html`. A script fills in the day of the last successful check from `status.json`, so the rows of the table do not change
 * with every run.
 */
export function renderStatusPage(site: SiteContext, { summaries, runs, delay }: SiteInput): string {
  const byState = Object.groupBy(summaries, ({ freshness }) => freshness.state);
  const { held = [], stale = [], live = [], static: byHand = [] } = byState;
  // States that need a person come first.
  const rows = [...held, ...stale, ...live].map(createStatusView);
  const checked = rows.filter(({ isChecked }) => isChecked);

  return renderPage(site, 'status', {
    summary:
      summaries.length === 0 ? '' : summariseFreshness(summaries.map(({ freshness }) => freshness)),
    checked,
    hasChanges: checked.some(({ changedOn }) => changedOn !== undefined),
    unchecked: rows.filter(({ isChecked }) => !isChecked),
    byHand: byHand.map(({ name, definition: { title } }) => ({ name, title })),
    problems: listProblems(summaries),
    runs: createRunsView(runs),
    delay,
  });
}

/** A component with sources. */
function createStatusView({ name, definition: { title }, freshness }: ComponentSummary) {
  const { state, changedOn, checkedOn, troubles } = freshness;
  // Each other source answered in the last run, also one on hold.
  const answerDays = troubles
    .filter(({ kind }) => kind === 'failed')
    .map(({ lastAnswered }) => lastAnswered);

  return {
    name,
    title,
    changedOn,
    words: stateWords[state],
    tone: state === 'live' ? 'ok' : 'soon',
    isHeld: state === 'held',
    /** Whether each source has answered at least once. */
    isChecked: answerDays.every((day) => day !== undefined),
    /**
     * The oldest last answer of a failing source; of a component that was not checked for too long, the day of its last check.
     * Absent if every source answered in the last run.
     */
    lastCheckedOn: findEarliestDay(answerDays) ?? (state === 'stale' ? checkedOn : undefined),
  };
}

/** The troubles that are shown as one problem, each with its component. */
type TroubleGroup = NonEmpty<Trouble & { readonly name: string; readonly title: string }>;

/** Each problem once, with the components that have it. Failed documents of a host are one problem. */
function listProblems(summaries: readonly ComponentSummary[]) {
  const troubles = summaries.flatMap(({ name, definition: { title }, freshness }) =>
    freshness.troubles.map((trouble) => ({ name, title, ...trouble })),
  );
  const groups = Map.groupBy(troubles, ({ kind, cause, reason }) => `${kind} ${cause ?? reason}`);
  return Array.from(groups.values(), createProblemView);
}

function createProblemView(group: TroubleGroup) {
  const components = [...Map.groupBy(group, ({ name }) => name).values()];

  return {
    ...describeProblem(group),
    since: describeSince(group),
    size: formatCount(components.length, 'component'),
    components: components.map((troubles) => ({
      name: troubles[0].name,
      title: troubles[0].title,
      sources: troubles.map(namePackage).filter(Boolean).join(', '),
    })),
    commands: listCommands(group),
  };
}

/** The command for each held change, which may be of several sources. Only held changes have an id, and a damaged file cannot be accepted. */
function listCommands(group: TroubleGroup) {
  const names = new Map<string, string>();
  for (const { id, waits, name } of group) {
    if (id !== undefined && waits !== 'files') {
      names.set(id, name);
    }
  }

  return Array.from(names, ([id, name]) => ({ name, command: formatAcceptCommand(id) }));
}

/** The heading, the reason, and whether a reader sees the reason at once. */
function describeProblem(group: TroubleGroup) {
  const [first] = group;
  const { kind, cause } = first;
  const titles = formatList([...new Set(group.map(({ title }) => title))], maxTitles);
  const reason = describeReason(group);
  if (kind === 'held') {
    return { heading: `${titles}: on hold`, reason, isOpen: true };
  }
  if (!hasFailed(first)) {
    return { heading: `${titles}: not asked yet`, reason: '', isOpen: false };
  }

  return cause === undefined
    ? { heading: `${titles}: the check failed`, reason, isOpen: true }
    : { heading: cause, reason, isOpen: false };
}

/** The failed documents of a host have different reasons, of which one is an example. */
function describeReason([{ reason }, ...others]: TroubleGroup): string {
  if (others.some((other) => other.reason !== reason)) {
    return endSentence(`For example: ${reason}`);
  }

  // A reason may begin with an address.
  return endSentence(reason.startsWith('http') ? reason : capitalise(reason));
}

/** The package of a source, or a damaged file; empty for a source that is an address. */
function namePackage({ source, waits }: Trouble): string {
  const id = removeAddress(source);
  return id.includes(':') || waits === 'files' ? id : '';
}

/** The earliest day on which a change was put on hold; or the latest on which a failed source answered, empty if none has. */
function describeSince(group: TroubleGroup): string {
  if (group[0].kind === 'held') {
    return `on hold since ${findEarliestDay(group.map(({ heldSince }) => heldSince))}`;
  }

  const latest = findLatestDay('', ...group.map(({ lastAnswered }) => lastAnswered));
  return latest && `last answer ${latest}`;
}

/** Undefined if no run is recorded. */
function createRunsView(runs: readonly Run[]) {
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
