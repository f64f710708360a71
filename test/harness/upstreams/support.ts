import type { SupportSource } from '../../../src/core/schemas/support-source.ts';
import { json, type ImitatedUpstream, type Listed } from '../imitated-upstream.ts';

/** An upstream that states until when release lines are supported: one for each release that it is to list. */
export interface ImitatedSupport extends Pick<ImitatedUpstream, 'name' | 'documents'> {
  source(url: string): SupportSource;
}

/** The name of a line has at most two groups of digits. */
export function lineOf({ version }: Listed): string {
  return version === '1.10.1' ? '1.11' : version;
}

export const endOfLines = '2027-05-01';
const lastDay = '2027-04-30';

const endoflifeDate: ImitatedSupport = {
  name: 'support endoflife-date',
  source: (url) => ({ datasource: 'endoflife-date', product: 'agent', registryUrl: `${url}api/` }),
  documents(releases, { packageName = 'agent' }) {
    const cycles = releases.map((release) => ({
      name: lineOf(release),
      releaseDate: '2024-01-10',
      isLts: false,
      ltsFrom: null,
      isEol: false,
      eolFrom: lastDay,
    }));
    const result = { name: packageName, label: 'Agent', links: {}, releases: cycles };
    return new Map([['/api/v1/products/agent', json({ schema_version: '1.2.1', result })]]);
  },
};

const cle: ImitatedSupport = {
  name: 'support cle',
  source: (url) => ({ datasource: 'cle', url: `${url}cle.json` }),
  documents(releases, { packageName = 'agent' }) {
    const events = releases.map((release, index) => ({
      id: index + 1,
      type: 'endOfSupport',
      effective: `${endOfLines}T00:00:00Z`,
      published: '2026-01-01T00:00:00Z',
      versions: [{ version: lineOf(release) }],
      supportId: 'support',
    }));
    return new Map([['/cle.json', json({ identifier: `pkg:generic/${packageName}`, events })]]);
  },
};

const byJson: ImitatedSupport = {
  name: 'support json',
  source: (url) => ({
    datasource: 'json',
    url: `${url}support.json`,
    transform: '{"lines": [lines.{"line": name, "phases": {"support": end}}]}',
  }),
  documents(releases) {
    const lines = releases.map((release) => ({ name: lineOf(release), end: endOfLines }));
    return new Map([['/support.json', json({ lines })]]);
  },
};

/** Every source of release lines once. */
export const supportUpstreams: readonly ImitatedSupport[] = Object.values({
  'endoflife-date': endoflifeDate,
  cle,
  json: byJson,
} satisfies { [D in SupportSource['datasource']]: ImitatedSupport });
