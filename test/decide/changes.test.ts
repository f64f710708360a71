import { describe, expect, it } from 'vitest';
import { changesOf } from '../../src/decide/changes.ts';
import { componentOf } from '../site/render/sites.ts';

const term = { support: { policy: 'term', months: 12 } } as const;

describe('changes of a component', () => {
  it('tells when a release was first gathered, and nothing of one that was recorded by hand', () => {
    const component = componentOf([
      { version: '1.0', releaseTimestamp: '2026-01-01' },
      {
        version: '1.1',
        releaseTimestamp: '2026-02-01',
        firstSeen: '2026-02-03',
        changelogUrl: 'https://example.com/1.1',
      },
    ]);

    expect(changesOf(component)).toEqual([
      {
        id: 'svc/1.1/added/2026-02-03',
        on: '2026-02-03',
        component: 'svc',
        kind: 'added',
        version: '1.1',
        text: '1.1 was added to the index.',
        url: 'https://example.com/1.1',
      },
    ]);
  });

  it('tells the end of a release line once, with its releases', () => {
    const component = componentOf(
      [
        { version: '1.0', releaseTimestamp: '2025-01-10' },
        { version: '1.0.1', releaseTimestamp: '2025-03-01' },
        { version: '1.1', releaseTimestamp: '2026-03-01' },
      ],
      term,
    );

    expect(changesOf(component)).toEqual([
      {
        id: 'svc/line/1.0/deprecated/2026-01-10/support-policy',
        on: '2026-01-10',
        component: 'svc',
        kind: 'deprecated',
        line: '1.0',
        versions: ['1.0', '1.0.1'],
        text: 'Release line 1.0 left support (1.0, 1.0.1): 1.0 was first released on 2025-01-10; a release line is supported for 12 months.',
        rule: 'support policy',
        reason: '1.0 was first released on 2025-01-10; a release line is supported for 12 months.',
      },
    ]);
  });

  it('says of a release that comes after the end of its line that it is deprecated', () => {
    const component = componentOf(
      [
        { version: '1.0', releaseTimestamp: '2024-01-10' },
        { version: '1.0.9', releaseTimestamp: '2026-02-01', firstSeen: '2026-02-02' },
      ],
      term,
    );

    expect(changesOf(component)).toMatchObject([
      {
        on: '2026-02-02',
        kind: 'added',
        version: '1.0.9',
        rule: 'support policy',
        text: '1.0.9 was added to the index and is deprecated: 1.0 was first released on 2024-01-10; a release line is supported for 12 months.',
      },
      { on: '2025-01-10', kind: 'deprecated', versions: ['1.0'] },
    ]);
  });

  it('knows nothing of what lies after the day it is asked for', () => {
    const releases = [{ version: '1.0', releaseTimestamp: '2025-01-10', firstSeen: '2025-01-11' }];

    expect(changesOf(componentOf(releases, term, { day: '2026-01-09' })).map(({ kind }) => kind)).toEqual([
      'added',
    ]);
    expect(changesOf(componentOf(releases, term, { day: '2026-01-10' })).map(({ kind }) => kind)).toEqual([
      'deprecated',
      'added',
    ]);
    expect(changesOf(componentOf(releases, term, { day: '2025-01-10' }))).toEqual([]);
  });

  it('tells nothing of a verdict that nobody dated', () => {
    const releases = [{ version: '1.0', releaseTimestamp: '2025-01-10' }];

    expect(changesOf(componentOf(releases, { support: { policy: 'ended' } }))).toEqual([]);
    expect(
      changesOf(componentOf(releases, { deprecated: [{ versions: ['1.0'], reason: 'Broken' }] })),
    ).toEqual([]);
  });

  it('tells when all is deprecated and when support ends, where the definition states both', () => {
    const component = componentOf([{ version: '1.0', releaseTimestamp: '2025-01-10' }], {
      support: {
        policy: 'ended',
        deprecatedFrom: '2026-01-31',
        since: '2026-06-01',
        reason: 'Use the new one',
      },
    });

    expect(changesOf(component).map(({ on, kind, text }) => [on, kind, text])).toEqual([
      ['2026-06-01', 'deprecated', 'Release line 1.0 left support: Use the new one.'],
      ['2026-01-31', 'deprecated', 'Release line 1.0 is deprecated: Use the new one.'],
    ]);
  });

  it('tells what the definition deprecates, from its day on, with the reason and the link', () => {
    const component = componentOf([{ version: '1.0', releaseTimestamp: '2025-01-10' }], {
      deprecated: [
        { versions: ['1.0'], reason: 'Loses data', since: '2026-01-31', url: 'https://example.com/why' },
      ],
    });

    expect(changesOf(component)).toMatchObject([
      {
        on: '2026-01-31',
        rule: 'definition',
        text: '1.0 is deprecated: Loses data.',
        reason: 'Loses data',
        url: 'https://example.com/why',
      },
    ]);
  });

  it('tells a correction with the old value, the new value and why', () => {
    const component = componentOf([
      {
        version: '1.0',
        releaseTimestamp: '2026-01-03',
        corrections: [
          {
            on: '2026-02-01',
            field: 'releaseTimestamp',
            from: '2026-01-09',
            to: '2026-01-03',
            reason: 'npm:a states the day',
          },
          {
            on: '2026-02-01',
            field: 'changelogUrl',
            to: 'https://example.com/1.0',
            reason: 'npm:a names this address',
          },
        ],
      },
    ]);

    expect(changesOf(component)).toEqual([
      {
        id: 'svc/1.0/corrected/2026-02-01/changelogUrl',
        on: '2026-02-01',
        component: 'svc',
        kind: 'corrected',
        version: '1.0',
        text: '1.0: the changelog link was none and is "https://example.com/1.0" now: npm:a names this address.',
        field: 'changelogUrl',
        to: 'https://example.com/1.0',
        reason: 'npm:a names this address',
      },
      {
        id: 'svc/1.0/corrected/2026-02-01/releaseTimestamp',
        on: '2026-02-01',
        component: 'svc',
        kind: 'corrected',
        version: '1.0',
        text: '1.0: the release day was "2026-01-09" and is "2026-01-03" now: npm:a states the day.',
        field: 'releaseTimestamp',
        from: '2026-01-09',
        to: '2026-01-03',
        reason: 'npm:a states the day',
      },
    ]);
  });

  it('reads off the entry what a correction by hand does not repeat', () => {
    const field = 'releaseTimestamp';
    const component = componentOf([
      {
        version: '1.0',
        releaseTimestamp: '2026-01-03',
        corrections: [
          { on: '2026-02-01', field, from: '2026-01-09', reason: 'mistyped' },
          { on: '2026-02-02', field, from: '2026-01-08', reason: 'mistyped again' },
        ],
      },
    ]);

    expect(changesOf(component).map(({ text }) => text)).toEqual([
      '1.0: the release day was "2026-01-08" and is "2026-01-03" now: mistyped again.',
      '1.0: the release day was "2026-01-09" and is "2026-01-08" now: mistyped.',
    ]);
  });

  it('numbers two corrections of one field on one day, so that each keeps an id of its own', () => {
    const correction = { on: '2026-02-01', field: 'isPrerelease', reason: 'upstream says so' } as const;
    const component = componentOf([
      {
        version: '1.0',
        corrections: [
          { ...correction, to: 'true' },
          { ...correction, from: 'true', to: 'false' },
        ],
      },
    ]);

    expect(changesOf(component).map(({ id }) => id)).toEqual([
      'svc/1.0/corrected/2026-02-01/isPrerelease/2',
      'svc/1.0/corrected/2026-02-01/isPrerelease',
    ]);
  });

  it('tells that a release was withdrawn and that it came back', () => {
    const component = componentOf([
      {
        version: '1.0',
        source: 'npm:a',
        withdrawnSince: '2026-04-01',
        corrections: [
          { on: '2026-03-05', field: 'withdrawnSince', from: '2026-03-01', reason: 'npm:a lists it again' },
        ],
      },
    ]);

    expect(changesOf(component).map(({ on, kind, text }) => `${on} ${kind}: ${text}`)).toEqual([
      '2026-04-01 withdrawn: 1.0 was withdrawn: npm:a no longer lists it.',
      '2026-03-05 returned: 1.0 is listed again: npm:a lists it again.',
      '2026-03-01 withdrawn: 1.0 was withdrawn: npm:a no longer lists it.',
    ]);
  });

  it("tells upstream's word from the day it was first read, and when it was taken back", () => {
    const component = componentOf([
      { version: '0.9' },
      { version: '1.0', firstSeen: '2026-01-01', deprecated: 'use 2.0' },
      {
        version: '1.1',
        firstSeen: '2026-01-01',
        corrections: [
          { on: '2026-02-01', field: 'deprecated', to: 'use 2.0', reason: 'npm:a says so' },
          { on: '2026-03-01', field: 'deprecated', from: 'use 2.0', reason: 'npm:a no longer says so' },
        ],
      },
    ]);

    expect(changesOf(component).map(({ on, kind, text }) => `${on} ${kind}: ${text}`)).toEqual([
      '2026-03-01 supported: 1.1 is no longer deprecated upstream: npm:a no longer says so.',
      '2026-02-01 deprecated: 1.1 is deprecated upstream: use 2.0.',
      '2026-01-01 added: 1.1 was added to the index.',
      '2026-01-01 added: 1.0 was added to the index and is deprecated: Deprecated upstream: use 2.0.',
    ]);
  });

  it("leaves upstream's word out where the definition does", () => {
    const component = componentOf([{ version: '1.0', firstSeen: '2026-01-01', deprecated: 'use 2.0' }], {
      ignoreUpstreamDeprecation: true,
    });

    expect(changesOf(component).map(({ kind }) => kind)).toEqual(['added']);
  });

  it('lists the greatest version first among changes of one day', () => {
    const component = componentOf([
      { version: '1.0' },
      ...['1.9', '1.10', '1.2'].map((version) => ({ version, firstSeen: '2026-01-01' })),
    ]);

    expect(changesOf(component).map(({ version }) => version)).toEqual(['1.10', '1.9', '1.2']);
  });

  it('dates the end of a line that a newer one pushes out by the day the index learnt of it', () => {
    const component = componentOf(
      [
        { version: '1.0', releaseTimestamp: '2025-01-01', firstSeen: '2025-01-01' },
        { version: '2.0', releaseTimestamp: '2026-01-05', firstSeen: '2026-01-10' },
      ],
      { support: { policy: 'latest-lines', count: 1 } },
    );

    expect(changesOf(component).map(({ id }) => id)).toEqual([
      'svc/2.0/added/2026-01-10',
      'svc/line/1.0/deprecated/2026-01-10/support-policy',
      'svc/added/2025-01-01',
    ]);
  });

  it('tells that an older line is supported again, and keeps telling that it had left support', () => {
    const component = componentOf(
      [
        { version: '1.0', firstSeen: '2026-01-01', source: 'npm:a' },
        { version: '2.0', firstSeen: '2026-02-01', source: 'npm:a', withdrawnSince: '2026-03-01' },
      ],
      { support: { policy: 'latest-lines', count: 1 } },
    );

    expect(changesOf(component).map(({ on, kind, text }) => `${on} ${kind}: ${text}`)).toEqual([
      '2026-03-01 withdrawn: 2.0 was withdrawn: npm:a no longer lists it.',
      '2026-03-01 supported: Release line 1.0 is supported again: Only the newest release line is supported.',
      '2026-02-01 added: 2.0 was added to the index.',
      '2026-02-01 deprecated: Release line 1.0 left support: Only the newest one release line of this component is supported.',
      '2026-01-01 added: svc was added with 1 release: 1.0.',
    ]);
  });

  const republished = (minor: number, artifacts: readonly string[]) => ({
    version: `1.${minor}`,
    firstSeen: '2026-01-01',
    source: 'npm:a',
    corrections: artifacts.map((artifact) => ({
      on: '2026-02-01',
      field: 'digests' as const,
      from: `${artifact} sha256:${'1'.repeat(64)}`,
      to: `${artifact} sha256:${'2'.repeat(64)}`,
      reason: 'npm:a has other bytes under the same name',
    })),
  });

  it('tells once that a release was republished, with all of its artifacts', () => {
    const names = ['a.zip', 'b.zip', 'c.zip', 'd.zip', 'e.zip', 'f.zip'];

    expect(changesOf(componentOf([republished(0, names)]))[0]).toEqual({
      id: 'svc/1.0/republished/2026-02-01/digests',
      on: '2026-02-01',
      component: 'svc',
      kind: 'republished',
      version: '1.0',
      text: '1.0 was republished: npm:a has other bytes under the same name: a.zip, b.zip, c.zip, d.zip, e.zip and 1 more.',
      field: 'digests',
      reason: 'npm:a has other bytes under the same name',
    });
  });

  it('tells of many releases that were republished on one day together', () => {
    const all = Array.from({ length: 21 }, (_, minor) => republished(minor, ['a.zip']));

    expect(changesOf(componentOf(all))[0]).toMatchObject({
      kind: 'republished',
      releases: 21,
      first: '1.0',
      last: '1.20',
      text: '21 releases were republished under the same versions: from 1.0 to 1.20.',
    });
  });
});
