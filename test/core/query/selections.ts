import type { FieldSet } from '../../../src/core/query/field-types.ts';
import { releaseFieldSet } from '../../../src/core/query/fields.ts';
import { createSelector } from '../../../src/core/query/selection.ts';
import type { Query } from '../../../src/core/query/parse.ts';

export type Row = Readonly<Record<string, unknown>>;

export const day = '2026-11-20';

/** The fields of releases with any value, and a field of the type that no release has. */
export const fieldSet: FieldSet = {
  ...releaseFieldSet,
  fields: [
    ...releaseFieldSet.fields.map(({ allowedValues: _, ...field }) => field),
    { name: 'size', type: 'Storage size' },
  ],
};

export const rows: readonly Row[] = [
  {
    component: 'svc',
    title: 'The Server',
    datasource: ['npm', 'docker'],
    version: '1.0',
    isLatest: false,
    isSupported: true,
    releaseTimestamp: '2026-11-18T12:00:00Z',
    age: 'P1DT12H',
    label: { team: 'Blue', 'a b': 'x*y' },
    releases: 10,
    size: 1500,
  },
  {
    component: 'SVC-cli',
    title: 'Ähnlich (4)',
    version: '1.0-rc-10',
    isLatest: true,
    isSupported: false,
    releaseTimestamp: '2026-11-20',
    age: 'P0D',
    label: { Tier: 'blue' },
    releases: 2,
    size: 1024,
  },
  { component: 'agent', version: 'v2025.03', isLatest: true, supportLeft: 'P90D' },
];

/** Queries with the places of the rows that each selects. */
export const selections: readonly (readonly [query: string, selected: readonly number[]])[] = [
  // Terms and how they combine.
  ['component:svc isSupported', [0]],
  ['component:svc component:agent', []],
  ['component:svc or component:agent isLatest', [0, 2]],
  ['(component:svc or component:agent) isLatest', [2]],
  ['component:svc OR component:agent AND isLatest:false', [0]],
  ['not component:svc isLatest', [1, 2]],
  ['not (component:svc or isSupported:*)', [2]],
  ['-component:svc -component:agent', [1]],
  ['NOT not component:svc', [0]],
  ['( \tcomponent:svc\n)', [0]],
  // Texts.
  ['COMPONENT:Svc', [0]],
  ['component:svc*', [0, 1]],
  ['component:*c*i', [1]],
  ['component:s*v*c*c', []],
  ['title:ä*', [1]],
  ['title:"Ähnlich (4)"', [1]],
  ['datasource:DOCKER', [0]],
  ['svc', [0, 1]],
  ['server', [0]],
  ['"1.0"', [0, 1]],
  ['label:team=blue', [0]],
  ['label:t*=BL*', [0, 1]],
  [String.raw`label:"* b"="x\*y"`, [0]],
  ['label:team=*y', []],
  ['label:*', [0, 1]],
  // Versions, by rank: spellings of one version are equal.
  ['version:1.00', [0]],
  ['version:V01.0', [0]],
  ['version:>1.0', [2]],
  ['version:<1.0', [1]],
  ['version:>1.0-rc-2', [0, 1, 2]],
  ['version:<=1.0-rc-010', [1]],
  ['version:[1.0 to 2025.3]', [0, 2]],
  ['version:>=2025.3', [2]],
  ['version:1.*', [0, 1]],
  // Booleans.
  ['isLatest', [1, 2]],
  ['isLatest:TRUE', [1, 2]],
  ['isSupported:false', [1]],
  ['isSupported:*', [0, 1]],
  ['!isSupported', [1, 2]],
  ['!isSupported:*', [2]],
  // Days and instants.
  ['releaseTimestamp:2026-11-18', [0]],
  ['releaseTimestamp:2026-11-18T12:00', [0]],
  ['releaseTimestamp:2026-11-18T12:00:01', []],
  ['releaseTimestamp:2026-11-18T13:00:00.000+01:00', [0]],
  ['releaseTimestamp:>2026-11-18', [1]],
  ['releaseTimestamp:>=2026-11-18T12:00', [0, 1]],
  ['releaseTimestamp:<2026-11-20', [0]],
  ['releaseTimestamp:Today', [1]],
  ['releaseTimestamp:-2d', [0]],
  ['releaseTimestamp:[-1w TO today]', [0, 1]],
  ['releaseTimestamp:-36h', [0]],
  // Durations, numbers and sizes.
  ['age:36h', [0]],
  ['age:P1DT12H', [0]],
  ['age:<1d', [1]],
  ['age:[ 0d to PT36,0H ]', [0, 1]],
  ['supportLeft:>=12w6d', [2]],
  ['supportLeft:<129600m', []],
  ['releases:10', [0]],
  ['releases:>2.5', [0]],
  ['releases:[2 to 9]', [1]],
  ['size:1.5k', [0]],
  ['size:1KiB', [1]],
  ['size:<1500b', [1]],
  ['size:>=0.001m', [0, 1]],
];

/** Whether a query selects a row: an unknown value passes no test, and therefore every negated one. */
export function matches(query: Query, row: Row): boolean {
  return createSelector<Row>(query, (field) => (row) => row[field])(row);
}
