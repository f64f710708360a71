import type { RecordedLine } from '../../src/core/schemas/recorded.ts';
import { gather, known, testHttp, today, type Behaviour } from './gathering.ts';
import { serve, startUpstream } from './upstream.ts';
import { endOfLines, lineOf, type ImitatedSupport } from './upstreams/support.ts';

type Stating = Pick<Behaviour, 'releases' | 'packageName' | 'handler' | 'url' | 'freshness' | 'http'> & {
  lines?: readonly RecordedLine[];
  day?: string;
};

export type StatedOutcome = Awaited<ReturnType<typeof runSupport>>;

/** Gathers the release lines of `svc`, one for each known release, from a source that behaves as told. */
export async function runSupport(imitation: ImitatedSupport, behaviour: Stating = {}) {
  const { releases = known, handler = serve, packageName, day = today } = behaviour;
  const upstream = await startUpstream((url) =>
    handler(imitation.documents!(releases, { url, pageSize: 100, packageName }), url),
  );
  const http = testHttp({
    ...behaviour.http,
    clock: { sleep: () => Promise.resolve(), random: () => 0 },
  });
  try {
    const url = behaviour.url ?? upstream.url;
    const definition = { support: { policy: 'stated', source: imitation.source(url) } };
    const before = behaviour.lines ?? recordedLines(imitation, url);
    const { freshness } = behaviour;
    const result = await gather({ component: 'svc', definition, lines: before, freshness, day }, http);
    const messages = result.findings.map(({ subject, message }) => `${subject}: ${message}`);
    /** `before`: what was on record before. */
    return { ...result, messages, before };
  } finally {
    await http.close();
    await upstream.close();
  }
}

function recordedLines(imitation: ImitatedSupport, url: string): RecordedLine[] {
  const source = imitation.source(url);
  const what = 'product' in source ? source.product : source.url;
  const about = source.datasource === 'cle' ? { about: 'pkg:generic/agent' } : {};
  return known.map((release) => ({
    line: lineOf(release),
    ...(source.datasource === 'endoflife-date' && { firstReleaseDate: '2024-01-10' }),
    phases: [{ name: 'support', until: endOfLines }],
    source: `support ${source.datasource}:${what}`,
    ...about,
  }));
}
