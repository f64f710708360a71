import { getOctokit } from '@actions/github';

export interface AlertIssueOptions {
  apiUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  label: string;
  /** In the text of every issue of ours: one of somebody else is never overwritten or closed. */
  mark: string;
  userAgent: string;
  signal: AbortSignal;
}

/** Issues are disabled in the repository, as they are in a new fork. */
export class NoIssuesError extends Error {
  override readonly name = 'NoIssuesError';
}

const timeoutMs = 30_000;

export type AlertIssue = ReturnType<typeof alertIssue>;

/** The one open issue that has a label and a mark in its text. Each call throws with a sentence where GitHub refuses it. */
export function alertIssue({ apiUrl, repository, token, label, mark, userAgent, signal }: AlertIssueOptions) {
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
      return data.find(({ pull_request, body }) => pull_request === undefined && body?.includes(mark))
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
