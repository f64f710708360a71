export type FieldType =
  'String' | 'Key-value' | 'Version' | 'Timestamp' | 'Duration' | 'Number' | 'Storage size' | 'Boolean';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly meaning: string;
}

const table = [
  ['component', 'String', 'name of the component'],
  ['title', 'String', 'what people call the component'],
  ['policy', 'String', 'kind of the support policy of the component'],
  ['freshness', 'String', 'live, stale, held or static, as in status.json'],
  ['datasource', 'String', 'of any source of the definition'],
  ['package', 'String', 'name of the package in any source of the definition'],
  ['label', 'Key-value', 'of the definition'],
  ['releases', 'Number', 'how many the component has'],
  ['version', 'Version', 'exactly as published'],
  ['line', 'Version', 'the release line of the version'],
  ['status', 'String', 'the verdict in a word, as in details/'],
  ['reason', 'String', 'any of the reasons for which it is deprecated'],
  ['isDeprecated', 'Boolean', 'whether one should move off it'],
  ['isPrerelease', 'Boolean', 'whether it precedes a release'],
  ['isWithdrawn', 'Boolean', 'whether upstream no longer lists it'],
  ['isLatest', 'Boolean', "whether it is the component's tags.latest"],
  ['isLatestOfLine', 'Boolean', 'the greatest stable, not deprecated version of its line'],
  [
    'isSupported',
    'Boolean',
    'true while its support runs, also where deprecated; unknown where nothing was promised',
  ],
  ['releaseTimestamp', 'Timestamp', 'when it was released'],
  ['firstSeen', 'Timestamp', 'the day it came into the index'],
  ['deprecatedSince', 'Timestamp', 'the day since which it is deprecated'],
  ['supportedUntil', 'Timestamp', 'the first day without support, by the support policy'],
  ['age', 'Duration', 'since releaseTimestamp'],
  ['supportLeft', 'Duration', 'until supportedUntil; unknown where none is stated or it is over'],
] as const satisfies readonly (readonly [name: string, type: FieldType, meaning: string])[];

/** What a query may ask of a release. */
export const fields: readonly Field[] = table.map(([name, type, meaning]) => ({ name, type, meaning }));

interface Values {
  String: string | readonly string[];
  'Key-value': Readonly<Record<string, string>>;
  Version: string;
  /** A day, or an instant in UTC. */
  Timestamp: string;
  /** As ISO 8601 writes it, such as `P90D`. */
  Duration: string;
  Number: number;
  'Storage size': number;
  Boolean: boolean;
}

/** A release as a query sees it, in the form of JSON. A field that is unknown is absent. */
export type Row = { readonly [F in (typeof table)[number] as F[0]]?: Values[F[1]] };
