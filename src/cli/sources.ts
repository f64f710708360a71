/** Asks the sources of an index, and describes their answers. */
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { asWarnings, type Problem, UsageError } from '../core/errors.ts';
import { readSettings, requireDefinitions } from '../core/read-folder.ts';
import type { Definition } from '../core/schema/written.ts';
import { findNearest, formatCount, formatList, joinSubject } from '../core/text.ts';
import { composeDay, type ComposedDay, saveGathered } from '../record/compose-day.ts';
import { openData } from '../record/data-files.ts';
import type { Finding } from '../record/gather.ts';
import { rejectCommittedKept } from '../record/git.ts';
import { describeHold } from '../record/holds.ts';
import { createHttp } from '../sources/http/client.ts';
import type { Context } from './context.ts';

export interface Asked {
  /** If given, only these components are asked about. */
  names?: readonly string[] | undefined;
  /** The commit at the beginning of the day's run. */
  commit?: string;
  /** Definitions that are used instead of the definitions in the files. */
  definitions?: Map<string, Definition>;
  /** Whether events are left out of the result. */
  skipsEvents?: boolean;
}

/** Asks the sources, and composes the data of a day. Writes nothing. */
export async function askSources(
  context: Context,
  { names = [], commit, definitions: usable, skipsEvents }: Asked = {},
) {
  const { root, env, report, signal, day } = context;
  await rejectCommittedKept(root, signal);
  const settings = readSettings(root);
  const data = openData(root);
  const definitions = usable ?? requireDefinitions(root, settings);
  const unknown = names.find((name) => !definitions.has(name));
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, definitions.keys());
    const hint = nearest ? `. Did you mean ${nearest}?` : '';
    throw new UsageError(`There is no component "${unknown}"${hint}`);
  }

  const { repositoryUrl, plainHttpHosts, exploited, staleAfterDays } = settings;
  const http = createHttp({
    env,
    signal,
    repositoryUrl,
    plainHttpHosts,
    keptIn: join(root, '.cache/http'),
    program: manifest.version,
  });
  try {
    const composed = await composeDay({
      root,
      day,
      signal,
      http,
      data,
      definitions,
      exploited,
      staleAfterDays,
      skipsEvents,
      facts: {
        requested: [report.verb, ...names],
        program: manifest.version,
        npm: /npm\/(\S+)/.exec(env['npm_config_user_agent'] ?? '')?.[1],
        projectName: env['npm_package_name'],
        commit,
      },
      asks: (name) => names.length === 0 || names.includes(name),
      onProgress: report.progress,
    });
    return { data, composed, offsets: http.listOffsets() };
  } finally {
    await http.close();
  }
}

/** Asks the sources, records their answers, and describes how they answered. Unlike a daily run, records neither events nor a run. */
export async function gather(context: Context, names?: readonly string[]): Promise<void> {
  const { report, day } = context;
  const { data, composed } = await askSources(context, { names, skipsEvents: true });
  saveGathered(data, composed);
  const { run, held, left, bugs, findings } = composed;
  report.problem(listGathered(composed));
  report.print(describeAnswers(composed));
  if (findings.length > 0) {
    report.print(
      `${formatCount(findings.length, 'note')} on the lists. To read them: npx release-index gather --json`,
    );
  }
  const { asked, troubles = [] } = run;
  const notes = findings.map(formatFinding);
  report.document({ asOf: day, asked, troubles, putOff: left, held, notes });
  context.status = bugs.length > 0 ? bugStatus : 0;
}

/* Functions that describe for the operator how the sources answered. */

/** The exit status after a bug that stopped the update of some components: EX_SOFTWARE of sysexits.h. */
export const bugStatus = 70;

/** Counts the answers, and lists the sources that did not answer, by host and reason. */
function describeAnswers(composed: ComposedDay) {
  const { run, failures, left } = composed;
  const asked = countAnswers(composed);
  if (failures.length === 0) {
    return [asked];
  }

  const byReason = Map.groupBy(failures, ({ host, reason }) => JSON.stringify([host, reason]));
  const rows = [...byReason.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => {
      const { host, reason } = group[0]!;
      const components = [...new Set(group.map(({ component }) => component))];
      return [host, group.length, reason, formatList(components, 2)];
    });
  const isComplete = findUnread(composed, [...(run.troubles ?? []), ...left]).length === 0;
  const rest = isComplete ? ', so the index is complete' : '';
  return [
    asked,
    { headings: ['host', 'sources', 'reason', 'components'], rows },
    `Their recorded data stays${rest}.`,
  ];
}

/** Returns `Asked 3 of 5 sources: 2 answered, 1 did not answer, 2 postponed.` */
function countAnswers({ run: { asked }, failures, left }: ComposedDay): string {
  if (asked + left.length === 0) {
    return 'No source had to be asked.';
  }
  if (left.length === 0) {
    const outcome = failures.length > 0 ? `${failures.length} did not answer` : 'all answered';
    return `Asked ${formatCount(asked, 'source')}: ${outcome}.`;
  }

  const counts: [count: number, outcome: string][] = [
    [asked - failures.length, 'answered'],
    [failures.length, 'did not answer'],
    [left.length, 'postponed'],
  ];
  const outcomes = counts.flatMap(([count, outcome]) => (count > 0 ? `${count} ${outcome}` : []));
  return `Asked ${asked} of ${formatCount(asked + left.length, 'source')}: ${outcomes.join(', ')}.`;
}

/**
 * Lists the problems of a day: alerts, failed and postponed sources, problems in answers, and bugs. A source that an alert names is not
 * listed again. `dueLevel`: the level of alerts that need a person.
 */
export function listProblems(composed: ComposedDay, dueLevel?: Problem['level']): Problem[] {
  const { alerts, warnings, findings, run, left } = composed;
  const alerted = new Set(alerts.flatMap(({ sources = [] }) => sources));
  const isNew = (asked: AskedOfComponent) => !alerted.has(formatSource(asked));
  const troubles = (run.troubles ?? [])
    .filter(isNew)
    .map((trouble) => `${formatSource(trouble)}: ${trouble.reason}. Recorded data stays.`);
  return [
    ...alerts.map(({ subject, message, isDue }): Problem => {
      return { subject, message, level: isDue ? dueLevel : 'warning' };
    }),
    ...warnings,
    ...[...troubles, ...listShownFindings(findings)].map((message): Problem => {
      return { subject: 'source', message, level: 'notice' };
    }),
    ...asWarnings(listLeft(left.filter(isNew))),
    ...listBugs(composed),
  ];
}

interface AskedOfComponent {
  component: string;
  source: string;
}

function formatSource({ component, source }: AskedOfComponent): string {
  return `${component} (${source})`;
}

/**
 * Lists the problems of a gathering:
 * - changes that wait for a person's decision
 * - sources that never answered or were postponed
 * - problems in answers
 * - bugs in this program
 */
function listGathered(composed: ComposedDay): Problem[] {
  const held = composed.held.map((hold) => {
    return {
      subject: hold.component,
      message: describeHold(hold, composed.recorded.get(hold.component)),
    };
  });
  const lacking = [...listUnread(composed), ...listLeft(composed.left)];
  return [...asWarnings([...held, ...lacking]), ...composed.warnings, ...listBugs(composed)];
}

function listBugs({ bugs }: ComposedDay): Problem[] {
  return bugs.map(({ component, error }) => {
    const stack = String((error as Partial<Error>).stack ?? error);
    const message = `a bug in this program stopped its update. Its recorded data stays. ${stack}`;
    return { subject: component, message };
  });
}

/** Lists the sources that failed and have never answered. */
function listUnread(composed: ComposedDay): Problem[] {
  const unread = findUnread(composed, composed.run.troubles ?? []);
  if (unread.length === 0) {
    return [];
  }

  const names = formatList(unread.map(formatSource), 5);
  const message = `never answered, so nothing is recorded from them: ${names}`;
  return [{ subject: 'sources', message }];
}

/** Finds the sources from which nothing is recorded, because they have never answered. */
function findUnread(
  { freshness, recorded }: ComposedDay,
  asked: readonly AskedOfComponent[],
): AskedOfComponent[] {
  return asked.filter(({ component, source }) => {
    const releases = recorded.get(component)?.releases ?? [];
    // Releases with empty `sources` were entered by a person. They count as recorded, too. After an incomplete first answer, `answeredOn`
    // is still absent, so the recorded releases are also tested.
    const isRecorded = releases.some(
      ({ sources }) => sources.length === 0 || sources.includes(source),
    );
    return !isRecorded && !freshness[component]?.[source]?.answeredOn;
  });
}

/** Counts the postponed sources of each host whose rate limit is used up. */
function listLeft(left: ComposedDay['left']): Problem[] {
  const byHost = Map.groupBy(left, ({ host = 'sources' }) => host);
  return Array.from(byHost, ([subject, sources]) => {
    const count = formatCount(sources.length, 'source');
    const message = `postponed ${count}, which the next run asks first: ${sources[0]!.reason}.`;
    return { subject, message };
  });
}

/** The number of findings (problems in an answer) that are shown for each source. */
const shownFindings = 5;

/** Lists the first findings of each source, and says how many more there are. */
export function listShownFindings(findings: readonly Finding[]): string[] {
  const bySource = Map.groupBy(findings, ({ source }) => source);
  return [...bySource].flatMap(([source, own]) => {
    const more = own.length - shownFindings;
    const rest = more > 0 ? [`${source}: and ${formatCount(more, 'more note')}`] : [];
    return [...own.slice(0, shownFindings).map(formatFinding), ...rest];
  });
}

function formatFinding({ source, text }: Finding): string {
  return joinSubject(source, text);
}
