import { describe, expect, it } from 'vitest';
import { detailsOn } from '../../src/ask/as-of-day.ts';
import { answerVersion, versionText } from '../../src/ask/version-answer.ts';
import { detailsOf } from '../../src/decide/details.ts';
import type { Component } from '../../src/decide/component.ts';
import { componentOf, today } from '../site/render/sites.ts';

const recorded = [
  { version: '1.0', releaseTimestamp: '2024-01-01' },
  { version: '1.0.1', releaseTimestamp: '2024-02-01' },
  { version: '1.1', releaseTimestamp: '2026-01-01' },
  { version: '1.1.1', releaseTimestamp: '2026-02-01', deprecated: 'Broken.' },
  { version: '1.1.2-rc-1', releaseTimestamp: '2026-03-01' },
  { version: '1.1.2', releaseTimestamp: '2026-03-02' },
  { version: '1.2', releaseTimestamp: '2026-04-01' },
  { version: '1.3-rc-1', releaseTimestamp: '2026-05-01' },
  { version: '1.4', releaseTimestamp: '2026-06-01', withdrawnSince: '2026-06-02' },
];

const svc = componentOf(recorded, { prereleases: true, support: { policy: 'term', months: 12 } });
const old = { support: { policy: 'ended', reason: 'Nobody maintains it.' } } as const;

function answerOf(component: Component, version: string, asOf = today) {
  const latestOfReplacement = component.replacement?.version;
  return answerVersion(detailsOn(detailsOf(component), asOf), { version, asOf, latestOfReplacement });
}

describe('the answer in a sentence', () => {
  it.each([
    ['1.0', 'Support ended', 'Server 1.0 has been out of support since 2025-01-01; move to 1.2.'],
    ['1.1', 'Supported', 'Server 1.1 is supported until 2027-01-01; move to 1.1.2.'],
    ['1.1.1', 'Deprecated', 'Server 1.1.1 is deprecated, and supported until 2027-01-01; move to 1.1.2.'],
    ['1.1.2-rc-1', 'Supported', 'Server 1.1.2-rc-1 is supported until 2027-01-01; move to 1.1.2.'],
    ['1.1.2', 'Supported', 'Server 1.1.2 is supported until 2027-01-01; no need to move.'],
    ['1.2', 'Supported', 'Server 1.2 is supported until 2027-04-01; no need to move.'],
    [
      '1.3-rc-1',
      'Supported',
      'Server 1.3-rc-1 is supported until 2027-05-01; no newer stable version is listed.',
    ],
    ['1.4', 'Withdrawn', 'Server 1.4 was withdrawn; move back to 1.2.'],
    ['1.0.7', 'Support ended', 'Server 1.0.7 has been out of support since 2025-01-01; move to 1.2.'],
    ['1.2.9', 'Not listed', 'Server 1.2.9 is not listed; the latest of its line is 1.2.'],
    ['1.1.0', 'Supported', 'Server 1.1 is supported until 2027-01-01; move to 1.1.2.'],
    [
      '1',
      'Several lines',
      'Server 1 has 5 release lines: 1.4, 1.3, 1.2, 1.1 supported, 1.0 ended; the latest version is 1.2.',
    ],
    ['1.1.x', 'Supported', 'Server 1.1 is supported until 2027-01-01; its latest version is 1.1.2.'],
    ['2.0', 'Not released', 'Server 2.0 is not released yet; the latest version is 1.2.'],
    ['0.9', 'Unknown version', 'Server 0.9 belongs to no known release line; the latest version is 1.2.'],
    ['main', 'Unknown version', 'Server main belongs to no known release line; the latest version is 1.2.'],
  ])('on %s: %s', (version, state, sentence) => {
    expect(answerOf(svc, version)).toMatchObject({ state, sentence });
    expect(sentence.split(' ').length).toBeLessThanOrEqual(20);
  });

  it('tells everybody to move by the end of a line that ends within 90 days, and nobody before', () => {
    expect(answerOf(svc, '1.1.2', '2026-10-02')).toMatchObject({ state: 'Supported' });
    expect(answerOf(svc, '1.1.2', '2026-10-02')).not.toHaveProperty('moveTo');
    expect(answerOf(svc, '1.1.2', '2026-10-03')).toMatchObject({
      state: 'Ends soon',
      sentence: 'Server 1.1.2 is supported until 2027-01-01; move to 1.2 by then.',
      moveTo: { component: 'svc', version: '1.2' },
      moveBy: '2027-01-01',
    });
    expect(answerOf(svc, '1.2', '2026-10-03')).toMatchObject({ state: 'Supported' });
    // The newest line ends as well, and nothing follows it.
    expect(answerOf(svc, '1.2', '2027-03-01').sentence).toBe(
      'Server 1.2 is supported until 2027-04-01; no newer stable version is listed.',
    );
  });

  it('is as of the day of the question, whatever the day of the documents', () => {
    expect(answerOf(svc, '1.1.2', '2027-01-01')).toMatchObject({
      state: 'Support ended',
      status: 'deprecated',
      isSupported: false,
      isDeprecated: true,
      moveTo: { component: 'svc', version: '1.2' },
      reasons: ['1.1 was first released on 2026-01-01; a release line is supported for 12 months.'],
    });
    expect(answerOf(svc, '1.2', '2027-04-01').sentence).toBe(
      'Server 1.2 has been out of support since 2027-04-01; the index names no successor.',
    );
  });

  it('names what replaces a component, or that nothing does', () => {
    const alone = componentOf([{ version: '1.0' }], old);
    const named = componentOf([{ version: '1.0' }], { ...old, replacedBy: 'edge' });
    const replacement = { name: 'edge', version: '3.1', changelogUrl: 'https://example.com/' };

    expect(answerOf(alone, '1.0').sentence).toBe(
      'Server 1.0 is no longer supported; the index names no successor.',
    );
    expect(answerOf(named, '1.0').sentence).toBe('Server 1.0 is no longer supported; move to edge.');
    expect(answerOf({ ...named, replacement }, '1.0')).toMatchObject({
      sentence: 'Server 1.0 is no longer supported; move to edge 3.1.',
      moveTo: { component: 'edge', version: '3.1' },
      reasons: ['Nobody maintains it.'],
    });
    const alive = componentOf([{ version: '1.0', releaseTimestamp: '2026-01-01' }], { replacedBy: 'edge' });
    expect(answerOf(alive, '1.0').evidence).toContain('Server is replaced by edge.');
  });
});

describe('the evidence', () => {
  it('has the reasons, the releases between and the newest line', () => {
    const reason = '1.0 was first released on 2024-01-01; a release line is supported for 12 months.';
    expect(answerOf(svc, '1.0')).toMatchObject({
      evidence: `${reason} 1.2 is supported until 2027-04-01. 4 releases between, 2 of them deprecated.`,
      reasons: [reason],
      releasesBetween: [
        { version: '1.0.1', isDeprecated: true },
        { version: '1.1', isDeprecated: false },
        { version: '1.1.1', isDeprecated: true },
        { version: '1.1.2', isDeprecated: false },
      ],
    });
    expect(answerOf(svc, '1.1.2').evidence).toContain('The newest line is 1.2.');
    expect(answerOf(svc, '1.2.9').evidence).toContain('Its line 1.2 is supported until 2027-04-01.');
  });

  it('says what is certain of an end that has no day', () => {
    const lines = componentOf([{ version: '1.0' }, { version: '1.1' }], {
      support: { policy: 'latest-lines', count: 2 },
    });

    expect(answerOf(lines, '1.0').evidence).toBe(
      'End of support: ends with the next line. The newest line is 1.1.',
    );
    expect(answerOf(lines, '1.1')).not.toHaveProperty('evidence');
  });

  it('can be quoted with the answer', () => {
    expect(versionText(answerOf(svc, 'v1.02'))).toBe(
      'Supported. Server 1.2 is supported until 2027-04-01; no need to move. 1.2 was first released on 2026-04-01; a release line is supported for 12 months.',
    );
  });
});
