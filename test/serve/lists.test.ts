/**
 * Checks the verdicts on lists of packages that real tools have written. `scan` must not report success for a list that is not read
 * completely. `scan` and `check_versions` must print the same summary.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openIndex } from '../../src/ask/published-index.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { runCli } from '../harness/cli.ts';
import { cases, listedSite, listsFolder, readSummary } from '../harness/listed-index.ts';
import { openTools } from '../harness/mcp-client.ts';

const client = await openTools(openIndex(openSite(listedSite)));
afterAll(() => client.close());

/** Matches the reason why a list was not judged completely. */
const reason = /: not judged: | was not read: |, none of which was read/;

test.each(cases)(
  'scan and check_versions print the same summary of the list $file: "$counts", exit status $status',
  async ({ status, file, counts }) => {
    const path = join(listsFolder, file);
    const scan = (...options: string[]) => runCli(['scan', path, '--out', listedSite, ...options]);
    const printed = await scan();
    const words = readSummary(printed.stdout);

    expect(printed.status).toBe(status);
    expect(words).toContain(`${counts}.`);
    // If an entry fails, `scan` exits with 1. Even then, it prints why the list was not read completely.
    expect(reason.test(printed.stderr)).toBe(status === 3 || / not read\./.test(words));

    const { problems = [], entries } = JSON.parse((await scan('--json')).stdout);
    expect(entries.some(({ fails }: { fails: string[] }) => fails.length > 0)).toBe(status === 1);
    expect(problems.length > 0).toBe(reason.test(printed.stderr));

    const answer = await client.callTool('check_versions', { text: readFileSync(path, 'utf8') });
    expect(answer.text).toContain(words);
  },
);
