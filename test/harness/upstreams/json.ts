import { digestOf, json as asJson, type ImitatedUpstream } from '../imitated-upstream.ts';

export const json: ImitatedUpstream = {
  name: 'json',
  home: '/api/history',
  entry: 'object',
  statesLinks: true,
  source: (url) => ({
    datasource: 'json',
    url: `${url}api/history?all=1`,
    transform:
      '{"releases": history.{"version": name, "releaseTimestamp": on, "changelogUrl": notes, "isDeprecated": gone, "digest": sum}}',
  }),
  documents(releases) {
    const history = releases.map(({ version, at, link, isMalformed, ...release }) => ({
      name: version,
      on: isMalformed ? { day: at } : at,
      notes: link,
      gone: false,
      sum: digestOf({ version, ...release }),
    }));
    return new Map([['/api/history?all=1', asJson({ history })]]);
  },
  digests: (release) => ({ [release.version]: `sha256:${digestOf(release)}` }),
};
