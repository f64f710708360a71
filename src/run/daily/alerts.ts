import { z } from 'zod';
import { acceptCommand } from '../../decide/sentences.ts';
import { addDays, dayOf, daysBetween, type Day } from '../../core/model/dates.ts';
import { isError, type Finding } from '../../core/schemas/finding.ts';
import { AlertId, DecisionId, type WaitKind } from '../../core/schemas/recorded/held.ts';
import { DaySchema, listOf } from '../../core/schemas/scalars.ts';
import type { Trouble } from '../../decide/component-freshness.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import type { Publication } from '../../deliver/publish/prepare-site.ts';
import { listed, sentence, toLine } from '../../core/text/text.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { runbookUrl } from '../../io/program.ts';

/** A problem that needs a person. One cause gives one alert, even if it affects many components. */
export const Alert = z.object({
  /** A digest of kind and cause, equal on every day. */
  id: AlertId,
  /** The first day on which a run reported it. */
  since: DaySchema,
  kind: z.enum(['held', 'stale', 'input', 'clock', 'commit', 'publish', 'key']),
  cause: z.string(),
  /** The affected components; empty if the whole index is affected. */
  components: z.array(z.string()),
  /** Sentences with the problem and the remedy. */
  message: z.string(),
  /** The decisions that would let it through. */
  accept: listOf(DecisionId),
});
export type Alert = z.infer<typeof Alert>;

type Reported = Pick<Alert, 'kind' | 'cause' | 'message'> &
  Partial<Pick<Alert, 'since' | 'components' | 'accept'>>;

/** One alert for each kind and cause: its id stays while the cause lasts, whatever its consequences. */
function createAlerts(day: Day, reported: readonly Reported[]): Alert[] {
  const alerts: Alert[] = [];

  for (const [key, all] of Map.groupBy(reported, ({ kind, cause }) => `${kind} ${cause}`)) {
    const { kind, cause, message: first } = all[0]!;
    const [since = day] = all.map((one) => one.since ?? day).sort();
    const components = [...new Set(all.flatMap((one) => one.components ?? []))];

    // One file may have several problems. The messages of several components differ only in their values.
    const others =
      components.length > 1 ? [] : [...new Set(all.map(({ message }) => message))].slice(1);
    const message = others.reduce((before, next) => `${sentence(before)} ${next}`, first);
    const accept = [...new Set(all.flatMap((one) => one.accept ?? []))];
    const id = sha256(key).slice(0, 10);
    const words = kind === 'held' ? withCommand(message, accept) : message;
    const alert = { id, since, kind, cause, components, message: words };

    alerts.push(accept.length === 0 ? alert : { ...alert, accept });
  }

  return alerts;
}

function withCommand(message: string, accept: readonly string[]): string {
  const command = acceptCommand({ id: accept.join(' ') });
  return `${sentence(message)} If this is right: ${command}, and commit data/decisions.ndjson.`;
}

/** What waits, and sources without an answer for too long. A source that is down for a day or two raises no alert. */
export function sourceAlerts(
  components: readonly ComponentSummary[],
  day: Day,
  staleAfterDays: number,
): Alert[] {
  const reported: Reported[] = [];

  for (const { name, freshness } of components) {
    const { state, checkedOn, changedOn, troubles } = freshness;
    const stale: Reported[] = [];
    const edit = troubles.find(({ source }) => source === `components/${name}.json`);

    for (const trouble of troubles) {
      if (trouble.kind !== 'held') {
        const lastDay = checkedOn ?? day;
        const isByEdit = edit && isSilentByEdit(edit, trouble, lastDay, staleAfterDays);
        stale.push(...(isByEdit ? [] : staleAlerts(name, trouble, day, staleAfterDays)));
      } else if (trouble.waits !== 'files') {
        reported.push(heldAlert(name, trouble));
      }
    }

    // Without a source, nobody is asked.
    const lastAsked = checkedOn ?? (state === 'held' ? undefined : changedOn);
    const isLate = lastAsked !== undefined && daysBetween(lastAsked, day) > staleAfterDays;
    if (stale.length === 0 && isLate && state !== 'static') {
      stale.push(forgottenAlert(name, lastAsked));
    }

    reported.push(...stale);
  }

  return createAlerts(day, reported);
}

/** Part of the id: each kind has an alert of its own. */
const waitWords: Record<WaitKind, string> = {
  component: '',
  files: '',
  outlier: ': implausible versions',
  flood: ': too many versions',
  restored: ': versions dated back',
  bytes: ': other bytes',
};

function heldAlert(component: string, trouble: Trouble): Reported {
  const { id, source, heldSince, reason, waits = 'component' } = trouble;
  const since = heldSince === undefined ? 'waits' : `waits since ${heldSince}`;

  return {
    kind: 'held',
    cause: `${source}${waitWords[waits]}`,
    components: [component],
    message: `${since}: ${reason}`,
    ...(heldSince !== undefined && { since: heldSince }),
    ...(id !== undefined && { accept: [id] }),
  };
}

/**
 * Whether only an edit that waits keeps a source silent, such as a pattern that admits nothing: its host answers, and it had
 * not been silent for too long when the edit began to wait.
 */
function isSilentByEdit(
  { heldSince }: Trouble,
  { cause, lastAnswered, failures }: Trouble,
  checkedOn: Day,
  staleAfterDays: number,
): boolean {
  if (cause !== undefined || heldSince === undefined) {
    return false;
  }

  const lastSound = lastAnswered ?? addDays(checkedOn, -failures);

  return daysBetween(lastSound, heldSince) <= staleAfterDays;
}

function staleAlerts(
  component: string,
  { source, cause, reason, lastAnswered, failures }: Trouble,
  day: Day,
  staleAfterDays: number,
): Reported[] {
  const days = lastAnswered === undefined ? failures : daysBetween(lastAnswered, day);
  if (days <= staleAfterDays) {
    return [];
  }

  const never = `has not answered for ${days} days`;
  const since = lastAnswered === undefined ? never : `last answered on ${lastAnswered}`;

  const remedy =
    cause === undefined
      ? `Look at its address in components/${component}.json.`
      : 'Look whether the host has moved, or needs another credential or proxy.';

  const alert: Reported = {
    kind: 'stale',
    cause: cause ?? `${component}: ${source}`,
    components: [component],
    message: `${source} ${since}: ${sentence(reason)} ${remedy}`,
  };

  return [alert];
}

function forgottenAlert(component: string, lastAsked: Day): Reported {
  const message = `No run has asked its sources since ${lastAsked}. Look whether the job that gathers still runs for it.`;
  return { kind: 'stale', cause: 'not gathered', components: [component], message };
}

/** The cause of an alert that ends with the next publication. */
export const unpublishedCause = 'not published';

/** Whatever keeps a run from publishing: readers have an old site. `published`: the instant of the newest public run. */
export function unpublishedAlerts(
  published: string | undefined,
  day: Day,
  staleAfterDays: number,
): Alert[] {
  if (published === undefined || daysBetween(dayOf(published), day) <= staleAfterDays) {
    return [];
  }

  const message = `The live site is of ${dayOf(published)}. Look why no later run was published.`;

  return createAlerts(day, [{ kind: 'stale', cause: unpublishedCause, message }]);
}

/** One alert with all reasons why the site was not published. The last finding of a refusal is the remedy for the others. */
export function publicationAlerts(publication: Publication, day: Day): Alert[] {
  if (publication.kind !== 'refused' && publication.kind !== 'failed') {
    return [];
  }

  const errors = publication.findings.filter(isError);
  const reasons = errors.filter(({ subject }) => subject !== 'publish');
  const named = reasons.length > 0 ? reasons : errors;
  const subjects = [...new Set(named.map(({ subject }) => subject))];
  const causes = [...new Set(named.map(({ subject, cause = subject }) => cause))];
  const messages = errors.map(({ subject, message }) =>
    subjects.length > 1 && subject !== 'publish' ? `${subject}: ${message}` : message,
  );

  if (errors.length === 0) {
    return [];
  }

  const message = messages.slice(0, -1).map(sentence).concat(messages.slice(-1)).join(' ');
  const accept = errors.map((finding) => finding.accept).filter((value) => value !== undefined);

  return createAlerts(day, [{ kind: 'publish', cause: listed(causes, 5), message, accept }]);
}

/** `names`: the components that a file may belong to. */
export function alertsOf(
  kind: Alert['kind'],
  findings: readonly Finding[],
  day: Day,
  names: readonly string[] = [],
): Alert[] {
  const reported = findings.map(({ subject, message }) => {
    const ownKind = subject === 'clock' ? ('clock' as const) : kind;
    const [, component = ''] =
      /^(?:components|data(?:\/\w+)?)\/([^/]+)\.(?:nd)?json$/.exec(subject) ?? [];
    const components = names.filter((name) => name === component);

    return { kind: ownKind, cause: subject, components, message };
  });

  return createAlerts(day, reported);
}

/** Gives each alert the first day on which an earlier run reported it. */
export function keepSince(
  alerts: readonly Alert[],
  before: readonly Pick<Alert, 'id' | 'since'>[],
): Alert[] {
  return alerts.map((alert) => {
    const former = before.find(({ id }) => id === alert.id);
    return former && former.since < alert.since ? { ...alert, since: former.since } : alert;
  });
}

/** Keys that expire soon are listed in the issue, but do not fail the run. */
export function isUrgent({ kind }: Alert): boolean {
  return kind !== 'key';
}

/** Each is also the heading of a section of the runbook. */
const headings: Record<Alert['kind'], string> = {
  held: 'Held until you decide',
  stale: 'Silent for too long',
  input: 'Invalid definition or recorded file',
  clock: 'The clock is wrong',
  commit: 'Gathered data could not be committed',
  publish: 'The site was not published',
  key: 'Access keys that end soon',
};

/** The runbook section with the remedy, in the runbook of this version. */
export function remedyUrl({ kind }: Pick<Alert, 'kind'>): string {
  return runbookUrl(headings[kind]);
}

/** GitHub limits the text of an issue to 65,536 characters; some of its clients count bytes. */
const maxSectionBytes = 50_000;
const maxMessageLength = 2_000;

/** The cause and the affected components: `registry.example answers 503 (60 components: lib-01, lib-02 and 58 more)`. */
export function subjectOf({ cause, components }: Alert): string {
  const count = components.length > 1 ? `${components.length} components: ` : '';

  const isNamed =
    components.length === 0 ||
    cause.startsWith(`${components[0]}: `) ||
    cause.includes(`/${components[0]}.`);

  return isNamed ? cause : `${cause} (${count}${listed(components, 5)})`;
}

/**
 * The alerts in Markdown, for an issue or a message; empty without alerts. The same alerts give the same text. Text from
 * upstream is one line of indented code, so it cannot mention anybody or contain markup.
 */
export function alertText(alerts: readonly Alert[]): string {
  let size = 0;

  const sections = alerts
    .map((alert) => {
      const length = maxMessageLength + (alert.accept?.join(' ').length ?? 0);
      const line = toLine(`${subjectOf(alert)}: ${alert.message}`, length);
      const { id, kind, since } = alert;

      return `### ${headings[kind]}\n\n    ${line}\n\n\`${id}\`, since ${since}. [What to do](${remedyUrl(alert)})\n`;
    })
    .filter((section) => (size += Buffer.byteLength(section)) <= maxSectionBytes);

  const left = alerts.length - sections.length;
  const more = left === 0 ? '' : `\n**And ${left} more**: the log of the run lists all.\n`;

  return `${sections.join('\n')}${more}`;
}
