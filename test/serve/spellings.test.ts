/** Checks that every endpoint finds the same component, version and verdict for all spellings that people and tools use. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { openIndex } from '../../src/ask/published-index.ts';
import type { SearchRow } from '../../src/ask/query/search.ts';
import type { PolicyScan } from '../../src/ask/scan.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { openSiteApi } from '../harness/api.ts';
import { runCli } from '../harness/cli.ts';
import { createFolder } from '../harness/index-folder.ts';
import { openTools } from '../harness/mcp-client.ts';
import {
  compareSpellings,
  readObstacle,
  spelledSite,
  summarise,
  type Answer,
  type AnswerFields,
} from '../harness/spellings.ts';

const ask = openSiteApi(spelledSite);

async function runJson<T>(...words: string[]): Promise<T> {
  const { stdout } = await runCli([...words, '--json', '--out', spelledSite]);
  return JSON.parse(stdout) as T;
}

async function explain(...words: string[]): Promise<string> {
  const answer = await runJson<AnswerFields & { problems?: { message: string }[] }>(
    'explain',
    ...words,
  );
  const [problem] = answer.problems ?? [];
  return problem ? readObstacle(problem.message) : summarise(answer, answer.sentence!);
}

function describeScan({ details }: PolicyScan): string {
  const { component, version, reason } = details;
  const isJudged = component !== undefined && !/not a version|no version/i.test(reason);
  return isJudged
    ? summarise({ component, version } as AnswerFields, reason)
    : readObstacle(reason);
}

const endpoints: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
  explain: () => (spelling) => explain(spelling.text),
  'explain with a separate version':
    () =>
    ({ name, version, rest }) =>
      explain(name.startsWith('pkg:') ? name + rest : name, version),
  scan() {
    const file = join(createFolder(), 'list');
    return async ({ text }) => {
      writeFileSync(file, text);
      const { results } = await runJson<{ results: PolicyScan[] }>(
        'scan',
        file,
        '--policy',
        'supported',
      );
      return [...new Set(results.map(describeScan))].join();
    };
  },
  search:
    () =>
    async ({ text }) => {
      const answer = await runJson<{ releases?: SearchRow[]; notes?: string[] }>('search', text);
      const [row] = answer.releases ?? [];
      if (row) {
        // A query for v4.1 also selects v4.1.7.
        return `${row.component} ${row.version}`;
      }

      const [note = ''] = answer.notes ?? [];
      const [, component, version] = /^The (\w+) (\S+) is not listed/.exec(note) ?? [];
      return component === undefined ? 'nothing' : `${component} ${version}`;
    },
  'the API of releases':
    () =>
    async ({ name, version, rest }) => {
      const named = name.startsWith('pkg:') ? name + rest : name;
      const path = [named, version].map(encodeURIComponent).join('/releases/');
      const answer = await ask(`/api/components/${path}`);
      const body = (await answer.json()) as AnswerFields & { detail?: string };
      return body.detail === undefined
        ? summarise(body, body.sentence!)
        : readObstacle(body.detail);
    },
  'the API of policy scans':
    () =>
    async ({ name, version }) => {
      const [, type = '', path = ''] = /^pkg:([^/]+)\/(.+)$/.exec(name) ?? [];
      if (type === '' || type === 'oci') {
        return undefined;
      }

      const parts = path.split('/').map(decodeURIComponent);
      const segments = [parts.slice(0, -1).join('/'), parts.at(-1)!, version];
      const place = [type, ...segments.filter(Boolean).map(encodeURIComponent)].join('/');
      const answer = await ask(`/packages/${place}/policy-scans/supported`, { method: 'POST' });
      const [result] = (await answer.json()) as PolicyScan[];
      return describeScan(result!);
    },
  async check_versions() {
    const client = await openTools(openIndex(openSite(spelledSite)));
    onTestFinished(() => client.close());
    return async ({ text: list }) => {
      const { text, content } = await client.callTool('check_versions', { text: list });
      const { items } = content as { items: AnswerFields[] };
      return items[0] ? summarise(items[0], text) : readObstacle(text);
    };
  },
};

test.each(Object.entries(endpoints))(
  '%s finds the version that each spelling names',
  async (name, open) => {
    await compareSpellings(await open(), name === 'search' ? 'nothing' : undefined);
  },
);
