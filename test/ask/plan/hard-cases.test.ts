import { expect, test } from 'vitest';
import { listPlanLines } from '../../../src/ask/plan/plan-words.ts';
import { findGrowth } from '../../harness/growth.ts';
import { definition } from '../../harness/root.ts';
import { replaced, stops } from './checked-plans.ts';
import { filesOf, listing, planFiles, shortSteps } from './planning.ts';

const dated = (lines: object) => ({ support: { policy: 'dated', lines } });
const endsOn = (first: string) => dated({ '1.0': first, '2.0': '2028-12-31' });
const from = (versions: string, least: string) => ({ versions, from: least });
const before = (versions: string, bound: string) => ({ versions, before: bound });

const indexes = {
  stops,
  replaced,
  mutual: filesOf({
    a: [{ worksWith: { b: [from('=9', '1.0')] } }, '1.0'],
    b: [{ worksWith: { a: [from('=9', '1.0')] } }, '1.0'],
  }),
  exploited: filesOf({
    a: [{ advisories: [{ id: 'CVE-2026-1', affected: '=1.0', fixed: ['1.1'] }] }, '1.0 1.1'],
    need: [{ worksWith: { z: [before('1', '1.1'), from('2', '1.0')] } }, '1.0 2.0'],
    z: [
      {
        advisories: [
          {
            ...{ id: 'CVE-2026-2', affected: '=1.0', fixed: ['1.1'] },
            ...{ exploitedSince: '2026-11-01', dueBy: '2026-12-24' },
          },
        ],
      },
      '1.0 1.1',
    ],
  }),
  unfixable: filesOf({
    lib: [
      {
        ...dated({ '1.0': '2026-01-01', '2.0': '2028-01-01' }),
        advisories: [
          { id: 'CVE-2026-1', affected: '<2', fixed: ['2.0'] },
          { id: 'CVE-2026-2', affected: '*' },
        ],
      },
      '1.0 2.0',
    ],
  }),
  unreachable: filesOf({
    lib: [{ advisories: [{ id: 'CVE-2026-1', affected: '=1.0', fixed: ['1.1'] }] }, '1.0 1.1'],
    plug: [{ worksWith: { lib: [before('*', '1.1')] } }, '1.0'],
  }),
  wide: filesOf({
    hub: [dated({ '1.0': '2028-01-01', '2.0': '2028-01-01' }), '1.0 2.0'],
    one: [{ worksWith: { hub: [from('*', '2.0')] } }, '1.0 1.1'],
    two: [{ worksWith: { hub: [from('1', '2.0'), from('2', '1.0')] } }, '1.0 2.0'],
  }),
  chain: filesOf({
    a: [{ ...endsOn('2026-12-01'), worksWith: { b: [from('2', '2.0')] } }, '1.0 2.0'],
    b: [{ ...endsOn('2026-12-01'), worksWith: { c: [from('2', '2.0')] } }, '1.0 2.0'],
    c: [endsOn('2028-12-31'), '1.0 2.0'],
  }),
  days: filesOf({
    d0: [endsOn('2026-12-01'), '1.0 2.0'],
    d1: [endsOn('2026-12-15'), '1.0 2.0'],
    d2: [endsOn('2027-01-10'), '1.0 2.0'],
  }),
  takeable: {
    'components/hub.json': definition({ title: 'Hub', prereleases: true }),
    'data/hub.json': {
      releases: [
        { version: '1.0' },
        { version: '1.1', withdrawnSince: '2026-01-01' },
        ...[{ version: '1.2-rc1' }, { version: '2.0' }, { version: '2.1-rc1' }],
      ],
    },
    'components/plug.json': definition({
      ...{ title: 'Plug', prereleases: true },
      worksWith: {
        hub: [
          before('1', '2.0'),
          { versions: '2', from: '2.0', testedTo: '2.0' },
          before('3.1', '2.0'),
        ],
      },
    }),
    'data/plug.json': listing('1.0', '2.0-rc1', '3.1'),
  },
  lost: filesOf({ a: [{ worksWith: { b: [from('*', '9.0')] } }, '1.0 2.0'], b: [{}, '1.0 2.0'] }),
  disputed: filesOf({
    a: [{ worksWith: { b: [from('1', '1.0')] } }, '1.0'],
    b: [{ worksWith: { a: [from('*', '2.0')] } }, '1.0'],
  }),
  soonest: filesOf({
    a: [
      { ...endsOn('2026-12-31'), worksWith: { b: [before('1', '1.0'), from('2', '1.0')] } },
      '1.0 2.0',
    ],
    b: [{ ...endsOn('2026-12-01'), worksWith: { a: [from('2', '1.0')] } }, '1.0 2.0'],
  }),
  equal: filesOf({
    a: [
      { ...endsOn('2026-12-31'), worksWith: { b: [before('2', '2.0'), from('1', '1.0')] } },
      '1.0 2.0',
    ],
    b: [endsOn('2026-12-31'), '1.0 2.0'],
  }),
  triple: filesOf({
    a: [{ ...endsOn('2026-12-31'), worksWith: { b: [from('*', '2.0')] } }, '1.0 2.0'],
    b: [endsOn('2026-12-31'), '1.0 2.0'],
    c: [
      {
        ...endsOn('2027-01-10'),
        worksWith: {
          a: [before('1', '2.0'), from('2', '2.0')],
          b: [before('1', '2.0'), from('2', '2.0')],
        },
      },
      '1.0 2.0',
    ],
  }),
  worse: filesOf({
    lib: [
      {
        ...dated({ '1.0': '2026-01-01', '2.0': '2028-01-01' }),
        advisories: [{ id: 'CVE-2026-1', affected: '>=2' }],
      },
      '1.0 2.0',
    ],
  }),
  either: filesOf({
    a: [
      { ...endsOn('2026-12-01'), worksWith: { b: [from('1', '2.0'), from('2', '1.0')] } },
      '1.0 2.0',
    ],
    b: [endsOn('2026-12-15'), '1.0 2.0'],
    c: [
      { ...endsOn('2026-12-31'), worksWith: { b: [from('1', '2.0'), from('2', '1.0')] } },
      '1.0 2.0',
    ],
    d: [
      { ...endsOn('2026-12-15'), worksWith: { b: [from('1', '2.0'), from('2', '1.0')] } },
      '1.0 2.0',
    ],
  }),
  last: filesOf({
    a: [{ worksWith: { z: [from('1', '2.0'), from('2', '1.0')] } }, '1.0 2.0'],
    b: [{ worksWith: { z: [from('1', '2.0'), from('2', '1.0')] } }, '1.0 2.0'],
    z: [dated({ '1.0': '2028-01-01', '2.0': '2028-01-01' }), '1.0 2.0'],
  }),
  fit: filesOf({
    new: [{}, '1.0 2.0 3.0 4.0'],
    old: [{ replacedBy: 'new', support: { policy: 'ended' } }, '1.0'],
    p: [{ worksWith: { new: [{ versions: '*', from: '1.0', testedTo: '3.0' }] } }, '1.0'],
    q: [{ worksWith: { new: [before('*', '3.0')] } }, '1.0'],
    r: [{ worksWith: { new: [{ versions: '*', from: '1.0', testedTo: '1.0' }] } }, '1.0'],
    z: [{}, '1.0'],
  }),
  affected: filesOf({
    new: [{ advisories: [{ id: 'CVE-2026-1', affected: '=4.0' }] }, '1.0 2.0 3.0 4.0 5.0-rc1'],
    old: [{ replacedBy: 'new', support: { policy: 'ended' } }, '1.0'],
    q: [{ worksWith: { new: [before('*', '3.0')] } }, '1.0'],
  }),
  before: filesOf({
    a: [
      {
        worksWith: {
          b: [from('1', '2.0'), from('2', '1.0')],
          c: [before('1', '2.0'), from('2', '1.0')],
        },
      },
      '1.0 2.0',
    ],
    b: [endsOn('2026-12-20'), '1.0 2.0'],
    c: [endsOn('2026-01-01'), '1.0 2.0'],
  }),
  freed: filesOf({
    a: [{ ...endsOn('2027-01-10'), worksWith: { b: [before('*', '2.0')] } }, '1.0 2.0'],
    b: [endsOn('2026-12-31'), '1.0 2.0'],
    c: [endsOn('2026-12-01'), '1.0 2.0'],
  }),
  lower: filesOf({
    new: [{}, '1.0 2.0 3.0'],
    old: [{ replacedBy: 'new', support: { policy: 'ended' } }, '5.0'],
    p: [{ worksWith: { new: [before('*', '3.0')] } }, '1.0'],
    q: [{ worksWith: { new: [from('1', '9.0'), from('2', '1.0')] } }, '1.0 2.0'],
  }),
  blocked: filesOf({
    new: [{}, '1.0 2.0'],
    old: [{ replacedBy: 'new', support: { policy: 'ended' } }, '1.0'],
    p: [{ worksWith: { new: [before('*', '0.9')] } }, '1.0'],
  }),
  stopping: filesOf({
    f: [
      {
        ...dated({ '1.0': '2026-12-01', '2.0': '2027-06-01', '3.0': '2028-12-31' }),
        upgradeStops: ['2.0'],
      },
      '1.0 2.0 3.0',
    ],
  }),
  back: filesOf({
    a: [
      dated({ '1.0': '2026-12-31', '2.0': '2028-01-01', '3.0': '2028-01-01', '4.0': '2028-01-01' }),
      '1.0 2.0 3.0 4.0',
    ],
    b: [{ worksWith: { a: [before('*', '4.0')] } }, '1.0'],
    c: [{ worksWith: { a: [before('*', '3.0')] } }, '1.0'],
  }),
};

test.each<[name: keyof typeof indexes, list: string, steps: string[], lines: string[]]>([
  [
    'either',
    'a@1.0 b@1.0',
    ['a 1.0 > 2.0 now: ends-soon (1)', 'b 1.0 > 2.0 2026-12-15: ends-soon'],
    [
      'Two things to do: one now, one by 15 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. A 1.0 is supported until 2026-12-01. Move to 2.0 now. This also resolves: A 1.0 needs B 2.0 or later.',
      '2. B 1.0 is supported until 2026-12-15. Move to 2.0 by 2026-12-15.',
    ],
  ],
  [
    'either',
    'c@1.0 b@1.0',
    ['b 1.0 > 2.0 now: ends-soon (1)', 'c 1.0 > 2.0 2026-12-31: ends-soon'],
    [
      'Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. B 1.0 is supported until 2026-12-15. Move to 2.0 now. This also resolves: C 1.0 needs B 2.0 or later.',
      '2. C 1.0 is supported until 2026-12-31. Move to 2.0 by 2026-12-31.',
    ],
  ],
  [
    'either',
    'd@1.0 b@1.0',
    ['b 1.0 > 2.0 now: ends-soon (1)', 'd 1.0 > 2.0 2026-12-15: ends-soon'],
    [
      'Two things to do: one now, one by 15 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. B 1.0 is supported until 2026-12-15. Move to 2.0 now. This also resolves: D 1.0 needs B 2.0 or later.',
      '2. D 1.0 is supported until 2026-12-15. Move to 2.0 by 2026-12-15.',
    ],
  ],
  [
    'last',
    'a@1.0 b@1.0 z@1.0',
    ['z 1.0 > 2.0 now: conflict (2)'],
    [
      'One thing to do now. Then nothing is due before 1 Jan 2028.',
      '1. Move Z 1.0 to 2.0 now. A 1.0 needs Z 2.0 or later. B 1.0 needs Z 2.0 or later.',
    ],
  ],
  [
    'fit',
    'old@1.0 p@1.0 q@1.0 z@1.0',
    ['old 1.0 > new 2.0 now: ended'],
    [
      'One thing to do now.',
      '1. OLD 1.0 is no longer supported. Move to NEW 2.0 now. The newest is 4.0. Q 1.0 needs NEW before 3.0.',
    ],
  ],
  [
    'affected',
    'old@1.0 q@1.0',
    ['old 1.0 > new 2.0 now: ended'],
    [
      'One thing to do now.',
      '1. OLD 1.0 is no longer supported. Move to NEW 2.0 now. The newest is 4.0, the recommended version is 3.0. Q 1.0 needs NEW before 3.0.',
    ],
  ],
  [
    'before',
    'a@1.0 b@1.0 c@1.0',
    ['a 1.0 > 2.0 now: conflict (1)', 'b 1.0 > 2.0 now: ends-soon', 'c 1.0 > 2.0 now: ended'],
    [
      'Three things to do now. Then nothing is due before 31 Dec 2028.',
      '1. Move A 1.0 to 2.0 now, before C moves to 2.0. A 1.0 needs B 2.0 or later.',
      '2. B 1.0 is supported until 2026-12-20. Move to 2.0 now.',
      '3. C 1.0 was supported until 2026-01-01. Move to 2.0 now.',
    ],
  ],
  [
    'freed',
    'a@1.0 b@1.0 c@1.0',
    ['c 1.0 > 2.0 2026-12-01: ends-soon', 'a 1.0 > 2.0 2027-01-10: ends-soon'],
    [
      'Two things to do: one by 1 Dec 2026, one by 10 Jan 2027. One conflict remains.',
      '1. C 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
      '2. A 1.0 is supported until 2027-01-10. Move to 2.0 by 2027-01-10.',
      'A conflict remains: B 1.0 is supported until 2026-12-31. B cannot move to 2.0: A 2.0 needs B before 2.0. Replace a; until then take b 1.0.',
    ],
  ],
  [
    'lower',
    'old@5.0 p@1.0 q@1.0',
    ['q 1.0 > 2.0 now: conflict', 'old 5.0 > new 2.0 now: ended'],
    [
      'Two things to do now.',
      '1. Move Q 1.0 to 2.0 now, before OLD moves to NEW 2.0. Q 1.0 needs NEW 9.0 or later.',
      '2. OLD 5.0 is no longer supported. Move to NEW 2.0 now. The newest is 3.0. P 1.0 needs NEW before 3.0.',
    ],
  ],
  [
    'blocked',
    'old@1.0 p@1.0',
    [],
    [
      'One conflict remains.',
      'A conflict remains: OLD 1.0 is no longer supported. OLD cannot move to NEW 2.0: P 1.0 needs NEW before 0.9. Replace new; replace p.',
    ],
  ],
  [
    'stopping',
    'f@1.0',
    ['f 1.0 > 2.0 then 3.0 2026-12-01: ends-soon'],
    [
      'One thing to do by 1 Dec 2026. Then go on to F 3.0.',
      '1. F 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01. Then go on to F 3.0.',
    ],
  ],
  [
    'stops',
    'core@1.0 agent@1.0',
    ['agent 1.0 > 2.0.1 + core 1.0 > 2.3.1 then 4.1 now: ended'],
    [
      'One thing to do now. Then go on to Core 4.1.',
      '1. Core 1.0 is no longer supported. Move Agent 1.0 to 2.0.1 and Core 1.0 to 2.3.1 together now: no order keeps them working. Agent 2.0.1 needs Core 2.0 or later, before 4.0. Agent 1.0 needs Core before 2. Then go on to Core 4.1.',
    ],
  ],
  [
    'stops',
    'agent@1.0 core@1.0 probe@1.0',
    ['agent 1.0 > 2.0.1 + core 1.0 > 2.3.1 then 4.1 + probe 1.0 > 2.0 now: ended'],
    [
      'One thing to do now. Then go on to Core 4.1. Then nothing else is due before 1 Jan 2028.',
      '1. Core 1.0 is no longer supported. Probe 1.0 is supported until 2026-12-20. Move Agent 1.0 to 2.0.1 and Core 1.0 to 2.3.1 and Probe 1.0 to 2.0 together now: no order keeps them working. Agent 2.0.1 needs Core 2.0 or later, before 4.0. Probe 1.0 needs Agent before 2.0. Agent 1.0 needs Core before 2. Probe 2.0 needs Agent 2.0 or later. Then go on to Core 4.1.',
    ],
  ],
  [
    'stops',
    'core@1.0 plug@1.0',
    [],
    [
      'One conflict remains.',
      'A conflict remains: Core 1.0 is no longer supported. Core cannot move to 2.3.1: Plug 1.0 needs Core before 2.0. Replace plug; until then take core 1.0.',
    ],
  ],
  [
    'stops',
    'core@2.3 agent@2.0',
    ['agent 2.0 > 3.0 + core 2.3 > 4.1 now: ended'],
    [
      'One thing to do now.',
      '1. Core 2.3 is no longer supported. Move Agent 2.0 to 3.0 and Core 2.3 to 4.1 together now: no order keeps them working. Agent 3.0 needs Core 4.0 or later. Agent 2.0 needs Core 2.0 or later, before 4.0.',
    ],
  ],
  [
    'stops',
    'core@4.0 agent@1.0',
    ['agent 1.0 > 3.0 now: conflict (1)', 'core 4.0 > 4.1 now: ended'],
    [
      'Two things to do now.',
      '1. Move Agent 1.0 to 3.0 now. Agent 1.0 needs Core before 2.',
      '2. Core 4.0 is no longer supported. Move to 4.1 now.',
    ],
  ],
  [
    'stops',
    'probe@1.0 agent@1.0',
    ['agent 1.0 > 3.0 + probe 1.0 > 2.0 2026-12-20: ends-soon'],
    [
      'One thing to do by 20 Dec 2026. Then nothing is due before 1 Jan 2028.',
      '1. Probe 1.0 is supported until 2026-12-20. Move Agent 1.0 to 3.0 and Probe 1.0 to 2.0 together by 2026-12-20: no order keeps them working. Probe 1.0 needs Agent before 2.0. Probe 2.0 needs Agent 2.0 or later.',
    ],
  ],
  [
    'stops',
    'core@2.0 agent@1.0 probe@1.0',
    [
      'agent 1.0 > 2.0.1 + probe 1.0 > 2.0 now: ends-soon (1)',
      'core 2.0 > 2.3.1 then 4.1 now: ended',
    ],
    [
      'Two things to do now. Then go on to Core 4.1. Then nothing else is due before 1 Jan 2028.',
      '1. Probe 1.0 is supported until 2026-12-20. Move Agent 1.0 to 2.0.1 and Probe 1.0 to 2.0 together now: no order keeps them working. Probe 1.0 needs Agent before 2.0. Probe 2.0 needs Agent 2.0 or later. This also resolves: Agent 1.0 needs Core before 2.',
      '2. Core 2.0 is no longer supported. Move to 2.3.1 now. Then go on to Core 4.1.',
    ],
  ],
  [
    'replaced',
    'lib@2.1',
    [],
    ['Library 2.1 is affected by CVE-2026-11, and there is no fix to move to yet.'],
  ],
  [
    'replaced',
    'server@3.0 node@20.0',
    ['node 20.0 > edge 1.7 2026-12-31: deprecated'],
    [
      'One thing to do by 31 Dec 2026. Then nothing is due before 1 Jun 2027.',
      '1. Node 20.0 is deprecated, and supported until 2026-12-31. Move to Edge 1.7 by 2026-12-31. The newest is 2.0. Edge 2.0 needs Server 5.0 or later.',
    ],
  ],
  [
    'replaced',
    'server@1.0 node@20.0',
    ['node 20.0 > edge 2.0 + server 1.0 > 5.0 now: ended'],
    [
      'One thing to do now. Then nothing is due before 1 Jun 2028.',
      '1. Node 20.0 is deprecated, and supported until 2026-12-31. Server 1.0 was supported until 2026-01-01. Move Node 20.0 to Edge 2.0 and Server 1.0 to 5.0 together now: no order keeps them working. Edge 2.0 needs Server 5.0 or later. Node 20.0 needs Server before 5.0.',
    ],
  ],
  [
    'replaced',
    'node@20.0 server@5.0',
    ['node 20.0 > edge 2.0 now: deprecated (1)'],
    [
      'One thing to do now. Then nothing is due before 1 Jun 2028.',
      '1. Node 20.0 is deprecated, and supported until 2026-12-31. Move to Edge 2.0 now. This also resolves: Node 20.0 needs Server before 5.0.',
    ],
  ],
  [
    'replaced',
    'node@20.0 server@4.0 tool@1.0',
    ['tool 1.0 > 2.0 now: conflict (1)', 'node 20.0 > edge 1.7 2026-12-31: deprecated'],
    [
      'Two things to do: one now, one by 31 Dec 2026. Then nothing is due before 1 Jan 2028.',
      '1. Move Tool 1.0 to 2.0 now. Tool 1.0 needs Server before 4.0.',
      '2. Node 20.0 is deprecated, and supported until 2026-12-31. Move to Edge 1.7 by 2026-12-31. The newest is 2.0. Edge 2.0 needs Server 5.0 or later.',
    ],
  ],
  [
    'replaced',
    'node@20.0 node@21.0 server@2.0',
    ['node 20.0 > edge 2.0 + node 21.0 > edge 2.0 + server 2.0 > 5.0 2026-12-31: deprecated'],
    [
      'One thing to do by 31 Dec 2026. Then nothing is due before 1 Jun 2028.',
      '1. Node 20.0 is deprecated, and supported until 2026-12-31. Node 21.0 is deprecated, and supported until 2026-12-31. Server 2.0 is supported until 2027-01-14. Move Node 20.0 to Edge 2.0 and Node 21.0 to Edge 2.0 and Server 2.0 to 5.0 together by 2026-12-31: no order keeps them working. Edge 2.0 needs Server 5.0 or later. Node 20.0 needs Server before 5.0. Node 21.0 needs Server before 5.0.',
    ],
  ],
  [
    'replaced',
    'node@20.0 tool@1.0',
    ['node 20.0 > edge 1.7 2026-12-31: deprecated'],
    [
      'One thing to do by 31 Dec 2026.',
      '1. Node 20.0 is deprecated, and supported until 2026-12-31. Move to Edge 1.7 by 2026-12-31. The newest is 2.0. Tool 1.0 needs Edge before 2.0.',
    ],
  ],
  [
    'replaced',
    'node@20.0 edge@1.0',
    ['node 20.0 > edge 2.0 2026-12-31: deprecated'],
    [
      'One thing to do by 31 Dec 2026.',
      '1. Node 20.0 is deprecated, and supported until 2026-12-31. Move to Edge 2.0 by 2026-12-31.',
    ],
  ],
  [
    'replaced',
    'server@1.0 edge@1.7 tool@1.0',
    ['server 1.0 > 5.0 + tool 1.0 > 2.0 now: ended (1)'],
    [
      'One thing to do now. Then nothing is due before 1 Jun 2028.',
      '1. Server 1.0 was supported until 2026-01-01. Move Server 1.0 to 5.0 and Tool 1.0 to 2.0 together now: no order keeps them working. Tool 1.0 needs Server before 4.0. Tool 2.0 needs Server 4.0 or later. This also resolves: Edge 1.7 needs Server 3.0 or later.',
    ],
  ],
  [
    'mutual',
    'a@1.0 b@1.0',
    [],
    ['Nothing is due. a 1.0 with b 1.0: not stated. Advisories: not known.'],
  ],
  [
    'wide',
    'hub@1.0 one@1.0 two@1.0',
    ['hub 1.0 > 2.0 now: conflict (2)'],
    [
      'One thing to do now. Then nothing is due before 1 Jan 2028.',
      '1. Move HUB 1.0 to 2.0 now. ONE 1.0 needs HUB 2.0 or later. TWO 1.0 needs HUB 2.0 or later.',
    ],
  ],
  [
    'wide',
    'hub@1.0 one@1.0',
    ['hub 1.0 > 2.0 now: conflict (1)'],
    [
      'One thing to do now. Then nothing is due before 1 Jan 2028.',
      '1. Move HUB 1.0 to 2.0 now. ONE 1.0 needs HUB 2.0 or later.',
    ],
  ],
  [
    'days',
    'd0@1.0 d1@1.0',
    ['d0 1.0 > 2.0 2026-12-01: ends-soon', 'd1 1.0 > 2.0 2026-12-15: ends-soon'],
    [
      'Two things to do: one by 1 Dec 2026, one by 15 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. D0 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
      '2. D1 1.0 is supported until 2026-12-15. Move to 2.0 by 2026-12-15.',
    ],
  ],
  [
    'days',
    'd2@1.0 d1@1.0 d0@1.0',
    [
      'd0 1.0 > 2.0 2026-12-01: ends-soon',
      'd1 1.0 > 2.0 2026-12-15: ends-soon',
      'd2 1.0 > 2.0 2027-01-10: ends-soon',
    ],
    [
      'Three things to do by 10 Jan 2027. Then nothing is due before 31 Dec 2028.',
      '1. D0 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
      '2. D1 1.0 is supported until 2026-12-15. Move to 2.0 by 2026-12-15.',
      '3. D2 1.0 is supported until 2027-01-10. Move to 2.0 by 2027-01-10.',
    ],
  ],
  [
    'days',
    'd0@1.0 d0@2.0',
    ['d0 1.0 > 2.0 2026-12-01: ends-soon'],
    [
      'One thing to do by 1 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. D0 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
    ],
  ],
  [
    'takeable',
    'hub@2.0 plug@1.0',
    [],
    [
      'One conflict remains.',
      'A conflict remains: Plug 1.0 needs Hub before 2.0. Replace plug; until then take hub 1.0.',
    ],
  ],
  [
    'takeable',
    'hub@2.0 plug@3.1',
    [],
    [
      'One conflict remains.',
      'A conflict remains: Plug 3.1 needs Hub before 2.0. Replace plug; until then take hub 1.0.',
    ],
  ],
  [
    'takeable',
    'hub@1.0 plug@2.0-rc1',
    ['hub 1.0 > 2.0 now: conflict (1)'],
    ['One thing to do now.', '1. Move Hub 1.0 to 2.0 now. Plug 2.0-rc1 needs Hub 2.0.'],
  ],
  [
    'takeable',
    'hub@1.1 plug@1.0',
    [],
    [
      'One conflict remains.',
      'A conflict remains: Hub 1.1 was withdrawn. Hub cannot move to 2.0: Plug 1.0 needs Hub before 2.0. Replace plug; until then take hub 1.0.',
    ],
  ],
  [
    'lost',
    'a@1.0 b@1.0',
    [],
    [
      'One conflict remains.',
      'A conflict remains: A 1.0 needs B 9.0 or later. Replace a; replace b.',
    ],
  ],
  [
    'disputed',
    'a@1.0 b@1.0',
    [],
    [
      'One conflict remains.',
      'A conflict remains: B 1.0 needs A 2.0 or later. But: a 1 works with b 1.0 or later. Replace a; replace b.',
    ],
  ],
  [
    'soonest',
    'a@1.0 b@1.0',
    ['a 1.0 > 2.0 now: ends-soon (1)', 'b 1.0 > 2.0 2026-12-01: ends-soon'],
    [
      'Two things to do: one now, one by 1 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. A 1.0 is supported until 2026-12-31. Move to 2.0 now. This also resolves: A 1.0 needs B before 1.0.',
      '2. B 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
    ],
  ],
  [
    'equal',
    'a@1.0 b@1.0',
    ['a 1.0 > 2.0 2026-12-31: ends-soon'],
    [
      'One thing to do by 31 Dec 2026. One conflict remains.',
      '1. A 1.0 is supported until 2026-12-31. Move to 2.0 by 2026-12-31.',
      'A conflict remains: B 1.0 is supported until 2026-12-31. B cannot move to 2.0: A 2.0 needs B before 2.0. Replace a; until then take b 1.0.',
    ],
  ],
  [
    'back',
    'a@1.0 b@1.0',
    ['a 1.0 > 3.0 2026-12-31: ends-soon'],
    [
      'One thing to do by 31 Dec 2026. Then nothing is due before 1 Jan 2028.',
      '1. A 1.0 is supported until 2026-12-31. Move to 3.0 by 2026-12-31.',
    ],
  ],
  [
    'back',
    'a@1.0 b@1.0 c@1.0',
    ['a 1.0 > 2.0 2026-12-31: ends-soon'],
    [
      'One thing to do by 31 Dec 2026. Then nothing is due before 1 Jan 2028.',
      '1. A 1.0 is supported until 2026-12-31. Move to 2.0 by 2026-12-31.',
    ],
  ],
  [
    'back',
    'a@4.0 b@1.0',
    [],
    [
      'One conflict remains. Nothing else is due before 1 Jan 2028. Advisories: not known.',
      'A conflict remains: B 1.0 needs A before 4.0. Replace b; until then take a 3.0.',
    ],
  ],
  ['back', 'a@2.0 b@1.0', [], ['Nothing is due before 1 Jan 2028. Advisories: not known.']],
  [
    'exploited',
    'a@1.0 z@1.0',
    ['z 1.0 > 1.1 2026-12-24: affected', 'a 1.0 > 1.1 now: affected'],
    [
      'Two things to do: one by 24 Dec 2026, one now.',
      '1. Exploited since 2026-11-01, fix due by 2026-12-24. No end is stated for Z 1.0. It is 1 release behind 1.1. Move to 1.1 by 2026-12-24.',
      '2. No end is stated for A 1.0. It is 1 release behind 1.1. Move to 1.1 now.',
    ],
  ],
  [
    'exploited',
    'a@1.0 need@1.0 z@1.0',
    [
      'need 1.0 > 2.0 2026-12-24: conflict',
      'z 1.0 > 1.1 2026-12-24: affected',
      'a 1.0 > 1.1 now: affected',
    ],
    [
      'Three things to do: two by 24 Dec 2026, one now.',
      '1. Move NEED 1.0 to 2.0 by 2026-12-24, before Z moves to 1.1. NEED 1.0 needs Z before 1.1.',
      '2. Exploited since 2026-11-01, fix due by 2026-12-24. No end is stated for Z 1.0. It is 1 release behind 1.1. Move to 1.1 by 2026-12-24.',
      '3. No end is stated for A 1.0. It is 1 release behind 1.1. Move to 1.1 now.',
    ],
  ],
  [
    'unreachable',
    'lib@1.0 plug@1.0',
    [],
    [
      'One conflict remains. LIB 1.0 is affected by CVE-2026-1.',
      'A conflict remains: No end is stated for LIB 1.0. It is 1 release behind 1.1. LIB cannot move to 1.1: PLUG 1.0 needs LIB before 1.1. Replace plug; until then take lib 1.0.',
    ],
  ],
  [
    'unfixable',
    'lib@1.0',
    ['lib 1.0 > 2.0 now: ended'],
    [
      'One thing to do now. LIB 2.0 is affected by CVE-2026-2, and there is no fix to move to yet. Then nothing else is due before 1 Jan 2028.',
      '1. LIB 1.0 was supported until 2026-01-01. Move to 2.0 now.',
    ],
  ],
  [
    'triple',
    'a@1.0 b@1.0 c@1.0',
    ['a 1.0 > 2.0 + b 1.0 > 2.0 + c 1.0 > 2.0 now: ends-soon (1)'],
    [
      'One thing to do now. Then nothing is due before 31 Dec 2028.',
      '1. A 1.0 is supported until 2026-12-31. B 1.0 is supported until 2026-12-31. C 1.0 is supported until 2027-01-10. Move A 1.0 to 2.0 and B 1.0 to 2.0 and C 1.0 to 2.0 together now: no order keeps them working. A 2.0 needs B 2.0 or later. C 1.0 needs A before 2.0. C 1.0 needs B before 2.0. C 2.0 needs A 2.0 or later. C 2.0 needs B 2.0 or later. This also resolves: A 1.0 needs B 2.0 or later.',
    ],
  ],
  // A move that only a later move needs says what needs it.
  [
    'chain',
    'a@1.0 b@1.0 c@1.0',
    [
      'c 1.0 > 2.0 2026-12-01: conflict',
      'b 1.0 > 2.0 2026-12-01: ends-soon',
      'a 1.0 > 2.0 2026-12-01: ends-soon',
    ],
    [
      'Three things to do by 1 Dec 2026. Then nothing is due before 31 Dec 2028.',
      '1. Move C 1.0 to 2.0 by 2026-12-01, before A moves to 2.0. B 2.0 needs C 2.0 or later.',
      '2. B 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
      '3. A 1.0 is supported until 2026-12-01. Move to 2.0 by 2026-12-01.',
    ],
  ],
  // The goal is affected, the version in use is not.
  [
    'worse',
    'lib@1.0',
    ['lib 1.0 > 2.0 now: ended'],
    [
      'One thing to do now. LIB 2.0 is affected by CVE-2026-1, and there is no fix to move to yet. Then nothing else is due before 1 Jan 2028.',
      '1. LIB 1.0 was supported until 2026-01-01. Move to 2.0 now.',
    ],
  ],
])('the index "%s": %s', async (name, list, steps, lines) => {
  const files = indexes[name];
  const plan = await planFiles(files, list);

  expect(shortSteps(plan)).toEqual(steps);
  expect([plan.text, ...listPlanLines(plan)]).toEqual(lines);

  const reversed = await planFiles(files, list.split(' ').reverse().join(' '));
  expect(shortSteps(reversed), 'the order of the list does not matter').toEqual(steps);
});

test('what a vendor last stated is said of a component itself, not of its replacement', async () => {
  const { items } = await planFiles(indexes.fit, 'old@1.0 r@1.0');

  expect(items.map(({ component, lastStated }) => [component, lastStated])).toEqual([
    ['old', undefined],
    ['r', undefined],
  ]);
});

// Work that grows with the square would take 64 times as long.
test('eight times the releases of a conflict take less than 30 times as long', async () => {
  const takeConflict = async (count: number) => {
    const versions = Array.from({ length: count }, (_, place) => `1.${place}`).join(' ');
    const index = filesOf({
      a: [
        {
          upgradeStops: ['1.3', '1.5'],
          worksWith: { b: [{ versions: '*', from: '0.1', before: '1.0' }] },
        },
        versions,
      ],
      b: [{}, versions],
    });

    const start = process.threadCpuUsage();
    const plan = await planFiles(index, 'a@1.1 b@1.1');
    expect(plan.text).toBe('One conflict remains.');
    return process.threadCpuUsage(start).user;
  };

  expect(await findGrowth(takeConflict, 500)).toBeLessThan(30);
});
