import { describe, expect, it } from 'vitest';
import { explainRelease } from '../../src/answers/explanation.ts';
import { answerVersion, movable } from '../../src/answers/version-answer.ts';
import { renderDetailsFile } from '../../src/render/details-json.ts';
import type { DetailsFile } from '../../src/model/published/details-file.ts';
import type { Component } from '../../src/policy/component.ts';
import { componentOf, today } from '../render/sites.ts';

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

function releaseOf({ judgement }: Component, version: string) {
  return judgement.releases.find((release) => release.version === version)!;
}

function lastLineOf(component: Component, version: string): string {
  return explainRelease(component, releaseOf(component, version), today).at(-1)!;
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
    expect(lastLineOf(svc, version)).toBe(sentence);
  });

  it('is what replaces a component of which all is deprecated, or plainly nothing', () => {
    const alone = componentOf([{ version: '1.0' }], old);
    const named = componentOf([{ version: '1.0' }], { ...old, replacedBy: 'edge' });
    const replaced = {
      ...named,
      replacement: { name: 'edge', version: '3.1', changelogUrl: 'https://example.com/' },
    };

    expect(lastLineOf(alone, '1.0')).toBe(
      'Nothing to move to: no stable release of svc is free of deprecation.',
    );
    expect(lastLineOf(named, '1.0')).toBe('Move to edge, which takes the place of svc.');
    expect(lastLineOf(replaced, '1.0')).toBe('Move to edge 3.1, which takes the place of svc.');
    expect(answerVersion(movable(alone), releaseOf(alone, '1.0'))).toEqual({
      isDeprecated: true,
      reasons: ['Nobody maintains it.'],
      releasesBetween: [],
    });
    expect(answerVersion(movable(replaced), releaseOf(replaced, '1.0')).moveTo).toEqual({
      component: 'edge',
      version: '3.1',
    });
  });
});

describe('the answer for a program', () => {
  it('has the reasons, until when the verdict holds, and the releases between', () => {
    expect(answerVersion(movable(svc), releaseOf(svc, '1.0'))).toEqual({
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
    expect(answerVersion(movable(svc), releaseOf(svc, '1.2'))).toEqual({
      isDeprecated: false,
      reasons: [],
      until: '2027-04-01',
      releasesBetween: [],
    });
  });

  it('is the same from the published details', () => {
    const { component, releases } = JSON.parse(renderDetailsFile(svc)) as DetailsFile;
    const answers = releases.map((release) => answerVersion({ name: component, releases }, release));

    expect(answers).toEqual(svc.judgement.releases.map((release) => answerVersion(movable(svc), release)));
  });
});
