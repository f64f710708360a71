import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientKinds, connect, type ClientKind, type Door } from '../../../harness/mcp-clients.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';
import { covers } from '../../../harness/covers.ts';

let site: ServedSite;
let out: string;

beforeAll(async () => {
  out = siteOfFixtureIndex();
  site = await serveSite(out);
});

afterAll(() => site.close());

// The mode is negotiated in the same way over both, so one new and one old client suffice for the second.
const doors: Record<string, { kinds: readonly ClientKind[]; open: () => Door }> = {
  HTTP: { kinds: clientKinds, open: () => ({ url: `${site.url}mcp` }) },
  'standard input and output': { kinds: ['auto', 'old'], open: () => ({ args: [out] }) },
};

const revisions: Record<ClientKind, string> = {
  auto: '2026-07-28',
  modern: '2026-07-28',
  legacy: '2025-11-25',
  old: '2025-11-25',
};

/** A valid call of each tool, in the order of the list. */
const questions: readonly (readonly [tool: string, given: Record<string, unknown>])[] = [
  ['check_versions', { text: 'svc@2025.1, edge-node 2.0.1' }],
  ['find_releases', { query: 'component:svc isLatest' }],
  ['show_component', { component: 'svc' }],
  ['changes_since', { date: '2026-10-01' }],
  ['list_runs', {}],
];

describe.each(Object.entries(doors))('over %s', (_door, { kinds, open }) => {
  test.each(kinds)(
    'the client in the mode "%s" lists the tools and gets its answers',
    async (kind) => {
      covers(
        'MCP endpoint at /mcp through which agents reach the data',
        'POST /mcp, JSON-RPC 2.0, those headers',
      );
      const client = await connect(open(), kind);

      const listed = await client.listTools();
      const answers = await Promise.all(
        questions.map(([tool, given]) => client.callTool(tool, given)),
      );
      const wrong = await client.callTool('show_component', { component: 'nothing' });
      await expect(client.callTool('chekc_versions', {})).rejects.toThrow(
        'Did you mean "check_versions"?',
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
