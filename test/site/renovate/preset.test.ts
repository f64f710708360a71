import { expect, test } from 'vitest';
import { renderFiles, judgeComponents } from '../../harness/components.ts';

test.each([
  [undefined, '1.2.0', true],
  // The pattern only chooses tags, as `add` writes it.
  [String.raw`^(?<version>\d[\d.]*)$`, '1.2.0', true],
  // The tags are not the versions.
  ['^(?<version>.+)-alpine$', '1.2.0', false],
  ['^v(?<version>.+)$', '1.2.0', false],
  // JavaScript might run this pattern for too long.
  [String.raw`^(?<version>(?:\d+\.?)+)$`, '1.2.0', false],
])(
  'days.json gives the dates of an image with extractVersion %s and the version %s: %s',
  (extractVersion, version, expected) => {
    const source = {
      datasource: 'docker',
      packageName: 'team/api',
      registryUrl: 'https://registry.example.com',
      ...(extractVersion !== undefined && { extractVersion }),
    };
    const index = judgeComponents({
      svc: { definition: { sources: [source] }, releases: { [version]: '2026-01-01' } },
    });
    const { packageRules } = JSON.parse(renderFiles(index).get('renovate/days.json')!) as {
      packageRules: object[];
    };

    expect(packageRules).toEqual(
      expected
        ? [
            expect.objectContaining({
              matchPackageNames: ['registry.example.com/team/api'],
              matchCurrentValue: String.raw`/^\d+\.\d+\.\d+$/`,
            }),
          ]
        : [],
    );
  },
);
