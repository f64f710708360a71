import { expect, test } from 'vitest';
import { computeDetailsOn, listSupportedVersions } from '../../../src/ask/answers/component-on.ts';
import { describeDetails } from '../../../src/decide/details.ts';
import { componentOf } from '../../site/render/sites.ts';

const ends = { '1.0': '2026-01-01', '1.1': '2999-01-01', '1.2': '2999-02-01' };
const releases = ['1.0.9', '1.1.0', '1.1.2', '1.1.3', '1.2.0', '1.2.1-rc.1', '1.3.0'].map(
  (version) => ({ version, releaseTimestamp: '2025-06-01' }),
);

function supportedOf(definition: Parameters<typeof componentOf>[1]): string[] {
  const component = componentOf(releases, { prereleases: true, ...definition });
  return listSupportedVersions(
    computeDetailsOn(describeDetails(component), component.judgement.day),
  );
}

test('the supported versions are the latest of each line that is certainly supported, oldest first', () => {
  const support = { policy: 'dated', lines: ends } as const;

  // Nobody states the end of 1.3, and that of 1.0 has passed.
  expect(supportedOf({ support })).toEqual(['1.1.3', '1.2.0']);
});

test('a deprecated release is not the latest of its line, and a line of such releases has none', () => {
  const support = { policy: 'dated', lines: ends } as const;
  const deprecated = [{ versions: ['1.1.3', '1.2.0'], reason: 'Broken' }];

  expect(supportedOf({ support, deprecated })).toEqual(['1.1.2']);
});

test('without a promise of support, no version is supported', () => {
  expect(supportedOf({})).toEqual([]);
});
