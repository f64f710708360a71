import { describe, expect, it, type TestContext } from 'vitest';
import { openValidatorStore } from '../../../src/io/http/validators.ts';
import { expectUpdated } from '../../harness/expectations.ts';
import { known, news, run } from '../../harness/gathering.ts';
import type { Listed, ImitatedUpstream } from '../../harness/imitated-upstream.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

describe.concurrent.each(remoteUpstreams)('$name, asked again', (imitation) => {
  it('gives the same result from a 304, even if the recorded data was reverted meanwhile', async (test) => {
    const { url, requests, validators } = await keptUpstream(test, imitation, [...known, news]);
    await run(imitation, { url, http: { validators: validators() } });
    const asked = requests.length;

    const outcome = await run(imitation, { url, http: { validators: validators() } });

    expectUpdated(outcome);
    const answered = requests.slice(asked).filter(({ status }) => status !== 404);
    expect(answered[0]).toMatchObject({ status: 304 });
  });

  it('requests each document once in a run', async () => {
    const { requests } = await run(imitation, { releases: [...known, news, news] });

    const paths = requests.map(({ method, path }) => `${method} ${path}`);
    expect(paths).toEqual([...new Set(paths)]);
  });
});

/** An upstream that outlives a run. Side by side, only a test's own context knows when that test is finished. */
async function keptUpstream(
  { onTestFinished }: TestContext,
  imitation: ImitatedUpstream,
  releases: readonly Listed[],
) {
  const { url, requests, close } = await startUpstream((at) =>
    serve(imitation.documents!(releases, { url: at, pageSize: 100 })),
  );
  onTestFinished(close);
  const dir = temporaryFolder();
  return { url, requests, validators: () => openValidatorStore(dir) };
}
