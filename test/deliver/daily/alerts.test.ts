import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueText } from '../../../src/deliver/daily/alert-issue.ts';
import { sourceAlerts, publicationAlerts } from '../../../src/deliver/daily/alerts.ts';
import type { DailyReport } from '../../../src/deliver/daily/daily-report.ts';
import type { Trouble } from '../../../src/decide/component-freshness.ts';
import type { ComponentState } from '../../../src/decide/component.ts';
import { run, type Run } from '../../harness/run.ts';
import { createRoot, type TestRoot } from '../../harness/root.ts';

const today = '2026-11-20';

describe('an alert is raised', () => {
  const trouble: Trouble = {
    source: 'npm:svc',
    kind: 'failed',
    reason: 'GET … answered 503',
    failures: 3,
    lastAnswered: '2026-11-17',
  };
  const asked = (...troubles: Trouble[]) =>
    sourceAlerts([{ name: 'svc', freshness: { troubles } } as unknown as ComponentState], today, 3);

  test('not for a source that is silent for as long as it may be', () => {
    expect(asked(trouble)).toEqual([]);
    expect(asked({ ...trouble, lastAnswered: '2026-11-19', failures: 1 })).toEqual([]);
  });

  test('for one that is silent for longer', () => {
    expect(asked({ ...trouble, lastAnswered: '2026-11-16' })).toEqual([
      {
        kind: 'stale',
        subject: 'svc',
        message:
          'npm:svc last answered on 2026-11-16: GET … answered 503. Look at its address in components/svc.json.',
      },
    ]);
  });

  test('for one that has never answered', () => {
    const { lastAnswered: _, ...never } = trouble;
    expect(asked({ ...never, failures: 3 })).toEqual([]);
    expect(asked({ ...never, failures: 4 })[0]!.message).toContain('npm:svc has not answered for 4 days');
  });

  test('for one that is held, at once', () => {
    const held: Trouble = {
      ...trouble,
      kind: 'held',
      heldSince: today,
      reason: 'no longer lists 2026.6',
      failures: 0,
    };
    expect(asked(held)).toEqual([
      {
        kind: 'held',
        subject: 'svc',
        message:
          'npm:svc has been held since 2026-11-20: no longer lists 2026.6. ' +
          'If upstream is right: npx release-index gather svc --accept, and commit data/.',
      },
    ]);
  });

  test('for a site that was refused, and not for a notice about one', () => {
    const findings = [
      { level: 'notice' as const, subject: 'live site', message: 'nothing there' },
      { level: 'error' as const, subject: 'svc', message: 'would vanish' },
    ];
    expect(publicationAlerts({ kind: 'refused', findings })).toEqual([
      { kind: 'publish', subject: 'svc', message: 'would vanish' },
    ]);
  });
});

describe('the text of the issue', () => {
  test('lets no text from upstream mention anyone or format anything', () => {
    const { body } = issueText(
      [{ kind: 'stale', subject: 'svc', message: '@everyone ``` [x](y) <b>' }],
      undefined,
    )!;

    expect(body).toContain('````text\n@everyone ``` [x](y) <b>\n````');
  });

  test('lets no subject do so either', () => {
    const { title, body } = issueText(
      [{ kind: 'input', subject: 'x`@a/b`\n# <b>', message: '' }],
      undefined,
    )!;

    expect(body.split('\n')[0]).toBe('### `` x`@a/b` # <b> ``: invalid definition or recorded file');
    expect(title).not.toContain('\n');
  });

  test('of the worst day fits what GitHub takes, and says where the rest is', () => {
    const alerts = Array.from({ length: 400 }, (_, index) => ({
      kind: 'held' as const,
      subject: `component-${index}`,
      message: 'é'.repeat(1_000),
    }));

    const { title, body } = issueText(alerts, 'https://github.example/run/7')!;

    expect(Buffer.byteLength(body)).toBeLessThan(65_536);
    expect(title.length).toBeLessThan(256);
    const shown = body.match(/^### /gm)!.length;
    expect(body).toContain(`**And ${400 - shown} more**`);
    expect(body).toContain('Reported by https://github.example/run/7.');
  });

  test('names a few of many in its title', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((subject) => ({
      kind: 'stale' as const,
      subject,
      message: '',
    }));

    expect(issueText(many, undefined)!.title).toBe('The release index needs attention: a, b, c and 2 more');
  });
});

interface IssueAtGitHub {
  number: number;
  title: string;
  body: string;
  labels: string[];
  state: string;
  comments: string[];
}

describe('the issue', () => {
  let github: Server;
  let url: string;
  let issues: IssueAtGitHub[];
  let refusal: number | undefined;
  let root: TestRoot;

  beforeAll(async () => {
    github = createServer((request, response) => {
      void (async () => {
        const body = JSON.parse((await text(request)) || '{}') as Partial<IssueAtGitHub>;
        const answer = (status: number, value: unknown) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
        if (refusal !== undefined)
          return answer(refusal, { message: 'Resource not accessible by integration' });
        if (request.headers.authorization !== 'token secret-token') return answer(401, {});
        const [, number, comments] = /^\/repos\/example\/index\/issues(?:\/(\d+))?(\/comments)?/.exec(
          request.url!,
        )!;
        const issue = issues.find((one) => one.number === Number(number));
        if (request.method === 'GET') {
          const label = new URL(request.url!, url).searchParams.get('labels')!;
          return answer(
            200,
            issues.filter((one) => one.state === 'open' && one.labels.includes(label)),
          );
        }
        if (comments !== undefined) issue!.comments.push(body.body!);
        else if (issue) Object.assign(issue, body);
        else
          issues.push({ number: issues.length + 1, state: 'open', comments: [], ...body } as IssueAtGitHub);
        return answer(201, issue ?? issues.at(-1));
      })();
    });
    github.listen(0, '127.0.0.1');
    await once(github, 'listening');
    url = `http://127.0.0.1:${(github.address() as AddressInfo).port}`;
  });

  afterAll(() => github.close());

  beforeEach(() => {
    issues = [];
    refusal = undefined;
    root = createRoot();
  });

  afterEach(() => root.remove());

  test('is opened once, updated, and closed with a comment when everything is in order', async () => {
    leaveReport([{ kind: 'held', subject: 'svc', message: 'no longer lists 2026.6' }]);
    expect((await attention()).stdout).toContain('Opened issue #1: The release index needs attention: svc');

    leaveReport([{ kind: 'stale', subject: 'edge-node', message: 'silent' }]);
    expect((await attention()).stdout).toContain('Updated issue #1');
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({
      title: 'The release index needs attention: edge-node',
      labels: ['release-index'],
      state: 'open',
    });
    expect(issues[0]!.body).toContain('Reported by https://github.example/example/index/actions/runs/7.');

    leaveReport([]);
    expect((await attention()).stdout).toContain('Closed issue #1: everything is in order again.');
    expect(issues[0]).toMatchObject({
      state: 'closed',
      comments: ['Everything is in order again as of 2026-11-20.'],
    });

    expect((await attention()).stdout).toContain('Nothing needs attention.');
  });

  test('of somebody else is never overwritten or closed', async () => {
    const theirs = { title: 'A question', body: 'How?', labels: ['release-index'], comments: [] };
    issues.push({ number: 1, state: 'open', ...theirs });

    leaveReport([{ kind: 'held', subject: 'svc', message: 'no longer lists 2026.6' }]);
    expect((await attention()).stdout).toContain('Opened issue #2');
    leaveReport([]);
    expect((await attention()).stdout).toContain('Closed issue #2');

    expect(issues[0]).toEqual({ number: 1, state: 'open', ...theirs });
  });

  test('is opened where the run left no report, or only an old one', async () => {
    expect((await attention()).status).toBe(0);
    expect(issues[0]!.body).toContain('The daily run ended without a report.');

    leaveReport([], '2026-11-19');
    await attention();
    expect(issues[0]!.state).toBe('open');
  });

  test('cannot be opened without rights, and the token is not shown', async () => {
    refusal = 403;
    const result = await attention();

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('issues answered 403. The token needs the permission "issues: write".');
    expect(result.stderr).not.toContain('secret-token');
  });

  test('is not asked for where a fork has no issues', async () => {
    refusal = 410;
    leaveReport([]);

    const result = await attention();

    expect(result.status).toBe(0);
    expect(result.stdout).toContain('Issues are disabled in this repository, so none was opened or closed.');
  });

  test('is reached through a proxy where one is set', async () => {
    const asked: string[] = [];
    github.once('connect', (request, socket) => {
      asked.push(request.url!);
      const target = connect((github.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n'),
      );
      target.pipe(socket).pipe(target);
    });
    leaveReport([]);

    const result = await attention({ GITHUB_API_URL: 'http://api.github.example', HTTP_PROXY: url });

    expect(result.stdout).toContain('Nothing needs attention.');
    expect(asked).toEqual(['api.github.example:80']);
  });

  test('needs to be told where', async () => {
    const result = await run(['attention', '--root', root.dir]);

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('GITHUB_TOKEN: is not set.');
    expect(result.stderr).toContain('GITHUB_REPOSITORY: is not set.');
  });

  function leaveReport(attention: DailyReport['attention'], asOf = today): void {
    const report: DailyReport = { verb: 'daily', asOf, news: [], components: [], isBuilt: true, attention };
    root.write('.cache/daily.json', report);
  }

  function attention(env: Record<string, string> = {}): Promise<Run> {
    return run(['attention', '--root', root.dir, '--as-of', today], {
      GITHUB_TOKEN: 'secret-token',
      GITHUB_REPOSITORY: 'example/index',
      GITHUB_API_URL: url,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_RUN_ID: '7',
      ...env,
    });
  }
});
