import { userAgentOf } from '../../io/http/client.ts';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  issueText,
  NoIssuesError,
  openAlertIssue,
  type AlertIssue,
  type IssueText,
} from '../../deliver/daily/alert-issue.ts';
import { DailyReport, dailyReportPath, emptyReport } from '../../deliver/daily/daily-report.ts';
import { problem } from '../../core/schemas/finding.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { inputError, requireValue, shared, throwErrors, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  arguments: '[report]',
  options: shared('root', 'as-of'),
  details: [
    'Reads the report of "daily". Needs GITHUB_TOKEN (issues: write) and GITHUB_REPOSITORY in the environment.',
    'There is one issue, found by its label "release-index" and a mark in its text; it is closed once all is in order.',
  ],
  examples: [['attention', 'after "daily"']],
  run,
};

async function run(invocation: Invocation): Promise<number> {
  const { env, report, root, signal } = invocation;
  const config = requireValue(readSiteConfig(root));
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = requireVariables(env);
  const issue = openAlertIssue({
    apiUrl: (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/$/, ''),
    repository,
    token,
    userAgent: userAgentOf(config),
    signal,
  });
  const daily = readReport(invocation);
  try {
    const outcome = await updateIssue(issue, issueText(daily.attention, runUrl(env)), daily.asOf);
    report.print(outcome);
    report.document({ verb: 'attention', asOf: daily.asOf, attention: daily.attention.length, outcome });
    return 0;
  } catch (error) {
    throw inputError('attention', (error as Error).message.replaceAll(token, '(token)'));
  }
}

async function updateIssue(issue: AlertIssue, text: IssueText | undefined, day: string): Promise<string> {
  try {
    const number = await issue.find();
    if (!text) {
      if (number === undefined) return 'Nothing needs attention.';
      await issue.close(number, `Everything is in order again as of ${day}.`);
      return `Closed issue #${number}: everything is in order again.`;
    }
    if (number === undefined)
      return `Opened issue #${await issue.open(text.title, text.body)}: ${text.title}`;
    await issue.update(number, text.title, text.body);
    return `Updated issue #${number}: ${text.title}`;
  } catch (error) {
    // No failure: the daily run itself has already reported what is wrong and ended with an error.
    if (!(error instanceof NoIssuesError)) throw error;
    return 'Issues are disabled in this repository, so none was opened or closed. Enable them in its settings.';
  }
}

/** An interrupted run leaves no report, or that of another day, which needs attention too. */
function readReport({ root, day, arguments: [file] }: Invocation): DailyReport {
  const path = file === undefined ? dailyReportPath(root) : resolve(file);
  const found = existsSync(path) ? parseDocument(readFileSync(path), path, DailyReport) : undefined;
  throwErrors(found?.findings ?? []);
  if (found?.value?.asOf === day) return found.value;
  const message = 'The daily run ended without a report. Its log says why.';
  return emptyReport(day, [{ kind: 'publish', subject: 'daily', message }]);
}

function requireVariables(env: Invocation['env']): Record<'GITHUB_TOKEN' | 'GITHUB_REPOSITORY', string> {
  const { GITHUB_TOKEN = '', GITHUB_REPOSITORY = '' } = env;
  const wanted = { GITHUB_TOKEN, GITHUB_REPOSITORY };
  const missing = Object.entries(wanted).filter(([, value]) => value === '');
  throwErrors(missing.map(([name]) => problem(name, 'is not set. In a workflow, GitHub sets it')));
  return wanted;
}

function runUrl(env: Invocation['env']): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}
