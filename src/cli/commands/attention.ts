import { execFileSync } from 'node:child_process';
import * as z from 'zod';
import { pick } from '../../core/model/objects.ts';
import { problem, inputError } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { askGit, openGit } from '../../io/files/git.ts';
import { Alert, listFindingAlerts, renderAlerts } from '../../run/daily/alerts.ts';
import { readReport } from '../../run/daily/daily-report.ts';
import { flag, shared, type Command, type Invocation } from '../command.ts';

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
    'gets a comment on the day on which something is new or grows, on every seventh day since, and for each alert that ended, and',
    'is closed when nothing is left. Each alert names its section of the runbook. --print works where the last run ran.',
  ],
  examples: [
    ['attention', 'after "daily", at GitHub'],
    ['attention --print', 'what the issue would say; after "daily", anywhere else'],
  ],
  needsIndex: false,
  run,
};

const noAlerts = 'Nothing needs attention.';
const label = 'release-index';

function run(invocation: Invocation<Options>): number {
  const { report, day, options } = invocation;
  const alerts = readAlerts(invocation);
  const outcome =
    options.print === true ? renderAttention(invocation, alerts) : updateIssue(invocation, alerts);
  report.print(...outcome.trimEnd().split('\n'));
  report.document({ verb: 'attention', asOf: day, attention: alerts.length, outcome });

  return 0;
}

/** The alerts, and of which day they are: the run of today may not have started. */
function renderAttention({ root, day }: Invocation<Options>, alerts: readonly Alert[]): string {
  const text = renderAlerts(alerts) || noAlerts;
  const { asOf = day } = readReport(root) ?? {};
  return asOf < day ? `The last run here was on ${asOf}.\n\n${text}` : text;
}

/** A hidden comment with the alerts that the issue reports; an issue without one is never changed or closed. */
const describeMark = (folder: string) => `<!-- release-index: attention ${folder}`;
const IssueAlerts = z.array(Alert.pick({ id: true, since: true, cause: true }));

/** The issue of this index and its alerts; number 0 where there is none. */
function findIssue({ env, root }: Invocation) {
  const gh = (args: readonly string[], input = '') =>
    execFileSync('gh', args, { env, input, encoding: 'utf8', stdio: 'pipe' }).trim();

  // Each index in a repository has its own issue.
  const mark = describeMark(askGit(openGit(root.dir, env), 'rev-parse', '--show-prefix') || '.');
  const query = `map(select(.body | contains("${mark} ")))[0] // empty`;
  const issue =
    gh(['issue', 'list', '--label', label, '--json', 'number,body', '--jq', query]) || '{}';
  const { number = 0, body = '' } = JSON.parse(issue) as { number?: number; body?: string };
  return { gh, mark, number, issueAlerts: readIssueAlerts(body, mark) };
}

function updateIssue(invocation: Invocation, alerts: readonly Alert[]): string {
  const { env } = invocation;
  try {
    const { gh, mark, number, issueAlerts } = findIssue(invocation);
    if (number === 0 && alerts.length === 0) {
      return noAlerts;
    }

    const state = JSON.stringify(alerts.map((alert) => pick(alert, ['id', 'since', 'cause'])));
    const title = `The release index needs attention: ${formatCount(alerts.length, 'thing')}`;

    // "-->" would end the comment.
    const text = `${renderAlerts(alerts)}\n${renderFooter(env)}\n\n${mark} ${state.replaceAll('>', '\\u003e')} -->\n`;
    if (number === 0) {
      gh(['label', 'create', label, '--force']);

      const create = ['issue', 'create', '--title', title, '--label', label, '--body-file', '-'];
      return `Opened ${gh(create, text)}`;
    }

    const issue = String(number);
    const createComment = (words: string) =>
      gh(['issue', 'comment', issue, '--body-file', '-'], words);
    const endings = issueAlerts.filter((former) => alerts.every(({ id }) => id !== former.id));
    const due = alerts.filter(({ isDue }) => isDue);
    for (const { id, since, cause } of endings) {
      createComment(`Ended, since ${since}, \`${id}\`:\n\n    ${toLine(cause, 300)}\n`);
    }
    if (alerts.length === 0) {
      gh(['issue', 'close', issue]);
      return `Closed issue #${issue}: everything is in order again.`;
    }

    if (due.length > 0) {
      createComment(renderAlerts(due));
    }

    gh(['issue', 'edit', issue, '--title', title, '--body-file', '-'], text);
    return `Updated issue #${issue}: ${due.length} due, ${endings.length} ended.`;
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') {
      throw inputError(
        'gh',
        'is not installed. Install it (https://cli.github.com), or use --print',
      );
    }

    // Not a failure: the daily run has already reported the alerts and ended with an error.
    if (/disabled issues/.test(stderr)) {
      return 'Issues are disabled in this repository, so none was opened or closed. Enable them in its settings.';
    }

    throw inputError('gh', stderr.trim() || message);
  }
}

/** The alerts that an issue already reports; none after a person has changed the mark. */
function readIssueAlerts(body: string, mark: string): z.infer<typeof IssueAlerts> {
  const start = body.indexOf(`${mark} `);
  const text = body.slice(start + mark.length + 1, body.indexOf(' -->', start));
  try {
    return IssueAlerts.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

/** How old a report may be where no id identifies the run: an interrupted run leaves none. */
const maxReportAgeMs = 2 * 60 * 60 * 1000;

function readAlerts({ root, day, env, options }: Invocation<Options>): readonly Alert[] {
  const report = readReport(root);
  const run = env['GITHUB_RUN_ID'];

  // A person reads the alerts of the last run hours later.
  const isOfThisRun =
    report?.run !== undefined && run !== undefined
      ? report.run === run
      : options.print === true ||
        Date.now() - Date.parse(report?.finishedAt ?? '') <= maxReportAgeMs;
  if (report && isOfThisRun) {
    return report.attention;
  }

  const message =
    'No daily run left a report here: it was interrupted, or did not start. Its log says why.';
  return listFindingAlerts('publish', [problem('daily', message)], day);
}

function renderFooter(env: Invocation['env']): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const closing = 'This issue is closed automatically once everything is in order again.';
  if (!server || !repository || !run) {
    return closing;
  }

  return `Reported by ${server}/${repository}/actions/runs/${run}. ${closing}`;
}
