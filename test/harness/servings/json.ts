import { json as asJson, type Serving } from '../serving.ts';

export const json: Serving = {
  name: 'json',
  home: '/api/history',
  entry: 'object',
  statesLinks: true,
  source: (url) => ({
    datasource: 'json',
    url: `${url}api/history?all=1`,
    transform:
      '{"releases": history.{"version": name, "releaseTimestamp": on, "changelogUrl": notes, "isDeprecated": gone}}',
  }),
  documents(releases) {
    const history = releases.map(({ version, at, link, isMalformed }) => ({
      name: version,
      on: isMalformed ? { day: at } : at,
      notes: link,
      gone: false,
    }));
    return new Map([['/api/history?all=1', asJson({ history })]]);
  },
};
