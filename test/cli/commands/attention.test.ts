import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Alert } from '../../../src/run/daily/daily-report.ts';
import type { DailyReport } from '../../../src/run/daily/daily-report.ts';
import { linesOf, runCli, type Ran } from '../../harness/cli.ts';
import { makeRoot, temporaryFolder, writeIn } from '../../harness/root.ts';

const today = '2026-11-20';
const held: Alert = {
  id: '0f1e2d3c4b',
  since: '2026-11-18',
  kind: 'held',
  cause: 'npm:svc',
  components: ['svc'],
  message: 'no longer lists 2026.6',
  isDue: true,
};
const down: Alert = {
  ...held,
  id: 'aaaaaaaaaa',
  since: today,
  kind: 'stale',
  cause: 'registry.example answers 503 -->',
};

let root: string;
/** Folder of a program in place of GitHub's gh, which filters `issues.json` by jq as gh does, and keeps what it is asked to change. */
let bin: string;

beforeEach(() => {
  root = makeRoot({});
  bin = temporaryFolder();
  haveIssues([]);
  installGh(`case $2 in
  list) limit=30; [[ "$*" = *"--limit 1000"* ]] && limit=1000
    jq ".[:$limit]" ${bin}/issues.json | jq -r "\${@: -1}" ;;
  *) echo "$*" >>${bin}/calls; cat >${bin}/body; echo https://github.example/example/index/issues/8 ;;
esac`);
});

test('attention also opens an issue where the runs of the index cannot be read', async () => {
  mkdirSync(join(root, 'data/runs/2026.ndjson'), { recursive: true });
  leaveReport([held]);

  expect(await attention()).toMatchObject({
    status: 0,
    stdout: 'Opened https://github.example/example/index/issues/8\n',
  });
});

test('attention opens one issue, whose title counts, and comments what is due', async () => {
  const title = (words: string) => `--title The release index needs attention: ${words}`;
  const later = { ...held, isDue: false };
  leaveReport([held]);
  const opened = await attention();

  expect(opened.stdout).toBe('Opened https://github.example/example/index/issues/8\n');
  expect(calls()).toEqual([
    'label create release-index --force',
    `issue create ${title('1 thing')} --label release-index --body-file -`,
  ]);
  expect(body()).toMatch(
    /^### Held until you decide\n\n {4}npm:svc \(svc\): no longer lists 2026\.6\n/,
  );
  expect(body()).toContain('Reported by https://github.example/example/index/actions/runs/7.');

  await update([later, down]);
  const edit = `issue edit 8 ${title('2 things')} --body-file -`;
  expect(calls()).toEqual(['issue comment 8 --body-file -', edit]);
  expect(body()).toContain('`0f1e2d3c4b`, since 2026-11-18.');

  await update([later, { ...down, isDue: false }]);
  expect(calls()).toEqual([edit]);

  // What waits has grown: it has another id.
  await update([
    { ...held, id: 'cccccccccc' },
    { ...down, isDue: false },
  ]);
  expect(calls()).toEqual(['issue comment 8 --body-file -', edit]);

  await update([{ ...held, id: 'cccccccccc', isDue: false }]);
  expect(calls()).toEqual([`issue edit 8 ${title('1 thing')} --body-file -`]);
});

test('attention closes its issue once everything is in order, and no issue of somebody else', async () => {
  leaveReport([held]);
  await attention();
  const others = Array.from({ length: 30 }, (_, index) => ({ number: index + 10, body: 'How?' }));
  haveIssues([...others, { number: 2, body: body() }]);
  leaveReport([]);

  expect((await attention()).stdout).toBe('Closed issue #2: everything is in order again.\n');
  expect(calls()).toEqual(['issue close 2']);

  haveIssues([{ number: 1, body: 'How?' }]);
  expect((await attention()).stdout).toBe('Nothing needs attention.\n');
  expect(calls()).toEqual([]);
});

test('the text of an issue is no longer than GitHub takes, with any number of alerts', async () => {
  const alerts = Array.from({ length: 600 }, (_, index) => ({
    ...down,
    id: `${1_000_000_000 + index}`,
    cause: `svc-${index}: npm:@example/svc-${index} at https://registry.example.com/npm/`,
  }));
  leaveReport(alerts);

  expect((await attention()).status).toBe(0);
  expect(body().length).toBeLessThan(65_536);
  expect(body()).toContain('`1000000000`');
});

test.each([
  ['left no report', () => undefined],
  ['left only the report of another run', () => leaveReport([], { run: '6' })],
  [
    'without an id left only an old report',
    () => leaveReport([], { finishedAt: '2026-11-19T23:59:00Z' }),
  ],
])('attention opens an issue where the run %s', async (_, prepare) => {
  prepare();

  expect((await attention()).status).toBe(0);
  expect(body()).toContain('No daily run left a report here');
});

test('attention reads the report of a run that ended on the day before', async () => {
  leaveReport([], { run: '7', finishedAt: '2026-11-19T23:59:00Z' });

  expect((await attention()).stdout).toBe('Nothing needs attention.\n');
});

test('attention succeeds in a fork whose issues are disabled', async () => {
  installGh(`echo "the 'example/index' repository has disabled issues" >&2; exit 1`);
  leaveReport([held]);

  const { status, stdout } = await attention();

  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining(
      'Issues are disabled in this repository, so none was opened or closed.',
    ),
  ]);
});

test('attention fails with the message of gh, or where there is no gh', async () => {
  installGh('echo "HTTP 403: Resource not accessible by integration" >&2; exit 1');
  leaveReport([held]);

  expect(await attention()).toMatchObject({
    status: 1,
    stderr: 'error: gh: HTTP 403: Resource not accessible by integration\n',
  });
  installGh('printf "To get started, run:\\n\\tgh auth login\\n" >&2; exit 4');
  expect((await attention()).stderr).toBe('error: gh: To get started, run: gh auth login\n');
  expect(await attention({ PATH: temporaryFolder() })).toMatchObject({
    status: 1,
    stderr: 'error: gh: is not installed. Install it (https://cli.github.com), or use --print\n',
  });
});

test('attention --print prints the text of the issue with a link to the remedy, without gh', async () => {
  const elsewhere = { PATH: temporaryFolder() };
  leaveReport([held]);
  const printed = await attention(elsewhere, '--print');
  leaveReport([]);
  const calm = await attention(elsewhere, '--print');
  leaveReport([], { asOf: '2026-11-19', run: '6' });
  const ofYesterday = await attention({ ...elsewhere, GITHUB_RUN_ID: '7' }, '--print');

  expect(printed).toMatchObject({ status: 0, stderr: '' });
  expect(printed.stdout).toMatch(
    /^### Held until .+\n\n {4}npm:svc \(svc\): no longer lists 2026\.6\n\n`0f1e2d3c4b`, since 2026-11-18\. What to do: "Held until you decide" in `.github\/RUNBOOK\.md`\n/,
  );
  expect(calm.stdout).toBe('Nothing needs attention.\n');
  expect(ofYesterday.stdout).toBe(
    'The last run here was on 2026-11-19.\n\nNothing needs attention.\n',
  );
  expect(calls()).toEqual([]);
});

function haveIssues(issues: readonly { number: number; body: string }[]): void {
  writeFileSync(join(bin, 'issues.json'), JSON.stringify(issues));
  writeFileSync(join(bin, 'calls'), '');
}

function installGh(script: string): void {
  writeFileSync(join(bin, 'gh'), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
}

function calls(): string[] {
  return linesOf(readFileSync(join(bin, 'calls'), 'utf8'));
}

function leaveReport(attention: readonly Alert[], run: Partial<DailyReport> = {}): void {
  const report: DailyReport = {
    ...{ verb: 'daily', asOf: today, finishedAt: new Date().toISOString() },
    ...{ isBuilt: true, attention: [...attention] },
    ...run,
  };
  writeIn(root, '.cache/daily.json', report);
}

function body(): string {
  return readFileSync(join(bin, 'body'), 'utf8');
}

/** The next run, which finds the issue as the run before left it. */
async function update(alerts: readonly Alert[]): Promise<void> {
  haveIssues([{ number: 8, body: body() }]);
  leaveReport(alerts);
  await attention();
}

function attention(env: Record<string, string> = {}, ...options: string[]): Promise<Ran> {
  return runCli(['attention', '--root', root, '--as-of', today, ...options], {
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_REPOSITORY: 'example/index',
      GITHUB_RUN_ID: '7',
      ...env,
    },
  });
}
