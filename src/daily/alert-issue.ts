import { EnvHttpProxyAgent, request } from 'undici';

export interface Issue {
  number: number;
  title: string;
  body: string;
}

/** The one issue that a label stands for (docs.github.com/rest/issues). Throws with a sentence where GitHub refuses. */
export interface Issues {
  findOpen(): Promise<Issue | undefined>;
  open(title: string, body: string): Promise<number>;
  update(number: number, title: string, body: string): Promise<void>;
  /** With a last word. */
  close(number: number, comment: string): Promise<void>;
}

export interface IssuesOptions {
  /** `https://api.github.com`, without a slash at its end. */
  apiUrl: string;
  /** `owner/name` */
  repository: string;
  token: string;
  label: string;
  userAgent: string;
  signal: AbortSignal;
}

/** The repository has no issues, as a fork has none until its owner wants them. */
export class NoIssuesError extends Error {
  override readonly name = 'NoIssuesError';
}

const timeoutMs = 30_000;

export function openIssues({ apiUrl, repository, token, label, userAgent, signal }: IssuesOptions): Issues {
  const dispatcher = new EnvHttpProxyAgent();
  const base = `${apiUrl}/repos/${repository}/issues`;
  return {
    async findOpen() {
      const found = (await call(
        'GET',
        `${base}?state=open&per_page=100&labels=${encodeURIComponent(label)}`,
      )) as RawIssue[];
      const issue = found.find((candidate) => candidate.pull_request === undefined);
      return issue && { number: issue.number, title: issue.title, body: issue.body ?? '' };
    },
    async open(title, body) {
      return ((await call('POST', base, { title, body, labels: [label] })) as RawIssue).number;
    },
    async update(number, title, body) {
      await call('PATCH', `${base}/${number}`, { title, body });
    },
    async close(number, comment) {
      await call('POST', `${base}/${number}/comments`, { body: comment });
      await call('PATCH', `${base}/${number}`, { state: 'closed', state_reason: 'completed' });
    },
  };

  async function call(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object): Promise<unknown> {
    const answer = await request(url, {
      method,
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': userAgent,
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new Error(`${method} ${shown(url)}: ${error.message}`, { cause: error });
    });
    const text = await answer.body.text();
    if (answer.statusCode < 300) return JSON.parse(text);
    if (answer.statusCode === 410) throw new NoIssuesError(`${method} ${shown(url)} answered 410`);
    const advice =
      answer.statusCode === 403 || answer.statusCode === 404
        ? ' The token needs the permission "issues: write".'
        : '';
    throw new Error(`${method} ${shown(url)} answered ${answer.statusCode}.${advice}`);
  }
}

interface RawIssue {
  number: number;
  title: string;
  body?: string | null;
  pull_request?: unknown;
}

function shown(url: string): string {
  return url.replace(/\?.*/, '');
}
