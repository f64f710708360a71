/** Rows by what they are about, in the order in which they follow each other. */
import { expect } from 'vitest';
import { isVerb } from '../harness/printed.ts';
import { lacks } from '../harness/programs.ts';
import { atCloudflare, readers } from './others.ts';
import { anIndex, operators, theCheckout } from './own.ts';
import { origin, published, run, site, type Row } from './stage.ts';

export const scenes = {
  'this checkout': theCheckout,
  'an index of one’s own': anIndex,
  'the site of others': readers,
  'the days of an index': operators,
  'an index at Cloudflare': atCloudflare,
};

/** Runs each command, and compares what it says and how it ends. */
export async function play(rows: readonly Row[]): Promise<void> {
  for (const [printed, says, how = {}] of rows.filter(
    ([, , { needs } = {}]) => !needs || !lacks(needs),
  )) {
    await how.before?.();
    const { $: more = '', ...values } = {
      ...{ [site]: origin, '/srv/releases': published, 'edge-node': 'semver' },
      ...(typeof how.fill === 'function' ? how.fill() : how.fill),
    };
    let line = (isVerb.test(printed) ? `npx release-index ${printed}` : printed) + more;
    for (const [name, value] of Object.entries(values)) {
      line = line.replaceAll(name, value);
    }
    const { said, status } = await run(line, how.cwd?.(), how.env?.(), how.until);
    expect.soft(said, line).toMatch(says);
    if (!how.until) {
      expect.soft(status, `${line}\n${said}`).toBe(how.status ?? 0);
    }
    await how.after?.(said);
  }
}
