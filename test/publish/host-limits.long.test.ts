import { expect, test } from 'vitest';
import { createFolder } from '../harness/index-folder.ts';
import { listReleases, openOperatedIndex } from '../harness/operated-index.ts';
import { packageFile } from '../harness/site.ts';

const mebibytes = 2 ** 20;

test('check and daily warn of a file that is too big for Cloudflare, and publish stops before sending anything', async () => {
  const index = await openOperatedIndex({ hosting: 'cloudflare' });
  index.edit('site/site.json', { releasesUrl: index.url });
  index.define('svc', listReleases(2));
  index.write(`program/${packageFile}`, 'x'.repeat(26 * mebibytes));
  index.commit();
  const said = `${packageFile} has 26 MiB; Cloudflare accepts 25 MiB per file. Publish this index at GitHub Pages or into a folder: "hosting" in site/site.json\n`;

  for (const verb of ['daily --skip-publish', 'check']) {
    expect(await index.run(verb), verb).toMatchObject({ status: 0, stderr: `warning: ${said}` });
  }
  for (const verb of ['publish --force', 'publish --force --dry-run']) {
    const ended = await index.run(verb);
    expect(ended, verb).toMatchObject({ status: 1, stdout: '', stderr: `error: ${said}` });
  }
  expect(index.read('.cache/wrangler.json')).toBe('');
  expect(await index.run(`publish --to ${createFolder()}`)).toMatchObject({ status: 0 });
});
