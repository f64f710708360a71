import { describe, expect, it } from 'vitest';
import { describeDetails } from '../../../../src/decide/details.ts';
import { DetailsFile } from '../../../../src/core/schemas/published/details-file.ts';
import type { ReleaseFile } from '../../../../src/core/schemas/published/release-documents.ts';
import type { Component } from '../../../../src/decide/component.ts';
import {
  renderDetailsFile,
  renderReleaseFile,
} from '../../../../src/site/render/documents/releases-json.ts';
import { covers } from '../../../harness/covers.ts';
import { componentOf } from '../sites.ts';

it('the release file has no digest, and no word on what goes together', () => {
  covers(
    'Components versioned independently; the files of components state no compatibility',
    'No checksum or signature in the files',
  );
  const digests = { 'docker:example/kit': { '1.0': `sha256:${'a'.repeat(64)}` } };
  const component = componentOf([{ version: '1.0', source: 'docker:example/kit', digests }], {
    sources: [{ datasource: 'docker', packageName: 'example/kit' }],
    worksWith: { svc: [{ versions: '1.0', from: '2026.1' }] },
  });
  const { releases, ...file } = JSON.parse(renderReleaseFile(component)) as ReleaseFile;

  expect(Object.keys(file)).toEqual(['homepage', 'changelogUrl', 'tags']);
  expect(releases.map((release) => Object.keys(release))).toEqual([['version', 'isDeprecated']]);
});

it('the details of a release state what is known of it, and leave out the rest', () => {
  const component = componentOf(
    [
      { version: '1.0' },
      {
        version: '1.1-odd+CU1',
        releaseTimestamp: '2025-01-01',
        timestampKind: 'observed',
        changelogUrl: 'https://example.com/1.1?a=%22',
        source: 'npm:"a"',
        alsoListedBy: ['pypi:b', 'ü'],
        firstSeen: '2025-01-02',
        withdrawnSince: '2025-02-01',
        republished: { on: '2025-02-02', from: 'a sha256:0', to: 'a sha256:1' },
      },
      {
        version: '2.0',
        releaseTimestamp: '2026-06-01T10:00:00Z',
        source: 'npm:a',
        deprecated: 'Use <3>.',
      },
      { version: '3.0', releaseTimestamp: '2026-06-03' },
    ],
    { support: { policy: 'term', months: 6 } },
  );

  const document = DetailsFile.parse(JSON.parse(renderDetailsFile(describeDetails(component))));

  expect(document.releases).toEqual([
    {
      version: '1.0',
      line: '1.0',
    },
    {
      version: '1.1-odd+CU1',
      line: '1.1',
      releaseTimestamp: '2025-01-01T00:00:00Z',
      timestampKind: 'observed',
      changelogUrl: 'https://example.com/1.1?a=%22',
      sources: ['npm:"a"', 'pypi:b', 'ü'],
      firstSeen: '2025-01-02',
      withdrawnSince: '2025-02-01',
      reasons: [
        {
          rule: 'withdrawn',
          text: 'npm:"a" has not listed it since 2025-02-01.',
          from: '2025-02-01',
        },
      ],
      republishedOn: '2025-02-02',
    },
    {
      version: '2.0',
      line: '2.0',
      releaseTimestamp: '2026-06-01T10:00:00Z',
      sources: ['npm:a'],
      reasons: [{ rule: 'upstream', text: 'Deprecated upstream: Use <3>.' }],
    },
    {
      version: '3.0',
      line: '3.0',
      releaseTimestamp: '2026-06-03T00:00:00Z',
    },
  ]);
});

describe('a release that its source listed later than it is dated', () => {
  const entry = (notListedOn: string) => ({
    version: '1.4',
    releaseTimestamp: '2026-05-25T10:00:00Z',
    source: 'npm:a',
    notListedOn,
  });
  const timestampIn = (component: Component) =>
    (JSON.parse(renderReleaseFile(component)) as ReleaseFile).releases[0]!.releaseTimestamp;

  it('begins its waiting time when its source still lacked it, and keeps the stated day in the details', () => {
    const component = componentOf([entry('2026-06-01')], {
      support: { policy: 'term', months: 6 },
    });

    expect(timestampIn(component)).toBe('2026-06-01T00:00:00Z');
    expect(describeDetails(component).releases[0]).toMatchObject({
      releaseTimestamp: '2026-05-25T10:00:00Z',
      notListedOn: '2026-06-01',
    });
    expect(describeDetails(component).lines[0]!.supportedUntil).toBe('2026-11-25');
  });

  it('has that day in the release file, where an unknown day is absent and an observed one is like others', () => {
    covers(
      'Absent if no day is known: a made-up day would delay updates, or let them through too early. A day before the last valid answer of the source that did not list the version is replaced by the day of that answer. Only details/ marks a day that was observed.',
    );
    const observed = { releaseTimestamp: '2026-05-01', timestampKind: 'observed' as const };
    const component = componentOf([
      { version: '1.2' },
      { version: '1.3', ...observed },
      entry('2026-06-01'),
    ]);
    const { releases } = JSON.parse(renderReleaseFile(component)) as ReleaseFile;

    expect(releases).toEqual([
      { version: '1.2', isDeprecated: false },
      { version: '1.3', releaseTimestamp: '2026-05-01T00:00:00Z', isDeprecated: false },
      { version: '1.4', releaseTimestamp: '2026-06-01T00:00:00Z', isDeprecated: false },
    ]);
    expect(describeDetails(component).releases.map(({ timestampKind }) => timestampKind)).toEqual([
      undefined,
      'observed',
      undefined,
    ]);
  });

  it('never begins in the future', () => {
    expect(timestampIn(componentOf([entry('2099-06-01')]))).toBe('2026-06-30T00:00:00Z');
  });
});
