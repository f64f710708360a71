import { getOctokit } from '@actions/github';
import { listed, toLine } from '../../core/text.ts';
import type { Alert } from './alerts.ts';

export interface AlertIssueOptions {
  apiUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  userAgent: string;
  signal: AbortSignal;
}

/** Issues are disabled in the repository, as they are in a new fork. */
export class NoIssuesError extends Error {
  override readonly name = 'NoIssuesError';
}

const timeoutMs = 30_000;

const label = 'release-index';

export type AlertIssue = ReturnType<typeof openAlertIssue>;

/** The one open issue that has our label and mark. Each call throws with a sentence where GitHub rejects it. */
export function openAlertIssue({ apiUrl, repository, token, userAgent, signal }: AlertIssueOptions) {
  const [owner = '', repo = ''] = repository.split('/');
  // The client takes the proxy from the environment of the process.
  const github = getOctokit(token, { baseUrl: apiUrl, userAgent });
  github.hook.before('request', (options) => {
    options.request!.signal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  });
  github.hook.error('request', (error) => {
    throw describeFailure(error as Failure);
  });
  const { issues } = github.rest;
  return {
    async find(): Promise<number | undefined> {
      const { data } = await issues.listForRepo({ owner, repo, labels: label, per_page: 100 });
      return data.find(({ pull_request, body }) => pull_request === undefined && body?.includes(issueMark))
        ?.number;
    },
    async open(title: string, body: string): Promise<number> {
      return (await issues.create({ owner, repo, title, body, labels: [label] })).data.number;
    },
    async update(issue_number: number, title: string, body: string): Promise<void> {
      await issues.update({ owner, repo, issue_number, title, body });
    },
    async close(issue_number: number, comment: string): Promise<void> {
      await issues.createComment({ owner, repo, issue_number, body: comment });
      await issues.update({ owner, repo, issue_number, state: 'closed', state_reason: 'completed' });
    },
  };
}

interface Failure extends Error {
  request?: { method: string; url: string };
  response?: { status: number };
}

function describeFailure(error: Failure): Error {
  if (!error.request) return error;
  const call = `${error.request.method} ${error.request.url.replace(/\?.*/, '')}`;
  const status = error.response?.status;
  if (status === undefined) return new Error(`${call}: ${error.message}`, { cause: error });
  if (status === 410) return new NoIssuesError(`${call} answered 410`);
  const advice = status === 403 || status === 404 ? ' The token needs the permission "issues: write".' : '';
  return new Error(`${call} answered ${status}.${advice}`, { cause: error });
}

export interface IssueText {
  title: string;
  body: string;
}

/** An invisible mark in the body of our issues: one without it is never changed or closed. */
const issueMark = '<!-- release-index: attention -->';

const headings: Record<Alert['kind'], string> = {
  held: 'held until a person has checked the answer of its source',
  stale: 'silent for too long',
  large: 'too large for the host; not updated',
  input: 'invalid definition or recorded file',
  commit: 'gathered data could not be committed',
  publish: 'the site was not published',
};

/** GitHub limits a title to 256 characters and a body to 65,536, which some of its clients count in bytes. */
const maxTitleLength = 250;
const maxSectionBytes = 50_000;
const maxMessageLength = 2_000;

/** Undefined without alerts. The same alerts give the same text. */
export function issueText(alerts: readonly Alert[], runUrl: string | undefined): IssueText | undefined {
  if (alerts.length === 0) return undefined;
  const subjects = [...new Set(alerts.map(({ subject }) => subject))];
  const sections = limitSections(alerts.map(sectionOf));
  const left = alerts.length - sections.length;
  const more = left === 0 ? '' : `**And ${left} more**: the run lists all.\n\n`;
  const run = runUrl === undefined ? '' : `Reported by ${runUrl}. `;
  return {
    title: toLine(`The release index needs attention: ${listed(subjects, 3)}`, maxTitleLength),
    body: `${sections.join('\n')}\n${more}${run}This issue is closed automatically once everything is in order again. .github/RUNBOOK.md says what to do in each case.\n\n${issueMark}\n`,
  };
}

function sectionOf({ kind, subject, message }: Alert): string {
  return `### ${inCode(subject)}: ${headings[kind]}\n\n${verbatim(toLine(message, maxMessageLength))}\n`;
}

function limitSections(sections: readonly string[]): string[] {
  let size = 0;
  return sections.filter((section) => (size += Buffer.byteLength(section)) <= maxSectionBytes);
}

/** A code block keeps texts from upstream from mentioning anyone or formatting anything. */
function verbatim(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}

function inCode(text: string): string {
  const line = toLine(text, 200);
  const fence = fenceFor(line, 1);
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** Longer than any run of backticks in the text. */
function fenceFor(text: string, least: number): string {
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? [];
  return '`'.repeat(Math.max(least - 1, ...runs) + 1);
}
