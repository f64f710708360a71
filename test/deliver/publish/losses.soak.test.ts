import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Cloudflare } from '../../harness/cloudflare.ts';
import { openPublication, today, type TestPublication } from './publication.ts';
import type { TestRoot } from '../../harness/root.ts';

let publication: TestPublication;
let cloudflare: Cloudflare;
let root: TestRoot;

beforeAll(async () => {
  publication = await openPublication();
  ({ cloudflare, root } = publication);
  await publication.build();
  expect((await publication.publish()).status).toBe(0);
});

beforeEach(() => {
  publication.record('svc', '2026.1', '2026.2');
  publication.record('edge-node', '1.0', '1.1');
  cloudflare.calls.length = 0;
});

afterAll(() => publication.close());

describe('a site', () => {
  test('without a release that is live is refused, until a person accepts it', async () => {
    publication.record('svc', '2026.2');
    await publication.build();

    const refused = await publication.publish();

    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('error: svc: 2026.1: live and not in the site');
    expect(refused.stderr).toContain(
      `readers of ${cloudflare.siteUrl} would lose this. The live site stays as it is. To publish all the same: accept `,
    );
    expect(cloudflare.calls).toEqual([]);

    await publication.accept(refused);
    const accepted = await publication.publish('--dry-run');
    expect(accepted.stderr).toContain('warning: svc: 2026.1: live and not in the site. Accepted.');
    expect(accepted.status).toBe(0);
  });

  test('without a component that is live is refused', async () => {
    rmSync(join(root.dir, 'components/edge-node.json'));
    rmSync(join(root.dir, 'data/edge-node.json'));
    await publication.build();

    const result = await publication.publish();

    expect(result.status).toBe(1);
    expect(result.stderr).toContain('error: edge-node: is live with 2 releases and not in the site');
    expect(cloudflare.calls).toEqual([]);
  });

  test('of an older day is refused', async () => {
    await publication.build('--as-of', '2026-11-19');

    const result = await publication.publish('--as-of', '2026-11-19');

    expect(result.status).toBe(1);
    expect(result.stderr).toContain(`the site is of 2026-11-19, older than the live one of ${today}`);
    expect(cloudflare.calls).toEqual([]);
  });
});
