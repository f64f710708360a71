import { execFileSync } from 'node:child_process';
import { alertText, type Alert } from '../../deliver/daily/alerts.ts';
import { DailyReport, dailyReportPath } from '../../deliver/daily/daily-report.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/documents.ts';
import { inputError, requireValue, shared, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  options: shared('root', 'as-of'),
  details: [
    'Reads the report of "daily", and asks GitHub by GitHub\'s own command, gh. In a workflow, that needs GH_TOKEN (issues: write).',
    'There is one issue, found by its label "release-index" and a mark in its text; it is closed once all is in order.',
  ],
  examples: [['attention', 'after "daily"']],
  run,
};

const label = 'release-index';
const title = 'The release index needs attention';

/** An invisible mark in our issues: one without it is never changed or closed. */
const mark = '<!-- release-index: attention -->';
const ours = `map(select(.body | contains("${mark}")))[0].number // empty`;

function run(invocation: Invocation): number {
  const { report, day } = invocation;
  const alerts = readAlerts(invocation);
  const outcome = updateIssue(invocation, alerts);
  report.print(outcome);
  report.document({ verb: 'attention', asOf: day, attention: alerts.length, outcome });
  return 0;
}

function updateIssue({ env }: Invocation, alerts: readonly Alert[]): string {
  const gh = (args: readonly string[], input = '') =>
    execFileSync('gh', args, { env, input, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const number = gh(['issue', 'list', '--label', label, '--json', 'number,body', '--jq', ours]);
    if (alerts.length === 0) {
      if (number === '') return 'Nothing needs attention.';
      gh(['issue', 'close', number, '--comment', 'Everything is in order again.']);
      return `Closed issue #${number}: everything is in order again.`;
    }
    const body = `${alertText(alerts)}\n${footer(env)}\n\n${mark}\n`;
    if (number === '') {
      gh(['label', 'create', label, '--force']);
      const create = ['issue', 'create', '--title', title, '--label', label, '--body-file', '-'];
      return `Opened ${gh(create, body)}`;
    }
    gh(['issue', 'edit', number, '--body-file', '-'], body);
    return `Updated issue #${number}.`;
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') throw inputError('gh', 'is not installed. Install it: https://cli.github.com');
    // No failure: the daily run itself has already reported the alerts and ended with an error.
    if (/disabled issues/.test(stderr))
      return 'Issues are disabled in this repository, so none was opened or closed. Enable them in its settings.';
    throw inputError('gh', stderr.trim() || message);
  }
}

/** An interrupted run leaves no report, or that of another day, which needs attention as well. */
function readAlerts({ root, day }: Invocation): readonly Alert[] {
  const path = dailyReportPath(root);
  const found = isAbsent(path) ? undefined : requireValue(readDocument(path, path, DailyReport));
  if (found?.asOf === day) return found.attention;
  const message = 'The daily run ended without a report. Its log says why.';
  return [{ kind: 'publish', subject: 'daily', message }];
}

function footer(env: Invocation['env']): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const reported =
    server && repository && run ? `Reported by ${server}/${repository}/actions/runs/${run}. ` : '';
  return `${reported}This issue is closed automatically once everything is in order again. The RUNBOOK of release-index says what to do in each case.`;
}
