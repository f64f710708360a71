/** Checks that commands, the API and the MCP tools do not call a version certain of which the index knows too little. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openIndex } from '../../../src/ask/published-index.ts';
import { pick } from '../../../src/core/objects.ts';
import { openSite } from '../../../src/core/site-reader.ts';
import { openSiteApi } from '../../harness/api.ts';
import { runCli } from '../../harness/cli.ts';
import { doubtfulSite, doubts } from '../../harness/doubts.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { openTools } from '../../harness/mcp-client.ts';

const out = doubtfulSite;
const ask = openSiteApi(out);
const client = await openTools(openIndex(openSite(out)));
afterAll(() => client.close());

describe.each(doubts)('about $text', ({ text, path, words, facts, exit }) => {
  test('explain, search and scan print the doubt', async () => {
    const list = join(createFolder(), 'list.txt');
    writeFileSync(list, text);
    const run = (...words: string[]) => runCli([...words, '--out', out]);

    expect((await run('explain', text)).stdout).toContain(words);
    expect((await run('search', text)).stdout).toContain(words);
    const { status, stdout } = await run('scan', list, '--policy', 'supported');
    expect(status).toBe(exit);
    expect(stdout).not.toContain('No action is needed');
    expect(stdout.includes('A distribution')).toBe(words.startsWith('A distribution'));
  });

  test('the API and the MCP tool give the doubt as data', async () => {
    const response = await ask(`/api/components/${path}`);
    const answer = await client.callTool('check_versions', { text });

    const verdict = (await response.json()) as Record<string, unknown>;
    expect(pick(verdict, Object.keys(facts))).toEqual(facts);
    expect(answer.text).toContain(words);
  });
});
