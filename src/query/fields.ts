export type FieldType =
  'String' | 'Key-value' | 'Version' | 'Timestamp' | 'Duration' | 'Number' | 'Storage size' | 'Boolean';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly meaning: string;
}

/** What a query may ask of a release. */
export const fields = [
  { name: 'component', type: 'String', meaning: 'name of the component' },
  { name: 'title', type: 'String', meaning: 'what people call the component' },
  { name: 'policy', type: 'String', meaning: 'kind of the support policy of the component' },
  { name: 'freshness', type: 'String', meaning: 'live, stale, held or static, as in status.json' },
  { name: 'datasource', type: 'String', meaning: 'of any source of the definition' },
  { name: 'package', type: 'String', meaning: 'name of the package in any source of the definition' },
  { name: 'label', type: 'Key-value', meaning: 'of the definition' },
  { name: 'releases', type: 'Number', meaning: 'how many the component has' },
  { name: 'version', type: 'Version', meaning: 'exactly as published' },
  { name: 'line', type: 'Version', meaning: 'the release line of the version' },
  { name: 'status', type: 'String', meaning: 'the verdict in a word, as in details/' },
  { name: 'reason', type: 'String', meaning: 'any of the reasons for which it is deprecated' },
  { name: 'isDeprecated', type: 'Boolean', meaning: 'whether one should move off it' },
  { name: 'isPrerelease', type: 'Boolean', meaning: 'whether it precedes a release' },
  { name: 'isWithdrawn', type: 'Boolean', meaning: 'whether upstream no longer lists it' },
  { name: 'isLatest', type: 'Boolean', meaning: "whether it is the component's tags.latest" },
  {
    name: 'isLatestOfLine',
    type: 'Boolean',
    meaning: 'whether it is the greatest stable, not deprecated version of its line',
  },
  {
    name: 'isSupported',
    type: 'Boolean',
    meaning: 'whether its support runs, also where it is deprecated; unknown where no policy covers it',
  },
  { name: 'releaseTimestamp', type: 'Timestamp', meaning: 'when it was released' },
  { name: 'firstSeen', type: 'Timestamp', meaning: 'the day it came into the index' },
  { name: 'deprecatedSince', type: 'Timestamp', meaning: 'the day since which it is deprecated' },
  {
    name: 'supportedUntil',
    type: 'Timestamp',
    meaning: 'the first day without support, by the support policy',
  },
  { name: 'age', type: 'Duration', meaning: 'since releaseTimestamp' },
  {
    name: 'supportLeft',
    type: 'Duration',
    meaning: 'until supportedUntil; unknown where none is stated or it is over',
  },
] as const satisfies readonly Field[];

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
export type Row = { readonly [F in (typeof fields)[number] as F['name']]?: Values[F['type']] };
