import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../src/ask/published-index.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { writeSite } from '../../src/site/output.ts';
import { runCli } from '../harness/cli.ts';
import { judgeComponents, renderFiles, type Facts } from '../harness/components.ts';
import { createFolder } from '../harness/index-folder.ts';
import { openTools } from '../harness/mcp-client.ts';

const support = { policy: 'dated', lines: { '6.0': '2026-10-31', '7.0': '2026-12-31' } };
const monolith: Facts = {
  definition: { title: 'Monolith', support, splitInto: ['orders', 'billing'] },
  releases: { '6.0': '2024-10-31', '7.0': '2025-01-31' },
};
const parts = {
  orders: { definition: { title: 'Orders' }, releases: { '1.2': '2026-01-31' } },
  billing: { definition: { title: 'Billing' } },
};
const files = renderFiles(judgeComponents({ monolith, ...parts }));
const site = createFolder();
writeSite(site, files);

const ofAll = 'what you need of Orders 1.2 and Billing';
const advice = `It was split: move to ${ofAll} by 2026-12-31.`;
const read = (path: string) => JSON.parse(files.get(path)!);

test('a split product has no single version to move to, but all its parts', () => {
  const details = read('details/monolith.json');
  const moveToParts = [{ component: 'orders', version: '1.2' }, { component: 'billing' }];

  expect(details).toMatchObject({ splitInto: ['orders', 'billing'] });
  expect(details.lines).toMatchObject([
    { line: '6.0', moveReason: 'ended', moveToParts, advice: `It was split: move to ${ofAll}.` },
    { line: '7.0', moveReason: 'ends-soon', moveBy: '2026-12-31', moveToParts, advice },
  ]);
  expect([details.replacedBy, details.lines[1].moveTo]).toEqual([undefined, undefined]);
});

test('commands name all parts of a split product, with their releases', async () => {
  const list = join(createFolder(), 'list.txt');
  writeFileSync(list, 'monolith 7.0\nmonolith 7.0.9\n');
  const [whole, version, unlisted, scan, search] = await Promise.all(
    [
      ['explain', 'monolith'],
      ['explain', 'monolith', '7.0'],
      ['explain', 'monolith', '7.0.9'],
      ['scan', list],
      ['search', 'component:monolith'],
    ].map(async (line) => (await runCli([...line, '--out', site])).stdout),
  );

  expect(whole).toContain('\nIt was split into orders and billing.\n');
  expect(version).toContain(`\n${advice}\n`);
  expect(unlisted).toContain(`\n${advice}\n`);
  expect(scan).toMatch(/monolith 7\.0 .* orders 1\.2 or billing$/m);
  expect(scan).toMatch(/monolith 7\.0\.9 .* orders 1\.2 or billing$/m);
  expect(search).toMatch(/monolith *7\.0 .* Orders or Billing$/m);
});

test('MCP tools name all parts of a split product', async () => {
  const tools = await openTools(openIndex(openSite(site)));
  const versions = await tools.callTool('check_versions', { text: 'monolith 7.0' });
  const component = await tools.callTool('show_component', { component: 'monolith' });
  await tools.close();

  expect(versions.text).toContain(advice);
  expect(versions.content).toMatchObject({
    items: [{ moveToParts: [{ component: 'orders', version: '1.2' }, { component: 'billing' }] }],
  });
  expect(component.text).toContain('It was split into orders and billing.');
  expect(component.content).toMatchObject({ splitInto: ['orders', 'billing'] });
});

test('pages and calendars name all parts of a split product', () => {
  const ended = { ...monolith.definition, support: { policy: 'ended' } };
  const pages = renderFiles(
    judgeComponents({ monolith: { ...monolith, definition: ended }, ...parts }),
  );
  const calendar = files.get('calendars/monolith.ics')!.replaceAll('\r\n ', '');

  expect(pages.get('monolith.html')).toContain(`It was split: move to ${ofAll}.`);
  expect(pages.get('index.html')).toContain('split into Orders 1.2 and Billing');
  expect(files.get('index.html')).toContain(`Move to ${ofAll}`);
  expect(calendar).toContain(`Monolith 7.0: support until 2026-12-31. Move to ${ofAll}.`);
});

test('Renovate gets a note about all parts of a split product, but no replacement', () => {
  const preset = JSON.stringify(read('renovate.json'));

  expect(preset).toContain(
    'Split into [Orders](https://releases.example.com/orders.html) and [Billing](https://releases.example.com/billing.html).',
  );
  expect(preset).not.toContain('replacementName');
});

test('users of a split product stay in it if only its own releases are better', () => {
  const old = { ...parts.orders, definition: { support: { policy: 'ended' } } };
  const index = judgeComponents({ monolith, orders: old, billing: old });
  const { lines } = index.components.find(({ component }) => component === 'monolith')!;

  expect(lines.map((line) => line.advice)).toEqual([
    'Move to 7.0.',
    'It was split: move to what you need of The orders and The billing by 2026-12-31.',
  ]);
});
