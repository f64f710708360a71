import { expect, test } from 'vitest';
import { openIndex } from '../../src/ask/answers/published-index.ts';
import { checkVersionsTool } from '../../src/ask/server/mcp/check-versions-tool.ts';
import { showComponentTool } from '../../src/ask/server/mcp/component-tool.ts';
import { openDocumentsIn } from '../../src/deliver/publish/index-documents.ts';
import { apiOf } from '../harness/api.ts';
import { fixtureDay as day } from '../harness/checkout.ts';
import { definition } from '../harness/root.ts';
import { rootOf, siteOf } from '../harness/site.ts';

test('every answer for programs states that the next line ends the support of a line', async () => {
  const support = { policy: 'latest-lines', count: 1 };
  const releases = [{ version: '1.0', releaseTimestamp: '2026-01-01' }];
  const out = siteOf(rootOf({ svc: { definition: definition({ support }), releases } }));
  const index = openIndex(openDocumentsIn(out), { today: () => day });
  const api = apiOf(out, index);
  const ask = async (path: string, method = 'GET') => (await api(path, { method })).text();
  const show = async (line?: string) =>
    JSON.stringify(await showComponentTool.answer({ component: 'svc', line }, { index, day }));

  const answers = {
    'the API on a component': await ask('/api/components/svc'),
    'the API on a version': await ask('/api/components/svc/releases/1.0'),
    'a scan': await ask('/packages/generic/svc/1.0/policy-scans/supported', 'POST'),
    'the tool on a component': await show(),
    'the tool on a line': await show('1.0'),
    'the tool on a version': JSON.stringify(
      await checkVersionsTool.answer({ text: 'svc 1.0' }, { index, day }),
    ),
  };

  for (const [door, answer] of Object.entries(answers)) {
    expect(answer, door).toMatch(/"undatedEnd": ?"ends with the next line"/);
  }
});
