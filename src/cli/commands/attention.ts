import { execFileSync } from 'node:child_process';
import { alertText, type Alert } from '../../deliver/daily/alerts.ts';
import { postAlerts } from '../../deliver/daily/webhook.ts';
import { DailyReport, dailyReportPath } from '../../deliver/daily/daily-report.ts';
import { counted } from '../../core/text.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { readDocument } from '../../io/files/documents.ts';
import { flag, inputError, requireValue, shared, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  options: {
    print: flag('print the alerts instead; needs no GitHub'),
    webhook: flag('post them to RELEASE_INDEX_WEBHOOK_URL instead, an empty list where all is in order'),
    ...shared('root', 'as-of'),
  },
  details: [
    'Reads the report of "daily", and asks GitHub by GitHub\'s own command, gh. In a workflow, that needs GH_TOKEN (issues: write).',
    'There is one issue, found by its label "release-index" and a mark in its text; it is closed once all is in order.',
    'Each alert links to the section of the runbook that says what to do. A webhook is signed with RELEASE_INDEX_WEBHOOK_SECRET.',
  ],
  examples: [
    ['attention', 'after "daily", at GitHub'],
    ['attention --print', 'what the issue would say'],
    ['attention --webhook', 'after "daily", anywhere else'],
  ],
  run,
};

const inOrder = 'Nothing needs attention.';
const label = 'release-index';
const title = 'The release index needs attention';

/** An invisible mark in our issues: one without it is never changed or closed. */
const mark = '<!-- release-index: attention -->';
const ours = `map(select(.body | contains("${mark}")))[0].number // empty`;

async function run(invocation: Invocation): Promise<number> {
  const { report, day, options } = invocation;
  const alerts = readAlerts(invocation);
  const inWords = alertText(alerts) || inOrder;
  const instead = [
    options['print'] === true ? inWords : [],
    options['webhook'] === true ? await notifyReceiver(invocation, alerts) : [],
  ].flat();
  const outcome = instead.join('\n') || updateIssue(invocation, alerts);
  report.print(...outcome.trimEnd().split('\n'));
  report.document({ verb: 'attention', asOf: day, attention: alerts.length, outcome });
  return 0;
}

async function notifyReceiver(invocation: Invocation, alerts: readonly Alert[]): Promise<string> {
  const trouble = await postAlerts(alerts, invocation);
  if (trouble !== undefined) throw inputError('webhook', `${trouble}. Its receiver does not have the alerts`);
  return `Posted ${counted(alerts.length, 'alert')} to the webhook.`;
}

function updateIssue({ env }: Invocation, alerts: readonly Alert[]): string {
  const gh = (args: readonly string[], input = '') =>
    execFileSync('gh', args, { env, input, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const number = gh(['issue', 'list', '--label', label, '--json', 'number,body', '--jq', ours]);
    if (alerts.length === 0) {
      if (number === '') return inOrder;
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
    const install = 'is not installed. Install it (https://cli.github.com), or use --print or --webhook';
    if (code === 'ENOENT') throw inputError('gh', install);
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
  const closing = 'This issue is closed automatically once everything is in order again.';
  if (!server || !repository || !run) return closing;
  return `Reported by ${server}/${repository}/actions/runs/${run}. ${closing}`;
}
