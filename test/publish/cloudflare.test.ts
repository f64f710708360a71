import { expect, test } from 'vitest';
import { startCloudflare } from '../harness/cloudflare.ts';
import { createIndex, publicKey } from '../harness/index-folder.ts';

test('the first publication to Cloudflare serves the whole signed site', async () => {
  const cloudflare = await startCloudflare();
  const index = createIndex({ releasesUrl: cloudflare.siteUrl }, cloudflare.credentials);
  await index.run('build');

  expect(await index.run('publish')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      / files, \d+ changed, 0 gone\. Published\. \d+ files read back\.\n$/,
    ),
  });

  expect(cloudflare.live).toMatchObject({
    config: { html_handling: 'none', not_found_handling: 'none' },
    message: 'Release index as of 2026-11-20',
    headers: index.read('dist/_headers'),
    vars: { BASE_URL: cloudflare.siteUrl },
    secrets: {},
  });
  expect(cloudflare.read('svc.json')).toBe(index.read('dist/svc.json'));
  const verified = await index.run('verify', cloudflare.siteUrl, '--key', publicKey);
  expect(verified.stdout).toContain(`Signed for ${cloudflare.siteUrl}, with 12 statements`);
});
