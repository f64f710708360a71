import { expect, it } from 'vitest';
import { listEndsAhead } from '../../../../src/decide/ends-of-support.ts';
import { drawEnds, renderSupportPicture } from '../../../../src/site/render/html/ends-ahead.ts';
import { componentOf, site, summariesOf } from '../sites.ts';

it('the phases of lines that end together are those of the newest, as they are drawn', () => {
  const lines = {
    '1.0': { active: '2026-07-15', security: '2027-01-01' },
    '2.0': { active: '2026-12-01', security: '2027-01-01' },
  };
  const component = componentOf(
    [
      { version: '1.0', releaseTimestamp: '2025-01-01' },
      { version: '2.0', releaseTimestamp: '2026-01-01' },
    ],
    { support: { policy: 'dated', lines } },
  );

  const { markup } = drawEnds(listEndsAhead(summariesOf(component), site.day), site);

  expect(markup.match(/Phases: active until <time datetime="([^"]*)/)?.[1]).toBe('2026-12-01');
});

it('the picture of ends has no character that XML excludes', () => {
  const component = componentOf([{ version: '1.0' }], {
    title: 'Ser\uFFFEver',
    support: { policy: 'dated', lines: { '1.0': '2026-12-31' } },
  });

  expect(renderSupportPicture(site, summariesOf(component))).toContain('>Server 1.0 <');
});
