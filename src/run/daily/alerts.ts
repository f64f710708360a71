import { addDays, cutDay, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { isError, type Finding } from '../../core/schemas/finding.ts';
import type { HeldChange, Wait } from '../../core/schemas/recorded/waits.ts';
import { formatList, endSentence } from '../../core/text/wording.ts';
import type { ComponentSummary } from '../../decide/component-summary.ts';
import { hasFailed, type Trouble } from '../../decide/component-freshness.ts';
import type { Publication } from '../../deliver/publish/publication.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { definitionFile, listComponentFiles } from '../../io/files/root.ts';
import {
  adviseOnDecision,
  adviseOnRepair,
  describeReasons,
  groupByDecision,
} from '../held-changes.ts';
import type { Alert } from './daily-report.ts';
import { isReminderDue, isWaitDue, type EarlierRuns } from './reminders.ts';

/** An alert before its id and its defaults: since today, and about the whole index. */
type Problem = Pick<Alert, 'kind' | 'cause' | 'message' | 'isDue'> &
  Partial<Pick<Alert, 'since' | 'components'>>;

/** One alert for each decision. Changes with the same causes, such as an edit of several components, are one alert. */
export function listHeldAlerts(
  held: readonly HeldChange[],
  day: Day,
  earlier: EarlierRuns,
): Alert[] {
  return groupByDecision(held).map((group) => {
    const [first] = group;
    const { id, kind, causes } = first;
    const since = findEarliestDay(group.map((wait) => wait.since)) ?? day;
    const ids = group.map((wait) => wait.id);
    const decision = `${adviseOnDecision(group)}, and commit data/decisions.ndjson.${proposeKey(first, earlier)}`;
    const remedy = kind === 'files' ? adviseOnRepair(first) : decision;

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

/** The key by which a definition permits such changes without a wait, by the kind of the wait. */
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
  const subjects = new Set(errors.map(({ subject }) => subject));
  const causes = new Set(errors.map(({ subject, cause = subject }) => cause));
  const cause = formatList([...causes], 5);

  const problems = errors.map(({ subject, message }): Problem => {
    const text = subjects.size > 1 ? `${subject}: ${message}` : message;
    return { kind: 'publish', cause, message: text, isDue: true };
  });
  return createAlerts(day, problems);
}

/** An alert for each file or other subject of findings. `names`: the components that a file may belong to. */
export function listFindingAlerts(
  kind: Alert['kind'],
  findings: readonly Finding[],
  day: Day,
  names: readonly string[] = [],
): Alert[] {
  const problems = findings.map(({ subject, message }): Problem => ({
    // A wrong clock ends the day like an invalid file, but the runbook has its own section for it.
    kind: subject === 'clock' ? subject : kind,
    cause: subject,
    components: names.filter((name) => listComponentFiles(name).includes(subject)),
    message,
    // Keys that expire soon are listed in the issue, but do not fail the run.
    isDue: kind !== 'key',
  }));
  return createAlerts(day, problems);
}

/**
 * Sources without an answer for too long. A source that is down for a day or two raises no alert; a package that its host has never
 * listed raises one on its first day.
 */
export function listSourceAlerts(
  components: readonly ComponentSummary[],
  day: Day,
  staleAfterDays: number,
  earlier: EarlierRuns,
): Alert[] {
  const silences = components.flatMap((component) => listSilences(component, day, staleAfterDays));
  return createSilenceAlerts(silences, day, earlier);
}

interface Silence extends Omit<Problem, 'kind' | 'isDue'> {
  /** The first day on which it is a problem; may be ahead. */
  since: Day;
}

/** The sources that fail; if none does, the whole component once no run has asked it for too long. */
function listSilences(
  { name, freshness }: ComponentSummary,
  day: Day,
  staleAfterDays: number,
): Silence[] {
  const { state, checkedOn, troubles } = freshness;
  // A static component has no source to ask. A new component may not have been asked yet.
  if (state === 'static' || checkedOn === undefined) {
    return [];
  }

  const held = troubles.filter(({ kind }) => kind === 'held').map(({ source }) => source);
  // A source on hold answers.
  const failing = troubles.filter(
    (trouble) => hasFailed(trouble) && !held.includes(trouble.source),
  );
  if (failing.length > 0) {
    return failing.map((trouble) => ({
      cause: trouble.cause ?? `${name}: ${trouble.source}`,
      components: [name],
      message: describeSilence(name, trouble),
      since: findSilentSince(trouble, day, staleAfterDays),
    }));
  }

  const message = `No run has asked its sources since ${checkedOn}. Look whether the job that gathers still runs for it.`;
  const since = addDays(checkedOn, staleAfterDays + 1);
  return [{ cause: 'not gathered', components: [name], message, since }];
}

function describeSilence(
  component: string,
  { source, cause, reason, lastAnswered }: Trouble,
): string {
  const silence =
    lastAnswered === undefined ? 'has never answered' : `last answered on ${lastAnswered}`;
  const problem = `${silence}: ${endSentence(reason)}`;

  // Without a common cause, the alert names the source before its message.
  return cause === undefined
    ? `It ${problem} Look at its address in ${definitionFile(component)}.`
    : `${source} ${problem} Look whether the host has moved, or needs another credential or proxy.`;
}

/** The first day on which the silence of a source is a problem. */
function findSilentSince(
  { cause, lastAnswered, failures }: Trouble,
  day: Day,
  staleAfterDays: number,
): Day {
  if (lastAnswered !== undefined) {
    return addDays(lastAnswered, staleAfterDays + 1);
  }

  const firstFailure = addDays(day, 1 - failures);
  // A host that answers, but has never listed the package, will not list it tomorrow.
  return cause === undefined ? firstFailure : addDays(firstFailure, staleAfterDays);
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

/** The alert that readers lack a run that a host was to publish, or that they have an old site, whatever the reason. */
export function listUnpublishedAlerts(
  { liveAt, missingDays }: PublishedRuns,
  day: Day,
  staleAfterDays: number,
  earlier: EarlierRuns,
): Alert[] {
  const liveDay = liveAt && cutDay(liveAt);
  const state = liveDay ? `The live site is of ${liveDay}.` : 'There is no live site.';
  const cause = unpublishedCause;

  // The next run notices a missing one: the run of the second missing day, or of today.
  const [missingDay, noticedOn = day] = missingDays;
  const silences: Silence[] = [];
  if (missingDay !== undefined) {
    const message = `${state} The host has not published the run of ${missingDay}: look at the job that deploys it, and at "releasesUrl" in site/site.json.`;
    silences.push({ cause, message, since: noticedOn });
  } else if (liveDay) {
    const message = `${state} Look why no later run was published.`;
    silences.push({ cause, message, since: addDays(liveDay, staleAfterDays + 1) });
  }
  return createSilenceAlerts(silences, day, earlier);
}

/** The alerts about the silences that are a problem by now. */
function createSilenceAlerts(
  silences: readonly Silence[],
  day: Day,
  earlier: EarlierRuns,
): Alert[] {
  const problems = silences
    .filter(({ since }) => since <= day)
    .map((silence): Problem => ({
      ...silence,
      kind: 'stale',
      isDue: isReminderDue(silence.since, day, earlier),
    }));
  return createAlerts(day, problems);
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
    const since = findEarliestDay(group.map((problem) => problem.since)) ?? day;
    const components = [...new Set(group.flatMap(({ components = [] }) => components))];
    const messages = [...new Set(group.map(({ message }) => message))];

    // One file may have several problems. The messages of several components differ only in their values.
    const message = messages
      .slice(0, components.length > 1 ? 1 : undefined)
      .reduce((text, sentence) => `${endSentence(text)} ${sentence}`);
    const isDue = group.some(({ isDue }) => isDue);
    alerts.push({ id: sha256(key).slice(0, 10), since, kind, cause, components, message, isDue });
  }

  return alerts;
}
