import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { createTestHarness } from 'wrangler';
import { checkout } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { findBrowser, launchBrowser } from '../../site/pages/browser.ts';
import { day, fields, rows, selections } from '../../core/query/selections.ts';

/** The same queries for every runtime, with what they select. */
const asked = JSON.stringify({ queries: selections.map(([text]) => text), rows, day, fields });
const expected = selections.map(([, selected]) => rows.map((_, place) => selected.includes(place)));

/** A module that answers all of them. */
const answering = `
  import { matches } from '${checkout}/test/core/query/selections.ts';
  import { parseQuery } from '${checkout}/src/core/query/parse.ts';
  export const answer = ({ queries, rows, day, fields }) =>
    queries.map((text) => rows.map((row) => matches(parseQuery(text, day, fields), row)));
`;

test('in the runtime of the Worker queries select what they select here', async () => {
  const folder = temporaryFolder();
  const configPath = join(folder, 'wrangler.json');
  const worker = `${answering}
    export default { fetch: async (request) => Response.json(answer(await request.json())) };`;
  writeFileSync(join(folder, 'worker.js'), worker);
  writeFileSync(
    configPath,
    JSON.stringify({ name: 'query', main: 'worker.js', compatibility_date: '2026-10-01' }),
  );
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  process.env['WRANGLER_LOG_PATH'] = join(folder, 'logs');
  const host = createTestHarness({ workers: [{ configPath }] });
  onTestFinished(async () => {
    await host.close();
  });
  await host.listen();

  const response = await host.fetch('http://query/', { method: 'POST', body: asked });

  expect(await response.json()).toEqual(expected);
});

test.skipIf(findBrowser() === undefined)(
  'in a browser, under a policy that allows no code from texts, as well',
  async () => {
    const { outputFiles } = buildSync({
      stdin: { contents: answering, resolveDir: checkout },
      bundle: true,
      format: 'esm',
      write: false,
    });
    const sources = new Map([['/answer.js', outputFiles[0]!.text]]);
    const server = createServer(({ url }, response) => {
      const source = sources.get(url!);
      response.writeHead(200, {
        'content-type': source === undefined ? 'text/html' : 'text/javascript',
        'content-security-policy': "default-src 'none'; script-src 'self'",
      });
      response.end(source ?? '<!doctype html><title>Queries</title>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await launchBrowser(findBrowser()!);
    onTestFinished(async () => {
      await browser.close();
      server.close();
    });
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

    const answers = await page.evaluate(`import('/answer.js').then(({ answer }) => answer(${asked}))`);

    expect(answers).toEqual(expected);
    expect(complaints).toEqual([]);
  },
);
