import { describe, expect, it } from 'vitest';
import { datasources } from '../../../src/record/sources/index.ts';
import { expectUpdated, versionsOf } from '../../harness/expectations.ts';
import { known, news, recordedOf, run, today } from '../../harness/gathering.ts';
import {
  allUpstreams,
  imitatedUpstreams,
  remoteUpstreams,
} from '../../harness/imitated-upstreams.ts';

it('each datasource has an imitation of its upstream', () => {
  expect(Object.keys(imitatedUpstreams).sort()).toEqual(
    datasources.map(({ datasource }) => datasource).sort(),
  );
});

// A definition that writes a version twice is rejected.
describe.concurrent.each(remoteUpstreams)('$name', (imitation) => {
  it('adds a version once that is listed twice', async () => {
    expectUpdated(await run(imitation, { releases: [...known, news, news, ...known] }));
  });
});

describe.concurrent.each(allUpstreams)('$name with sound answers', (imitation) => {
  it('adds a new release with the day that upstream states', async () => {
    expectUpdated(await run(imitation));
  });

  it('changes nothing when nothing is new', async () => {
    const outcome = await run(imitation, { releases: known });

    expect(outcome.releases).toEqual(outcome.before);
    expect(outcome.messages).toEqual([]);
  });

  it('dates a release without a stated day by the day it is first seen', async () => {
    const outcome = await run(imitation, { releases: [...known, { version: news.version }] });

    expect(outcome.messages).toEqual([]);
    expect(outcome.releases.at(-1)).toEqual({
      ...outcome.added,
      releaseTimestamp: today,
      timestampKind: 'observed',
      firstSeen: today,
    });
  });

  it('does not add a prerelease, nor request its day', async () => {
    const outcome = await run(imitation, {
      releases: [...known, news, { version: '3.0-rc1', at: news.at! }],
    });

    expectUpdated(outcome);
    expect(outcome.requests.filter(({ path }) => path.includes('3.0-rc1'))).toEqual([]);
  });

  it('leaves out names that are not versions, and requests nothing outside its own path', async () => {
    const names = [
      ...[
        '../../etc/passwd',
        '<script>alert(1)</script>',
        'latest',
        '__proto__',
        'constructor',
        '..',
      ],
      ...['1.0/../../../../x', '1.0?x=y', '1.0#x', '1.0%2e%2e%2f', '1.0<img src=x>', '1.0\\..\\x'],
    ];
    const outcome = await run(imitation, {
      releases: [...names.map((version) => ({ version, at: news.at! })), ...known, news],
    });

    const versions = versionsOf(outcome).filter((version) => !version.startsWith('1.0'));
    expect(versions).toEqual([...known, news].map(({ version }) => version));
    for (const { path } of outcome.requests) {
      expect(path).toMatch(new RegExp(`^${imitation.home}(?!.*/\\.\\.(/|$))`));
    }
  });
});

it.concurrent.each(allUpstreams.filter(({ digests }) => digests !== undefined))(
  '$name adds missing digests to recorded releases without a report',
  async (imitation) => {
    const outcome = await run(imitation, {
      releases: known,
      recorded: (source) => recordedOf(source),
    });

    expect(outcome.releases).toEqual(
      outcome.before.map((entry, index) => ({
        ...entry,
        digests: { [entry.source!]: imitation.digests!(known[index]!) },
      })),
    );
    expect([outcome.changes, outcome.messages]).toEqual([[], []]);
  },
);
