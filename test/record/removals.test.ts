/**
 * Checks which of these changes the gate holds:
 * - releases are yanked
 * - releases are withdrawn, including versions that upstream listed by mistake
 * - release lines are no longer listed, or end earlier
 * - advisories report malware
 */
import type { Day } from '../../src/core/day.ts';
import { also, cut, far, junk, lost, omit, small, testDays, yank } from '../harness/gate-days.ts';
import { all, many } from '../harness/gated.ts';

const high = (count: number) => many(count, (index) => `2.12.${index}`);
const nine = omit(all, /^2\.(?:9|10\.[0-3])/);
const tenth = omit(nine, /^2\.11\.0$/);
const batch = (count: number) => [...all, ...many(count, (index) => `2.9.${10 + index}`)];
const two = [...omit(all, /^2\.9\.[12]$/), { version: '20.0' }];
const five = junk(5, '2.0');
const later = (day: Day | undefined) => ({ '2.9': day, '2.10': day, '2.11': day });
const first = { '2.8': '2029-01-01', '2.10': '2029-01-01', '2.11': '2029-01-01' };
const locked = '15 of 15 releases in use would be lost: malware by MAL-2026-1';

testDays([
  [
    'a yank takes effect while the loss of nine releases is held',
    'none',
    [all, nine, nine, yank(nine, /11\.4/), yank(nine, /11\.4/)],
    '',
    lost(9),
    `${lost(9)}, yanked 2.11.4`,
    lost(9, 14),
  ],
  [
    'a yank takes effect on the first day of a held loss',
    'none',
    [all, nine, yank(nine, /11\.4/)],
    '',
    `${lost(9)}, yanked 2.11.4`,
  ],
  [
    'a yank takes effect while three other yanks are held',
    'none',
    [all, yank(all, /2\.9\.[123]/), yank(all, /2\.9\.[123]|11\.4/)],
    lost(3),
    `${lost(3)}, yanked 2.11.4`,
  ],
  [
    'yanks that would be held by themselves join a held loss',
    'none',
    [all, nine, nine, yank(nine, /11\.[123]/)],
    '',
    lost(9),
    lost(12),
  ],
  [
    'a tenth lost release joins a held loss of nine',
    'none',
    [all, nine, tenth, yank(tenth, /11\.4/)],
    '',
    lost(9),
    `${lost(10)}, yanked 2.11.4`,
  ],
  [
    'the loss of halves of two batches is held',
    'none',
    [all, batch(10), batch(20), ...[1, 2].map(() => omit(batch(20), /^2\.9\.(?:1[0-4]|2[5-9])$/))],
    'new 10',
    'new 10',
    '',
    lost(10, 35),
  ],
  [
    'a yank is held with two withdrawals while an outlier is held',
    'none',
    [all, also('20.0'), two, yank(two, /11\.1/)],
    far('20.0'),
    far('20.0'),
    `${far('20.0')}, ${lost(3)}`,
  ],
  [
    'a yank is held if it is a loss together with two withdrawals',
    'none',
    [all, omit(all, /^2\.9\.[12]$/), yank(omit(all, /^2\.9\.[12]$/), /11\.1/)],
    '',
    lost(3),
  ],
  [
    'the rest of a held loss takes effect if enough releases return',
    'none',
    [all, nine, nine, yank(omit(all, /^2\.9\.[12]$/), /11\.4/)],
    '',
    lost(9),
    'yanked 2.11.4, withdrawn 2.9.1 2.9.2',
  ],

  [
    'the withdrawal of junk that was listed on one day takes effect',
    'none',
    [small, [...small, ...junk(60)], small, small, small],
    'new 60',
    '',
    'withdrawn 60',
    '',
  ],
  [
    'the releases of another product are withdrawn again after the right list returns',
    'none',
    [small, junk(20), junk(20), junk(20), small, small, small],
    'new 20',
    lost(15),
    lost(15),
    '',
    'withdrawn 20',
    '',
  ],
  [
    'the withdrawal of junk takes effect while the loss of nine releases is held',
    'none',
    [all, [...all, ...junk(60)], [...nine, ...junk(60)], nine, nine, nine],
    'new 60',
    '',
    lost(9),
    `${lost(9)}, withdrawn 60`,
    lost(9),
  ],
  [
    'a yank takes effect on the day on which junk is withdrawn',
    'none',
    [small, [...small, ...junk(60)], small, yank(small, /6\.4/)],
    'new 60',
    '',
    'yanked 2.6.4, withdrawn 60',
  ],
  [
    'the withdrawal of two batches is held, because only one batch can be junk',
    'none',
    [small, [...small, ...junk(30)], [...small, ...junk(30), ...junk(30, '1.0.1')], small, small],
    'new 30',
    'new 30',
    '',
    cut(60, 95),
  ],
  [
    'the withdrawal of only a part of a batch is held',
    'none',
    [five, [...five, ...junk(80)], ...[1, 2].map(() => [...five, ...junk(10)])],
    'new 80',
    '',
    lost(70, 85),
  ],
  [
    'the withdrawal of nine new releases is held, because a batch of junk has at least ten',
    'none',
    [five, [...five, ...junk(9)], five, five],
    'new 9',
    '',
    lost(9, 14),
  ],
  [
    'the withdrawal of ten releases that appeared together takes effect',
    'none',
    [five, [...five, ...junk(10)], five, five],
    'new 10',
    '',
    'withdrawn 10',
  ],
  [
    'the withdrawal of releases with which the component began is held',
    'none',
    [junk(12, '2.0'), [...junk(12, '2.0'), ...junk(3, '2.1')], ...[1, 2].map(() => junk(3, '2.1'))],
    'new 2.1.0 2.1.1 2.1.2',
    '',
    lost(12),
  ],
  [
    'the withdrawal of a batch that became the latest version is held',
    'none',
    [small, [...small, ...high(12)], small, small],
    'new 12',
    '',
    lost(12, 22),
  ],
  [
    'the withdrawal of a batch that includes the latest version is held',
    'none',
    [five, [...five, ...junk(12), { version: '2.0.5' }], five, five],
    'new 13',
    '',
    lost(13, 18),
  ],
  [
    'the loss of all patches of a week is held, because a mirror may be a week old',
    'none',
    [
      small,
      ...[2, 4, 6, 8].map((count) => [...small, ...high(count)]),
      small,
      small,
      [...small, ...high(8)],
    ],
    'new 2.12.0 2.12.1',
    'new 2.12.2 2.12.3',
    'new 2.12.4 2.12.5',
    'new 2.12.6 2.12.7',
    '',
    lost(8, 18),
    '',
  ],

  [
    'the first ends of a component take effect',
    'stated',
    [all, { list: all, ends: { '2.11': '2020-01-01' } }],
    '',
  ],
  [
    'ends of another source take effect',
    'stated',
    [
      { list: all, ends: { '2.11': '2029-01-01' } },
      { list: all, ends: { '3': '2020-01-01' }, isEdited: true },
    ],
    '3 until 2020-01-01',
  ],
  [
    'the loss of lines that their source no longer lists is held',
    'stated',
    [
      { list: all, ends: { '2.10': '2019-01-01', '2.11': '2029-01-01' } },
      { list: all, ends: { '2.10': '2019-01-01', '2.12': '2019-01-01' } },
    ],
    `${lost(5, 5)}, 2.12 until 2019-01-01`,
  ],
  [
    'an end for lines that had none is held if it is within 90 days',
    'stated',
    [
      { list: all, ends: later(undefined) },
      { list: all, ends: later('2026-04-01') },
    ],
    `${lost(15)}: ${['2.9', '2.10', '2.11'].map((line) => `${line} ends on 2026-04-01 (no end before)`).join(', ')}`,
  ],
  [
    'an earlier end is held if it is within 90 days',
    'stated',
    [
      { list: all, ends: later('2029-01-01') },
      { list: all, ends: later('2026-04-01') },
    ],
    `${lost(15)}: ${['2.9', '2.10', '2.11'].map((line) => `${line} ends on 2026-04-01, not 2029-01-01`).join(', ')}`,
  ],
  [
    'a hold freezes only the versions and lines that it names',
    'stated',
    [
      { list: all, ends: first },
      { list: omit(all, /^2\.(?:9\.[123]|8\.4)$/), ends: first },
      {
        list: omit(all, /^2\.(?:9\.[123]|8\.4)$/),
        ends: {
          '2.8': '2030-01-01',
          '2.10': '2026-04-01',
          '2.11': '2028-01-01',
          '2.12': '2031-01-01',
        },
      },
    ],
    '',
    `${lost(4, 20)}, 2.8 until 2030-01-01, 2.11 until 2028-01-01, 2.12 until 2031-01-01`,
  ],

  [
    'a quarantine of the whole package takes effect',
    'stated',
    [all, { list: all, isLocked: true }],
    'yanked 60',
  ],
  [
    'a deprecation of the whole package is held',
    'stated',
    [all, { list: all, isLocked: false }],
    lost(15),
  ],
  [
    'a malware report on three releases takes effect',
    'none',
    [
      all,
      { list: all, malware: '>=2.11.2' },
      { list: all, malware: '>=2.11.2' },
      { list: all, malware: '=9.9' },
    ],
    'malware 2.11.2 2.11.3 2.11.4',
    '',
    '',
  ],
  [
    'a malware report on a release that upstream removes on the same day takes effect',
    'none',
    [all, { list: all.slice(0, -1), malware: '=2.11.4' }],
    'malware 2.11.4',
  ],
  [
    'a malware report on all releases except one takes effect',
    'none',
    [all, { list: all, malware: '>2.0.0' }],
    'malware 59',
  ],
  [
    'a malware report on every release is held, even when a later release appears',
    'none',
    [
      all,
      { list: all, malware: '*' },
      { list: also('2.11.5'), malware: '*' },
      { list: also('2.11.5'), malware: '<=2.11.4' },
    ],
    locked,
    `${locked}, new 2.11.5`,
    locked,
  ],
]);
