import { addDays, cutDay, type Day } from '../../core/model/dates.ts';
import { isError, type Finding } from '../../core/schemas/finding.ts';
import type { HeldChange, Wait } from '../../core/schemas/recorded/runs.ts';
import { formatList, endSentence } from '../../core/text/wording.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { acceptCommand, type Trouble } from '../../decide/component-freshness.ts';
import type { Publication } from '../../deliver/publish/prepare-site.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { describeReasons, describeRepair } from '../held-changes.ts';
import type { Alert } from './daily-report.ts';
import { isReminderDue, isWaitDue, type EarlierRuns } from './reminders.ts';

type Problem = Pick<Alert, 'kind' | 'cause' | 'message'> &
  Partial<Pick<Alert, 'since' | 'components' | 'isDue'>>;

/** One alert for each decision. An edit that holds several components is one alert. */
export function listHeldAlerts(
  held: readonly HeldChange[],
  day: Day,
  earlier: EarlierRuns,
): Alert[] {
  const joinKey = ({ id, kind, causes }: HeldChange) =>
    kind === 'change' ? JSON.stringify(causes) : id;

  return Array.from(Map.groupBy(held, joinKey).values(), (group) => {
    const [first] = group;
    const { id, kind, causes } = first;
    const [since = day] = group.map((wait) => wait.since).sort();
    const ids = group.map((wait) => wait.id);
    const command = acceptCommand({ id: ids.join(' ') });
    const decision = `If this is right: ${command}, and commit data/decisions.ndjson.${proposeKey(first, earlier)}`;
    const remedy = kind === 'files' ? describeRepair(first) : decision;

    return {
      id: ids.length === 1 ? id : sha256(ids.join(' ')).slice(0, 10),
      since,
      kind: kind === 'files' ? 'input' : 'held',
      cause: formatList(causes, 3),
      components: group.map(({ component }) => component),
      message: `waits since ${since}: ${describeReasons(group)} ${remedy}`,
      isDue: group.some((wait) => isWaitDue(wait, day, earlier)),
    };
  });
}

/** The key with which a definition calls a wait usual, by the kind of the wait. */
const usualKeys: Partial<Record<Wait['kind'], string>> = {
  list: '"onlyAdds": true',
  bytes: '"rebuildsTags": true',
};

const minUsualWaits = 3;

/** The proposal to call a wait usual in the definition; empty before the third wait of its kind at a source. */
function proposeKey({ id, kind, causes }: HeldChange, { allWaits }: EarlierRuns): string {
  const key = usualKeys[kind];
  const repeats = allWaits.filter((wait) => wait.kind === kind && wait.causes[0] === causes[0]);
  const ids = new Set([id, ...repeats.map((wait) => wait.id)]);
  return key === undefined || ids.size < minUsualWaits
    ? ''
    : ` If this is usual there, state ${key} at the source ${causes[0]} of the definition.`;
}

/** One alert with all reasons why the site was not published. */
export function listPublicationAlerts({ kind, findings }: Publication, day: Day): Alert[] {
  const errors = kind === 'refused' || kind === 'failed' ? findings.filter(isError) : [];
  if (errors.length === 0) {
    return [];
  }

  const subjects = new Set(errors.map(({ subject }) => subject));
  const causes = new Set(errors.map(({ subject, cause = subject }) => cause));
  const messages = errors.map(({ subject, message }) =>
    subjects.size > 1 ? `${subject}: ${message}` : message,
  );
  const cause = formatList([...causes], 5);
  return createAlerts(day, [{ kind: 'publish', cause, message: joinSentences(messages) }]);
}

/** `components/svc.json`, `data/svc.json`, `data/journal/svc.ndjson` */
const componentFile = /^(?:components|data(?:\/\w+)?)\/([^/]+)\.(?:nd)?json$/;

/** An alert for each file or other subject of findings. `names`: the components that a file may belong to. */
export function listFindingAlerts(
  kind: Alert['kind'],
  findings: readonly Finding[],
  day: Day,
  names: readonly string[] = [],
): Alert[] {
  // Keys that expire soon are listed in the issue, but do not fail the run.
  const isDue = kind !== 'key';
  const problems = findings.map(({ subject, message }): Problem => {
    const [, component] = componentFile.exec(subject) ?? [];
    const components = names.filter((name) => name === component);
    return {
      kind: subject === 'clock' ? subject : kind,
      cause: subject,
      components,
      message,
      isDue,
    };
  });
  return createAlerts(day, problems);
}

/** Sources without an answer for too long. A source that is down for a day or two raises no alert. */
export function listSourceAlerts(
  components: readonly ComponentSummary[],
  day: Day,
  staleAfterDays: number,
  earlier: EarlierRuns,
): Alert[] {
  const problems: Problem[] = [];

  for (const component of components) {
    for (const problem of describeSilences(component, day, staleAfterDays)) {
      if (problem.since <= day) {
        problems.push({ ...problem, isDue: isReminderDue(problem.since, day, earlier) });
      }
    }
  }

  return createAlerts(day, problems);
}

interface Silence extends Problem {
  since: Day;
}

/** The sources of a component without an answer, or all of them if no run has asked any. */
function describeSilences(
  { name, freshness }: ComponentSummary,
  day: Day,
  staleAfterDays: number,
): Silence[] {
  const { state, checkedOn, changedOn, troubles } = freshness;
  const held = troubles.filter(({ kind }) => kind === 'held').map(({ source }) => source);
  const failed = troubles.filter(({ kind, source }) => kind === 'failed' && !held.includes(source));
  if (failed.length > 0) {
    return failed.map((trouble) => describeSilence(name, trouble, day, staleAfterDays));
  }

  // A static component has no source to ask.
  const lastAsked = checkedOn ?? (state === 'held' ? undefined : changedOn);
  if (lastAsked === undefined || state === 'static') {
    return [];
  }

  const message = `No run has asked its sources since ${lastAsked}. Look whether the job that gathers still runs for it.`;
  const since = addDays(lastAsked, staleAfterDays + 1);
  return [{ kind: 'stale', cause: 'not gathered', components: [name], message, since }];
}

function describeSilence(
  component: string,
  { source, cause, reason, lastAnswered, failures }: Trouble,
  day: Day,
  staleAfterDays: number,
): Silence {
  const failedFrom = addDays(day, 1 - failures);
  const answeredOn = lastAnswered ?? addDays(failedFrom, -1);

  // A host that answers, and has never listed the package, will not list it tomorrow.
  const isUnlisted = lastAnswered === undefined && cause === undefined && failures > 0;
  const silence =
    lastAnswered === undefined ? 'has never answered' : `last answered on ${lastAnswered}`;
  // The cause names the source, unless it is a host of several.
  const subject = cause === undefined ? 'It' : source;
  const remedy =
    cause === undefined
      ? `Look at its address in components/${component}.json.`
      : 'Look whether the host has moved, or needs another credential or proxy.';

  return {
    kind: 'stale',
    cause: cause ?? `${component}: ${source}`,
    components: [component],
    message: `${subject} ${silence}: ${endSentence(reason)} ${remedy}`,
    since: isUnlisted ? failedFrom : addDays(answeredOn, staleAfterDays + 1),
  };
}

/** The cause of an alert that ends with the next publication. */
export const unpublishedCause = 'not published';

/** The run that readers have, and the runs that they should have. */
export interface PublishedRuns {
  /** The instant of the newest run that readers have; undefined if no run has seen a site. */
  liveAt: string | undefined;
  /** The days of later runs that a host was to publish by itself, oldest first. */
  missingDays: readonly Day[];
}

/**
 * The alert that readers have an old site or none, whatever the reason. A run that a host was to publish is missed from the next run
 * on: from the second missing day, or from today.
 */
export function listUnpublishedAlerts(
  { liveAt, missingDays }: PublishedRuns,
  day: Day,
  staleAfterDays: number,
  earlier: EarlierRuns,
): Alert[] {
  const liveDay = liveAt && cutDay(liveAt);
  const [missingDay, noticedOn = day] = missingDays;
  const staleFrom = liveDay && addDays(liveDay, staleAfterDays + 1);
  const since = missingDay === undefined ? staleFrom : noticedOn;
  if (since === undefined || since > day) {
    return [];
  }

  const state = liveDay ? `The live site is of ${liveDay}.` : 'There is no live site.';
  const remedy =
    missingDay === undefined
      ? 'Look why no later run was published.'
      : `The host has not published the run of ${missingDay}: look at the job that deploys it, and at "releasesUrl" in site/site.json.`;
  const message = `${state} ${remedy}`;
  const isDue = isReminderDue(since, day, earlier);
  return createAlerts(day, [{ kind: 'stale', cause: unpublishedCause, message, since, isDue }]);
}

/** The cause and the affected components: `registry.example answers 503 (60 components: lib-01, lib-02 and 58 more)`. */
export function describeSubject({ cause, components }: Alert): string {
  if (components.length > 1) {
    return `${cause} (${components.length} components: ${formatList(components, 5)})`;
  }

  const [only] = components;
  // A source and a file of one component name it: `svc: npm:agent`, `data/svc.json`.
  const isNamed =
    only === undefined || cause.startsWith(`${only}: `) || cause.includes(`/${only}.`);
  return isNamed ? cause : `${cause} (${only})`;
}

/** One alert for each kind and cause: its id stays while the cause lasts. */
function createAlerts(day: Day, problems: readonly Problem[]): Alert[] {
  const alerts: Alert[] = [];

  for (const [key, group] of Map.groupBy(problems, ({ kind, cause }) => `${kind} ${cause}`)) {
    const [{ kind, cause }] = group;
    const [since = day] = group.map((problem) => problem.since ?? day).sort();
    const components = [...new Set(group.flatMap(({ components = [] }) => components))];
    const messages = [...new Set(group.map(({ message }) => message))];

    // One file may have several problems. The messages of several components differ only in their values.
    const message = joinSentences(components.length > 1 ? messages.slice(0, 1) : messages);
    const isDue = group.some((problem) => problem.isDue ?? true);
    alerts.push({ id: sha256(key).slice(0, 10), since, kind, cause, components, message, isDue });
  }

  return alerts;
}

function joinSentences([first = '', ...others]: readonly string[]): string {
  return others.reduce((text, sentence) => `${endSentence(text)} ${sentence}`, first);
}
