import { describe, expect, it } from 'vitest';
import { expectFailed, versionsOf } from '../../harness/expectations.ts';
import { known, news, run } from '../../harness/gathering.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { changed } from '../../harness/upstream.ts';

describe.concurrent.each(remoteUpstreams.filter(({ entry }) => entry !== undefined))(
  '$name, with a malformed entry',
  (imitation) => {
    it('leaves out and reports the entry, and keeps the others', async () => {
      const outcome = await run(imitation, {
        releases: [...known, { version: '2.1.1', isMalformed: true }, news],
      });

      expect(versionsOf(outcome)).toEqual([...known, news].map(({ version }) => version));
      expect(outcome.messages).toEqual([
        expect.stringMatching(
          /^svc: \S+ http\S+: entry 7.*: .*(expected|required).*\. Skipped 1 of 8 entries\.$/,
        ),
      ]);
    });

    it('keeps recorded data when no entry is readable', async () => {
      const outcome = await run(imitation, {
        releases: known.map((listed) => ({ ...listed, isMalformed: true })),
      });

      expectFailed(outcome, /entry 1.*None of its 6 entries can be read/);
    });
  },
);

it.concurrent.each(remoteUpstreams.filter(({ entry }) => entry === 'object'))(
  '$name does not withdraw a recorded version whose entry became malformed',
  async (imitation) => {
    const releases = known.map((listed) =>
      listed.version === '1.9' ? { ...listed, isMalformed: true } : listed,
    );
    const outcome = await run(imitation, { releases });

    expect(outcome.releases).toEqual(outcome.before);
    expect(outcome.messages).toEqual([expect.stringContaining('entry 2 ("1.9"): ')]);
  },
);

it.concurrent.each(remoteUpstreams.filter(({ namesPackage }) => namesPackage))(
  '$name keeps recorded data when the answer is about another package',
  async (imitation) => {
    const outcome = await run(imitation, { packageName: 'other' });

    expectFailed(
      outcome,
      /(expected the document of ".*agent"; got that of "other"|has no chart "agent")/,
    );
  },
);

it.concurrent.each(remoteUpstreams.filter(({ statesLinks }) => statesLinks))(
  '$name records an https link',
  async (imitation) => {
    const link = 'https://example.com/history#2-2';
    const outcome = await run(imitation, { releases: [...known, { ...news, link }] });

    expect(outcome.releases.at(-1)).toMatchObject({ version: news.version, changelogUrl: link });
  },
);

it.concurrent.each(remoteUpstreams.filter(({ bomb }) => bomb !== undefined))(
  '$name rejects a document that would expand beyond memory',
  async (imitation) => {
    const outcome = await run(imitation, {
      handler: (documents) => changed(documents, () => imitation.bomb!),
    });

    expectFailed(outcome, /DOCTYPE|alias/);
  },
);
