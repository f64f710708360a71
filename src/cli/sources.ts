/** What the sources of an index state, and in which words a person is told of it. */
import manifest from '../../package.json' with { type: 'json' };
import { UsageError, type Problem } from '../core/errors.ts';
import { readSettings, requireDefinitions } from '../core/index/read-folder.ts';
import type { Definition } from '../core/schema/definition.ts';
import { findNearest, formatCount, formatList } from '../core/text.ts';
import type { Alert } from '../record/alerts.ts';
import { planDay, saveGathered, type PlannedDay } from '../record/day.ts';
import { openData } from '../record/files.ts';
import { createHttp } from '../sources/http/client.ts';
import type { Context } from './context.ts';
import type { Part } from './report.ts';

export interface Asked {
  /** Only these components. */
  names?: readonly string[] | undefined;
  /** What the day begins with. */
  commit?: string;
  /** In place of those in the files. */
  definitions?: Map<string, Definition>;
}

/** Asks the sources for a day, and writes nothing. */
export async function askSources(
  context: Context,
  { names = [], commit, definitions: usable }: Asked = {},
) {
  const { root, env, report, signal, day } = context;
  const settings = readSettings(root);
  const data = openData(root);
  const definitions = usable ?? requireDefinitions(root, settings);
  const unknown = names.find((name) => !definitions.has(name));
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, definitions.keys());
    const hint = nearest ? `. Did you mean ${nearest}?` : '';
    throw new UsageError(`there is no component ${unknown}${hint}`);
  }

  const { repositoryUrl, plainHttpHosts } = settings;
  const http = createHttp({ env, signal, repositoryUrl, plainHttpHosts });
  try {
    const planned = await planDay({
      root,
      day,
      signal,
      http,
      data,
      definitions,
      exploited: settings.exploited,
      staleAfterDays: settings.staleAfterDays,
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
    return { data, planned, offsets: http.listOffsets() };
  } finally {
    await http.close();
  }
}

/** Records what sources state: all that `gather` does. */
export async function gather(context: Context, names?: readonly string[]): Promise<PlannedDay> {
  const { report } = context;
  const { data, planned } = await askSources(context, { names });
  saveGathered(data, planned);
  const { held, bugs, notes } = planned;
  const alerts = planned.alerts.filter(({ subject }) =>
    held.some(({ component }) => component === subject),
  );
  report.problem(...listAlertProblems(alerts, 'warning'), ...listBugs(bugs));
  report.print(...describeAnswers(planned));
  if (notes.length > 0) {
    report.print(
      `${formatCount(notes.length, 'note')} on what was listed: npx release-index gather --json`,
    );
  }
  context.status = bugs.length > 0 ? 1 : 0;
  return planned;
}

/** How many sources answered; those that did not, by host and reason; and components of which nothing is recorded, as theirs did not. */
function describeAnswers({ run, freshness, recorded }: PlannedDay): Part[] {
  const { asked, troubles = [] } = run;
  const sources = formatCount(asked, 'source');
  if (troubles.length === 0) {
    return [`Asked ${sources}: all answered.`];
  }

  const failures = troubles.map(({ component, source, reason }) => ({
    component,
    host: freshness[component]?.[source]?.host ?? source,
    // Without the request, whose address is that of one source.
    words: reason.replace(/^[A-Z]+ https?:\S+ (?:failed: )?/, ''),
  }));
  const byReason = Map.groupBy(failures, ({ host, words }) => JSON.stringify([host, words]));
  const rows = [...byReason.values()]
    .sort((a, b) => b.length - a.length)
    .map((group) => {
      const { host, words } = group[0]!;
      const components = [...new Set(group.map(({ component }) => component))];
      return [host, group.length, words, formatList(components, 2)];
    });
  const silent = new Set(troubles.map(({ component }) => component));
  const unknown = [...silent].filter((name) => recorded.get(name)?.releases.length === 0);
  return [
    `Asked ${sources}: ${troubles.length} did not answer.`,
    { headings: ['host', 'sources', 'reason', 'components'], rows },
    ...(unknown.length > 0
      ? ['What they listed before stays.', `Nothing is known yet of ${formatList(unknown, 5)}.`]
      : ['What they listed before stays: the index is complete from recorded data.']),
  ];
}

/** The alerts of a day, the sources that failed, what was left out of the others, and bugs. `dueLevel`: of an alert that a person has to look at. */
export function listProblems(
  { alerts, notes, run, bugs }: PlannedDay,
  dueLevel?: Problem['level'],
): Problem[] {
  const failures = (run.troubles ?? []).map(
    ({ component, source, reason }) => `${component} (${source}): ${reason}. Recorded data stays.`,
  );
  return [
    ...listAlertProblems(alerts, dueLevel),
    ...[...failures, ...notes].map((message): Problem => {
      return { subject: 'source', message, level: 'notice' };
    }),
    ...listBugs(bugs),
  ];
}

function listAlertProblems(alerts: readonly Alert[], dueLevel: Problem['level']): Problem[] {
  return alerts.map(({ subject, message, isDue }) => {
    return { subject, message, level: isDue ? dueLevel : 'warning' };
  });
}

function listBugs(bugs: readonly unknown[]): Problem[] {
  return bugs.map((bug) => {
    return { subject: 'bug', message: String((bug as Partial<Error>).stack ?? bug) };
  });
}
