import { expect, test } from 'vitest';
import { drawPlan } from '../../../src/site/render/html/draw-picture.ts';
import { markup } from '../../../src/site/render/html/markup.ts';
import { drawPicture, type PictureRow } from '../../../src/site/render/html/picture.ts';
import { renderTemplate } from '../../../src/site/render/html/templates.ts';
import { fixtureTheme } from '../../harness/snippets.ts';

const day = '2026-11-20';

const rows: PictureRow[] = [
  {
    state: 'supported',
    began: { from: '2025-03-01', atMost: '2025-06-01' },
    releaseDays: ['2025-06-01', '2025-09-01'],
    phases: [
      { name: 'active', until: '2026-12-31' },
      { name: 'support', until: '2027-06-30', untilAtMost: '2027-12-31' },
    ],
  },
  { state: 'ended', began: { atMost: '2024-01-01' }, releaseDays: [], phases: [] },
];

test('an answer in the browser has the same picture as the pages of the build', () => {
  const end = { words: 'until 2027-06-30', until: '', atMost: '', isNear: false };
  const move = { component: 'svc', line: '1.0', to: '', until: '', atMost: '' };
  const row = { href: 'svc.html', title: 'Server', subject: '1.0', size: '', phaseNames: '' };
  const picture = drawPicture(
    rows.map((each) => ({ ...each, ...row, end, move })),
    day,
  );

  const onPage = renderTemplate(fixtureTheme, 'plan', picture);
  const inBrowser = drawPlan(
    {
      ...picture,
      tracks: picture.tracks.map((track) => ({ ...track, name: markup``, until: markup`` })),
    },
    'Ends of support',
  ).markup;
  const withoutWords = (html: string) =>
    html.replaceAll(
      /(<span class="(?:name|support-end)">).*?<\/span>(?=<svg|<\/li>)/g,
      '$1</span>',
    );

  expect(inBrowser).toContain('class="bar');
  expect(withoutWords(onPage)).toBe(withoutWords(inBrowser));
});
