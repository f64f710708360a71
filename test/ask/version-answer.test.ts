import { describe, expect, it } from 'vitest';
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

function answerOf(component: Component, version: string) {
  const latestOfReplacement = component.replacement?.version;
  return answerVersion(detailsOf(component), { version, asOf: today, latestOfReplacement });
}

describe('what to move to', () => {
  it.each([
    ['1.0', 'Move to 1.2, the latest version, with 4 releases between (2 deprecated).'],
    ['1.1', 'Move to 1.1.2, the latest of its release line, with 1 release between (1 deprecated).'],
    ['1.1.1', 'Move to 1.1.2, the latest of its release line, with no release between.'],
    ['1.1.2-rc-1', 'Move to 1.1.2, the latest of its release line, with no release between.'],
    ['1.1.2', 'No need to move: no newer release of its release line is stable and not deprecated.'],
    ['1.2', 'No need to move: no newer release of its release line is stable and not deprecated.'],
    ['1.3-rc-1', 'No need to move: no newer release is stable and not deprecated.'],
    ['1.4', 'Move back to 1.2, the latest version, with no release between.'],
  ])('from %s: %s', (version, sentence) => {
    expect(answerOf(svc, version).move).toBe(sentence);
  });

  it('is what replaces a component of which all is deprecated, or plainly nothing', () => {
    const alone = componentOf([{ version: '1.0' }], old);
    const named = componentOf([{ version: '1.0' }], { ...old, replacedBy: 'edge' });
    const replaced = {
      ...named,
      replacement: { name: 'edge', version: '3.1', changelogUrl: 'https://example.com/' },
    };

    expect(answerOf(alone, '1.0').move).toBe(
      'Nothing to move to: no stable release of svc is free of deprecation.',
    );
    expect(answerOf(named, '1.0').move).toBe('Move to edge, which takes the place of svc.');
    expect(answerOf(replaced, '1.0').move).toBe('Move to edge 3.1, which takes the place of svc.');
    expect(answerOf(alone, '1.0')).toMatchObject({
      isDeprecated: true,
      reasons: ['Nobody maintains it.'],
      releasesBetween: [],
    });
    expect(answerOf(replaced, '1.0').moveTo).toEqual({
      component: 'edge',
      version: '3.1',
    });
  });
});

describe('the answer for a program', () => {
  it('has the reasons, until when the verdict holds, and the releases between', () => {
    expect(answerOf(svc, '1.0')).toMatchObject({
      isDeprecated: true,
      reasons: ['1.0 was first released on 2024-01-01; a release line is supported for 12 months.'],
      moveTo: { component: 'svc', version: '1.2' },
      releasesBetween: [
        { version: '1.0.1', isDeprecated: true },
        { version: '1.1', isDeprecated: false },
        { version: '1.1.1', isDeprecated: true },
        { version: '1.1.2', isDeprecated: false },
      ],
    });
    expect(answerOf(svc, '1.2')).toMatchObject({
      isDeprecated: false,
      reasons: [],
      until: '2027-04-01',
      releasesBetween: [],
    });
  });

  it('tells of a version that is not listed what its release line tells', () => {
    expect(answerOf(svc, '1.0.7')).toMatchObject({
      isListed: false,
      line: '1.0',
      isSupported: false,
      moveTo: { component: 'svc', version: '1.2' },
      verdict: '1.0.7 is not listed. Its release line 1.0 left support on 2025-01-01.',
    });
    expect(versionText(answerOf(svc, '1.2.9'))).toBe(
      'Server (svc) 1.2.9 on 2026-06-30. 1.2.9 is not listed. Its release line 1.2 leaves support on 2027-04-01. No need to move: no newer release of its release line is stable and not deprecated.',
    );
  });

  it('says what is certain of an end that has no day', () => {
    const lines = componentOf([{ version: '1.0' }, { version: '1.1' }], {
      support: { policy: 'latest-lines', count: 2 },
    });

    expect(answerOf(lines, '1.0').verdict).toBe('Supported. End of support: leaves with the next line.');
    expect(answerOf(lines, '1.0.9').verdict).toBe(
      '1.0.9 is not listed. Its release line 1.0 is supported. End of support: leaves with the next line.',
    );
    expect(answerOf(lines, '1.1').verdict).toBe('Supported. No end of its support is stated.');
  });

  it('says what was meant where nothing is known', () => {
    expect(answerOf(svc, '11.1')).toMatchObject({
      isListed: false,
      releasesBetween: [],
      verdict: 'svc has no release "11.1" and no release line that it would belong to. Did you mean "1.1"?',
      move: 'The latest version is 1.2.',
    });
    expect(answerOf(svc, 'main')).not.toHaveProperty('line');
  });

  it('can be quoted', () => {
    expect(versionText(answerOf(svc, 'v1.02'))).toBe(
      'Server (svc) 1.2 on 2026-06-30: supported, the latest. Supported. Leaves support on 2027-04-01: 1.2 was first released on 2026-04-01; a release line is supported for 12 months. No need to move: no newer release of its release line is stable and not deprecated.',
    );
  });
});
