import { expect, test } from 'vitest';
import { Definition } from '../../src/core/schema/written.ts';
import { listLaterEnds } from '../../src/record/later-ends.ts';
import { links } from '../harness/index-folder.ts';

const url = 'https://example.com/policy';

test.each<[support: object | undefined, count: number]>([
  [{ policy: 'ended', until: '2026-11-19', url }, 0],
  [{ policy: 'ended', until: '2026-11-20', url }, 1],
  [{ policy: 'ended', until: '2026-11-21', url }, 1],
  [{ policy: 'ended', url }, 0],
  [{ policy: 'none', until: '2026-11-21' }, 0],
  [undefined, 0],
])('on 2026-11-20, the support policy %j has %i problems', (support, count) => {
  const definition = Definition.parse({ title: 'Server', ...links, sources: [], support });

  expect(listLaterEnds('svc', definition, '2026-11-20')).toHaveLength(count);
});
