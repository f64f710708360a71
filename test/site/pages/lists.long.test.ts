/** Lists as tools write them, at the doors that start a browser or a shell: the words and the end of the command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { formatDay } from '../../../src/core/words.ts';
import { writeScanStep } from '../../harness/action.ts';
import { browserTest, openPage } from '../../harness/browser.ts';
import { runCli } from '../../harness/cli.ts';
import { program } from '../../harness/example.ts';
import { createFolder, openIndex } from '../../harness/index-folder.ts';
import { cases, listedSite, listsFolder } from '../../harness/listed-index.ts';
import { serveSite } from '../../harness/serve-site.ts';
import { packageFile } from '../../harness/site.ts';

async function scan(file: string) {
  const args = ['scan', join(listsFolder, file), '--out', listedSite];
  const { status, stdout } = await runCli(args);
  const [, words = ''] = /^On 2026-11-27, \d+ fail\. (.*)$/m.exec(stdout) ?? [];
  return { status, stdout, words };
}

browserTest('mine.html says of each list what scan says', async () => {
  const site = await serveSite(listedSite);
  const page = await openPage();
  await page.goto(`${site.url}mine.html`);
  for (const { file } of cases) {
    const { words } = await scan(file);
    await page.evaluate("document.querySelector('#answer').textContent = ''");
    await page.setInputFiles('[type=file]', join(listsFolder, file));
    await page.locator('#answer h2').waitFor();

    const told = await page.locator('#answer > .note').textContent();
    const spoken = words.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
    expect(told?.replaceAll('\t', String.raw`\u0009`), file).toBe(spoken);
  }
});

/** An index that has the action, beside a program that `npx` starts. */
async function createAction() {
  const site = await serveSite(listedSite);
  const index = openIndex(createFolder());
  const action = 'actions/scan/action.yml';
  const starter = join(program, 'site/starter/dot-github', action);
  index.write(`.github/${action}`, readFileSync(starter, 'utf8'));
  index.write('site/site.json', { releasesUrl: site.origin });
  index.write(`program/${packageFile}`, 'packed');
  index.write(
    'bin/npx',
    `#!/bin/sh\n[ "$1 $2" = "--yes ./${packageFile}" ] && shift 2 && exec node ${program}/src/cli.js "$@"`,
  );
  chmodSync(join(index.root, 'bin/npx'), 0o755);
  return index;
}

test('the action ends with each list as scan does, with its words, and marks errors', async () => {
  const index = await createAction();
  const PATH = [join(index.root, 'bin'), dirname(process.execPath), process.env['PATH']].join(':');
  const summary = join(index.root, 'summary.md');
  for (const { file } of cases) {
    const inputs = { file, policy: 'supported,secure' };
    const line = writeScanStep(index.root, listsFolder, inputs, summary);
    const child = spawn('bash', ['-c', line], { env: { ...process.env, PATH, NO_COLOR: '1' } });
    const [said, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);

    const printed = await scan(file);
    expect(status, file).toBe(printed.status);
    expect(said.replaceAll(/^::.*\n/gm, ''), file).toBe(printed.stdout);
    expect(readFileSync(summary, 'utf8'), file).toContain(printed.words);
    // Of what fails, and of what was not judged.
    expect(said.includes('::error '), file).toBe(status > 0);
  }
});
