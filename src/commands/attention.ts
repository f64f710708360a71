import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { NoIssuesError, openIssues, type Issues } from '../daily/alert-issue.ts';
import { issueText, type IssueText } from '../daily/issue-text.ts';
import { DailyReport, dailyReportPath } from '../daily/report.ts';
import type { Finding } from '../model/finding.ts';
import { parseDocument } from '../store/documents.ts';
import { readSiteConfig } from '../store/read.ts';
import { InputError, refuseErrors, type Invocation } from './command.ts';

const label = 'release-index';

/** Opens, updates or closes the one issue that calls a person to what the daily run could not deal with. */
export async function attention(invocation: Invocation): Promise<number> {
  const { env, report, root, signal } = invocation;
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = requireVariables(env);
  const issues = openIssues({
    apiUrl: (env['GITHUB_API_URL'] ?? 'https://api.github.com').replace(/\/$/, ''),
    repository,
    token,
    label,
    userAgent: `release-index (+${config.value!.repositoryUrl})`,
    signal,
  });
  const daily = readReport(invocation);
  try {
    const outcome = await settle(issues, issueText(daily.attention, runUrl(env)), daily.asOf).catch(
      withoutIssues,
    );
    report.line(outcome);
    report.result({ verb: 'attention', asOf: daily.asOf, attention: daily.attention.length, outcome });
    return 0;
  } catch (error) {
    throw new InputError([problem('attention', (error as Error).message.replaceAll(token, '(token)'))]);
  }
}

async function settle(issues: Issues, text: IssueText | undefined, day: string): Promise<string> {
  const open = await issues.findOpen();
  if (!text) {
    if (!open) return 'Nothing needs a person.';
    await issues.close(open.number, `All is well again as of ${day}.`);
    return `Closed issue #${open.number}: all is well again.`;
  }
  if (!open) return `Opened issue #${await issues.open(text.title, text.body)}: ${text.title}`;
  await issues.update(open.number, text.title, text.body);
  return `Updated issue #${open.number}: ${text.title}`;
}

/** The run itself has said what is wrong, and ended in failure where anything is. */
function withoutIssues(error: unknown): string {
  if (!(error instanceof NoIssuesError)) throw error;
  return 'Issues are disabled in this repository: none calls a person. They are enabled in its settings.';
}

/** A run that broke off left no report, or one of another day: that needs a person too. */
function readReport(invocation: Invocation): DailyReport {
  const { root, day } = invocation;
  const path =
    invocation.arguments[0] === undefined ? dailyReportPath(root) : resolve(invocation.arguments[0]);
  const found = existsSync(path) ? parseDocument(readFileSync(path), path, DailyReport) : undefined;
  refuseErrors(found?.findings ?? []);
  if (found?.value?.asOf === day) return found.value;
  const message = 'The daily run ended without a report. Its log says why.';
  const nothing = { news: [], components: [], isBuilt: false };
  return {
    verb: 'daily',
    asOf: day,
    ...nothing,
    attention: [{ kind: 'publish', subject: 'daily', message }],
  };
}

function requireVariables(env: Invocation['env']): Record<'GITHUB_TOKEN' | 'GITHUB_REPOSITORY', string> {
  const wanted = {
    GITHUB_TOKEN: env['GITHUB_TOKEN'] ?? '',
    GITHUB_REPOSITORY: env['GITHUB_REPOSITORY'] ?? '',
  };
  const missing = Object.entries(wanted).filter(([, value]) => value === '');
  refuseErrors(missing.map(([name]) => problem(name, 'is missing. In a workflow, GitHub sets it')));
  return wanted;
}

function runUrl(env: Invocation['env']): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

function problem(subject: string, message: string): Finding {
  return { level: 'error', subject, message };
}
