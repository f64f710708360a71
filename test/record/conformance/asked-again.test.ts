import { describe, expect, it } from 'vitest';
import { openAnswerStore } from '../../../src/io/http/answer-store.ts';
import { expectUpdated } from '../../harness/expectations.ts';
import { known, news, run } from '../../harness/gathering.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

describe.concurrent.each(remoteUpstreams)('$name, asked again', (imitation) => {
  it('gives the same result from a 304, even if the recorded data was reverted meanwhile', async (test) => {
    const { url, requests, close } = await startUpstream((at) =>
      serve(imitation.documents!([...known, news], { url: at, pageSize: 100 })),
    );
    // Side by side, only a test's own context knows when that test is finished.
    test.onTestFinished(close);
    const folder = temporaryFolder();
    const ask = () => run(imitation, { url, http: { answerStore: openAnswerStore(folder) } });
    await ask();
    const asked = requests.length;

    const outcome = await ask();

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
