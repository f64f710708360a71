import { addDays, cutDay, type Day } from '../../core/model/dates.ts';
import { endSentence } from '../../core/text/wording.ts';
import type { Trouble } from '../../decide/component-freshness.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import { createAlerts, isDueOn, type Alert, type AlertLimits, type Problem } from './alerts.ts';

/** Sources without an answer for too long. A source that is down for a day or two raises no alert. */
export function listSourceAlerts(
  components: readonly ComponentSummary[],
  day: Day,
  { staleAfterDays, earlier }: AlertLimits,
): Alert[] {
  const problems: Problem[] = [];

  for (const component of components) {
    for (const problem of describeSilences(component, day, staleAfterDays)) {
      if (problem.since <= day) {
        problems.push({ ...problem, isDue: isDueOn(day, problem.since, earlier) });
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
  /** The days of later runs that a host was to publish by itself. */
  missingDays: readonly Day[];
}

/**
 * The alert that readers have an old site or none, whatever the reason. A host had until the day of the next run to publish a
 * missing one: that is the second missing day, or today.
 */
export function listUnpublishedAlerts(
  { liveAt, missingDays }: PublishedRuns,
  day: Day,
  { staleAfterDays, earlier }: AlertLimits,
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
  const isDue = isDueOn(day, since, earlier);
  return createAlerts(day, [{ kind: 'stale', cause: unpublishedCause, message, since, isDue }]);
}
