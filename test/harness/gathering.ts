/** Gathers the releases of one component day by day. Its sources answer on loopback. */
import { addDays } from '../../src/core/day.ts';
import type { Freshness, Recorded } from '../../src/core/schema/recorded.ts';
import { gatherComponent } from '../../src/record/gather.ts';
import { createTestHttp, dropAbsent } from './ask-source.ts';
import { subjectOf } from './judging.ts';
import { serve, startUpstream, type Documents } from './upstream.ts';

export async function openGathering(
  createSources: (url: string) => object[],
  releases: Recorded['releases'] = [],
  createSupport?: (url: string) => object,
) {
  let documents: Documents = {};
  const { url, requests, asked } = await startUpstream(() => (request, response) => {
    serve(documents)(request, response);
  });
  const support = createSupport && { support: createSupport(url) };
  const { definition, recorded } = subjectOf(releases, {
    sources: createSources(url),
    ...support,
  });
  const state = { definition, recorded, freshness: {} as Freshness[string], day: '2026-06-28' };
  return {
    url,
    state,
    /** Gathers on the next day, on which the sources answer with these documents. Returns what was recorded, and the requests. */
    async gather(upstream: Documents = {}, signal = new AbortController().signal) {
      documents = upstream;
      requests.length = 0;
      state.day = addDays(state.day, 1);
      const http = createTestHttp();
      const input = { component: 'agent', ...state };
      const gathered = await gatherComponent(input, { day: state.day, http, root: '', signal });
      await http.close();
      state.recorded = dropAbsent(gathered.recorded);
      state.freshness = gathered.freshness;
      return { ...gathered, recorded: state.recorded, asked: asked() };
    },
  };
}
