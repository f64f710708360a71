import { expect, test } from 'vitest';
import { exampleDay } from '../harness/example.ts';
import { runRenovate } from './client.ts';
import { serveSite } from './site.ts';

const entities: Readonly<Record<string, string>> = { '&quot;': '"', '&#x3D;': '=', '&#x27;': "'" };

test('what pages print for a file with a version is found there', async () => {
  const site = await serveSite(undefined, exampleDay);
  const block =
    /<code(?: class="note")?>([^<]+)<\/code><\/p>\s*<div class="code-block"><pre[^>]*><code>([^]*?)<\/code>/g;
  const blocks = ['use.html', 'svc.html'].flatMap((page) =>
    Array.from(site.files.get(page)!.matchAll(block), ([, file = '', body = '']) => {
      const text = body.replaceAll(/&(?:quot|#x3D|#x27);/g, (each) => entities[each]!);
      return [`${page.replace('.html', '')}/${file}`, text] as const;
    }),
  );
  const [, config = ''] = blocks.find(([file]) => file === 'use/renovate.json')!;
  // Of the block with a checksum, the digest is a placeholder.
  const pins = blocks.filter(([, text]) => text.includes('# renovate:') && !text.includes('0f1e'));
  const files = pins.map(([file, text]) => [file, text.replace('2026.3', '2025.1')] as const);

  const { lookups } = await runRenovate(
    { ...Object.fromEntries(files), 'renovate.json': JSON.parse(config) as object },
    site.origin,
  );

  expect(files.map(([file]) => file)).toEqual([
    'use/Dockerfile',
    'svc/Dockerfile',
    'svc/.github/workflows/build.yml',
    'svc/.gitlab-ci.yml',
    'svc/install.sh',
  ]);
  for (const [file] of files) {
    const [found] = lookups.filter((each) => each.file === file && each.name === 'svc');
    expect(found, file).toMatchObject({ pin: '2025.1' });
    expect(found!.proposed.join(' '), file).toContain('2026.3');
  }
});
