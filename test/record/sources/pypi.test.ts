import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const source = (registryUrl: string): Source => ({
  datasource: 'pypi',
  packageName: 'example-agent',
  registryUrl,
});

function project(releases: unknown, name = 'example-agent') {
  return { '/example-agent/json': json({ info: { name }, releases }) };
}

describe('pypi', () => {
  it('dates a version by its earliest file', async () => {
    const { releases } = await ask(source, {
      documents: project({
        '1.0': [
          { upload_time_iso_8601: '2026-03-26T00:00:00.000001Z' },
          { upload_time_iso_8601: '2026-03-25T23:59:59.123456Z' },
          { upload_time_iso_8601: null },
        ],
      }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: '2026-03-25T23:59:59Z' }]);
  });

  it('hands on a time that it cannot read, to be refused by its own words', async () => {
    const { releases } = await ask(source, {
      documents: project({ '1.0': [{ upload_time_iso_8601: 'yesterday' }] }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: 'yesterday' }]);
  });

  it('takes the time without a zone where a server states no other', async () => {
    const { releases } = await ask(source, {
      documents: project({ '1.0': [{ upload_time: '2026-03-25T10:20:30' }] }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: '2026-03-25T10:20:30Z' }]);
  });

  it('lists a version without files, without a day', async () => {
    const { releases } = await ask(source, { documents: project({ '1.0': [] }) });

    expect(releases).toEqual([{ version: '1.0' }]);
  });

  it('calls a version deprecated once all of its files are yanked', async () => {
    const { releases } = await ask(source, {
      documents: project({
        '1.0': [
          { yanked: true, yanked_reason: null },
          { yanked: true, yanked_reason: 'breaks Python 3.9' },
        ],
        '1.1': [{ yanked: true, yanked_reason: 'bad wheel' }, { yanked: false }],
        '1.2': [{ yanked: true, yanked_reason: null }],
      }),
    });

    expect(releases).toEqual([
      { version: '1.0', deprecated: 'breaks Python 3.9' },
      { version: '1.1' },
      { version: '1.2', deprecated: '' },
    ]);
  });

  it.each(['Example_Agent', 'EXAMPLE.AGENT', 'example--agent'])(
    'knows the project by the name %s',
    async (name) => {
      const { releases } = await ask(source, { documents: project({ '1.0': [] }, name) });

      expect(releases).toEqual([{ version: '1.0' }]);
    },
  );
});
