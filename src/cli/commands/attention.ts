import { execFileSync } from 'node:child_process';
import type { Day } from '../../core/model/dates.ts';
import { InputError, problem, inputError } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { askGit, openGit } from '../../io/files/git.ts';
import { listFindingAlerts, describeSubject } from '../../run/daily/alerts.ts';
import { readDailyReport, type Alert, type DailyReport } from '../../run/daily/daily-report.ts';
import { flag, shared, type Command, type Invocation } from '../command.ts';
import { runbookFile } from '../../io/program.ts';

const optionTable = {
  print: flag('print the alerts instead; needs no GitHub'),
  ...shared('root', 'as-of'),
};
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'Reads the report of "daily", and calls gh, GitHub\'s own command. In a workflow, gh needs GH_TOKEN (issues: write).',
    'There is one issue, found by its label "release-index" and a mark in its text. Its title says how many alerts are open. It',
    'gets a comment on the day on which something is new or grows, and on every seventh day since, and is closed when nothing is',
    'left. Each alert names its section of the runbook. --print works where the last run ran.',
  ],
  examples: [
    ['attention', 'after "daily", at GitHub'],
    ['attention --print', 'what the issue would say; after "daily", anywhere else'],
  ],
  needsIndex: false,
  run(invocation) {
    const { root, report, day, options } = invocation;
    const lastRun = readDailyReport(root);
    const alerts = listAlerts(lastRun, invocation);
    const outcome = options.print
      ? renderAttention(alerts, lastRun, day)
      : updateIssue(invocation, alerts);
    report.print(...outcome.trimEnd().split('\n'));
    report.document({ verb: 'attention', asOf: day, attention: alerts.length, outcome });

    return 0;
  },
};

/** The alerts of this run, or with `--print` of the last one; else one that says that there is no report. */
function listAlerts(
  lastRun: DailyReport | undefined,
  { options, env, day }: Invocation<Options>,
): readonly Alert[] {
  // A person reads the alerts of the last run hours later.
  if (lastRun && (options.print === true || isOfThisRun(lastRun, env))) {
    return lastRun.attention;
  }

  const message =
    'No daily run left a report here: it was interrupted, or did not start. Its log says why.';
  return listFindingAlerts('publish', [problem('daily', message)], day);
}

/** How old a report may be where no id identifies the run: an interrupted run leaves none. */
const maxReportAgeMs = 2 * 60 * 60 * 1000;

function isOfThisRun(report: DailyReport, env: NodeJS.ProcessEnv): boolean {
  const run = env['GITHUB_RUN_ID'];
  if (report.run !== undefined && run !== undefined) {
    return report.run === run;
  }

  return Date.now() - Date.parse(report.finishedAt) <= maxReportAgeMs;
}

const noAlerts = 'Nothing needs attention.';

/** The alerts, and of which day they are: the run of today may not have started. */
function renderAttention(
  alerts: readonly Alert[],
  lastRun: DailyReport | undefined,
  day: Day,
): string {
  const text = renderAlerts(alerts) || noAlerts;
  return lastRun && lastRun.asOf < day
    ? `The last run here was on ${lastRun.asOf}.\n\n${text}`
    : text;
}

const label = 'release-index';

/** Opens, changes or closes the issue. Returns a line about it. */
function updateIssue(invocation: Invocation, alerts: readonly Alert[]): string {
  const { env } = invocation;
  const mark = createMark(invocation);
  try {
    const issue = findIssue(env, mark);
    if (alerts.length === 0) {
      return issue === undefined ? noAlerts : closeIssue(env, issue);
    }

    const title = `The release index needs attention: ${formatCount(alerts.length, 'thing')}`;
    const text = `${renderAlerts(alerts)}\n${renderFooter(env)}\n\n${mark}\n`;
    return issue === undefined
      ? openIssue(env, title, text)
      : changeIssue(env, issue, alerts, title, text);
  } catch (error) {
    // Not a failure: the daily run has already reported the alerts and ended with an error.
    if (error instanceof InputError && error.message.includes('disabled issues')) {
      return 'Issues are disabled in this repository, so none was opened or closed. Enable them in its settings.';
    }

    throw error;
  }
}

/** The hidden comment of the issue. An issue without it is never changed or closed. */
function createMark({ root, env }: Invocation): string {
  // Each index in a repository has its own issue.
  const folder = askGit(openGit(root.dir, env), 'rev-parse', '--show-prefix') || '.';
  return `<!-- release-index: attention ${folder} -->`;
}

/** The number of the issue, if there is one. */
function findIssue(env: NodeJS.ProcessEnv, mark: string): string | undefined {
  const query = `map(select(.body | contains(${JSON.stringify(mark)})))[0].number // empty`;
  const list = ['issue', 'list', '--label', label, '--limit', '1000'];
  return runGh(env, [...list, '--json', 'number,body', '--jq', query]) || undefined;
}

function openIssue(env: NodeJS.ProcessEnv, title: string, text: string): string {
  runGh(env, ['label', 'create', label, '--force']);
  const create = ['issue', 'create', '--title', title, '--label', label, '--body-file', '-'];
  return `Opened ${runGh(env, create, text)}`;
}

/** Comments on alerts that are due, and updates title and text. */
function changeIssue(
  env: NodeJS.ProcessEnv,
  issue: string,
  alerts: readonly Alert[],
  title: string,
  text: string,
): string {
  const due = alerts.filter(({ isDue }) => isDue);
  if (due.length > 0) {
    runGh(env, ['issue', 'comment', issue, '--body-file', '-'], renderAlerts(due));
  }

  runGh(env, ['issue', 'edit', issue, '--title', title, '--body-file', '-'], text);
  return `Updated issue #${issue}: ${due.length} due.`;
}

function closeIssue(env: NodeJS.ProcessEnv, issue: string): string {
  runGh(env, ['issue', 'close', issue]);
  return `Closed issue #${issue}: everything is in order again.`;
}

/** Runs GitHub's command and returns what it prints. Throws an InputError. */
function runGh(env: NodeJS.ProcessEnv, args: readonly string[], input = ''): string {
  try {
    return execFileSync('gh', args, { env, input, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    const reason = code === 'ENOENT' ? notInstalled : toLine(stderr) || message;
    throw inputError('gh', reason);
  }
}

const notInstalled = 'is not installed. Install it (https://cli.github.com), or use --print';

function renderFooter(env: NodeJS.ProcessEnv): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const closing = 'This issue is closed automatically once everything is in order again.';
  if (!server || !repository || !run) {
    return closing;
  }

  return `Reported by ${server}/${repository}/actions/runs/${run}. ${closing}`;
}

/** Each is also the heading of a section of the runbook. */
export const headings: Record<Alert['kind'], string> = {
  held: 'Held until you decide',
  stale: 'Silent for too long',
  input: 'Invalid file or folder',
  clock: 'The clock is wrong',
  commit: 'Gathered data could not be committed',
  publish: 'The site was not published',
  key: 'Access keys that end soon',
};

/** GitHub limits the text of an issue to 65,536 characters; some of its clients count bytes. */
const maxSectionBytes = 50_000;
const maxMessageLength = 2_000;

/**
 * The alerts in Markdown, for an issue or a message; empty without alerts. The same alerts give the same text. Text from
 * upstream is one line of indented code, so it cannot mention anybody or contain markup.
 */
export function renderAlerts(alerts: readonly Alert[]): string {
  const sections: string[] = [];
  let bytes = 0;
  for (const alert of alerts) {
    const section = renderAlert(alert);
    bytes += Buffer.byteLength(section);
    if (bytes <= maxSectionBytes) {
      sections.push(section);
    }
  }

  const more = alerts.length - sections.length;
  const note = more === 0 ? '' : `\n**And ${more} more**: the log of the run lists all.\n`;
  return `${sections.join('\n')}${note}`;
}

function renderAlert(alert: Alert): string {
  const { id, kind, since, message } = alert;
  const line = toLine(`${describeSubject(alert)}: ${message}`, maxMessageLength);
  return `### ${headings[kind]}\n\n    ${line}\n\n\`${id}\`, since ${since}. What to do: "${headings[kind]}" in \`${runbookFile}\`\n`;
}
