import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientKinds, connect, type ClientKind, type Door } from '../../harness/mcp-clients.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { covers } from '../../harness/covers.ts';

let site: ServedSite;
let out: string;

beforeAll(async () => {
  out = siteOfFixtureIndex();
  site = await serveSite(out);
});

afterAll(() => site.close());

const doors: Record<string, () => Door> = {
  HTTP: () => ({ url: `${site.url}mcp` }),
  'standard input and output': () => ({ args: [out] }),
};

const revisions: Record<ClientKind, string> = {
  auto: '2026-07-28',
  modern: '2026-07-28',
  legacy: '2025-11-25',
  old: '2025-11-25',
};

/** A valid call of each tool, in the order of the list. */
const questions: readonly (readonly [tool: string, given: Record<string, unknown>])[] = [
  ['list_components', {}],
  ['find_releases', { query: 'component:svc isLatest' }],
  ['latest_version', { component: 'svc' }],
  ['check_version', { component: 'svc', version: '2025.1' }],
  ['check_versions', { items: ['svc@2025.1', 'edge-node'] }],
  ['show_component', { component: 'svc' }],
  ['coming_changes', { days: 365 }],
  ['changes_since', { date: '2026-10-01' }],
  ['scan', { document: 'svc=2025.1\nleft-pad=1.0.0' }],
  ['runs', {}],
];

describe.each(Object.keys(doors))('over %s', (door) => {
  test.each(clientKinds)(
    'the client in the mode "%s" lists the tools and gets its answers',
    async (kind) => {
      covers(5, 119);
      const client = await connect(doors[door]!(), kind);

      const listed = await client.listTools();
      const answers = await Promise.all(
        questions.map(([tool, given]) => client.callTool(tool, given)),
      );
      const wrong = await client.callTool('check_version', { component: 'nothing', version: '1' });
      await expect(client.callTool('chekc_version', {})).rejects.toThrow(
        'Did you mean "check_version"?',
      );
      await client.close();

      expect(client.revision).toBe(revisions[kind]);
      expect(listed.map(({ name }) => name)).toEqual(questions.map(([tool]) => tool));
      for (const { text, content, isError } of answers) {
        expect(isError, text).toBe(false);
        expect(text).not.toBe('');
        expect(Object.keys(content!).length).toBeGreaterThan(1);
      }
      expect(wrong).toMatchObject({
        isError: true,
        text: expect.stringContaining('There is no component "nothing".') as string,
      });
    },
  );
});
