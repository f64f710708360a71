import { expect, test } from 'vitest';
import { answerOf } from '../harness/recorded.ts';

test.each([
  ['1.0 latest stable edge', undefined, []],
  ['1.0 latest 9f2/x sha:9f2', undefined, ['skipped names that are not versions: 9f2/x, sha:9f2']],
  [
    'v1.0 latest chart-4 nightly',
    '^v(?<version>.+)$',
    ['skipped names that are not versions: chart-4'],
  ],
])(
  'skips names that are not versions, and reports skipped names that contain a digit: "%s" (%s)',
  (tags, extractVersion, notes) => {
    const answer = answerOf('a', tags.split(' '), { extractVersion });

    expect(answer.releases).toMatchObject([{ version: '1.0' }]);
    expect(answer.notes).toEqual(notes);
  },
);
