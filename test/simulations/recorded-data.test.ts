import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cutDay } from '../../src/core/model/dates.ts';
import type { RecordedData } from '../../src/core/schemas/recorded/recorded.ts';
import { fixtureIndex } from '../harness/checkout.ts';
import { openGatedIndex } from '../harness/gated-index.ts';
import { readJsonIn } from '../harness/root.ts';

const data = join(fixtureIndex, 'data');

test.each(readdirSync(data).filter((file) => file.endsWith('.json') && file !== 'held.json'))(
  'nothing of the history in %s is held when its releases come out one after the other',
  (file) => {
    const dated = readJsonIn<RecordedData>(data, file).releases.flatMap(
      ({ version, releaseTimestamp }) =>
        releaseTimestamp === undefined ? [] : [{ version, releaseTimestamp }],
    );
    const days = [...new Set(dated.map(({ releaseTimestamp }) => cutDay(releaseTimestamp)))].sort();
    const index = openGatedIndex({ sources: [{ datasource: 'npm', packageName: 'x' }] });

    const held = days.flatMap((day) => {
      const releases = dated.filter(({ releaseTimestamp }) => cutDay(releaseTimestamp) <= day);
      return index.run(day, { releases }).held;
    });

    expect(held).toEqual([]);
  },
);
