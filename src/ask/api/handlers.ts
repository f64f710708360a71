import { createApi, type Handler } from './api.ts';
import { answerChangesSince, answerChangesSinceChange } from './answer-changes.ts';
import { answerComponent, answerComponents, answerRelease } from './components.ts';
import { endpoints, type EndpointName } from './endpoints.ts';
import { answerReleases } from './find-releases.ts';
import { answerEnvelopes, answerScan } from './scanned-package.ts';

/** Who answers each endpoint; one without does not compile. */
const handlers: Readonly<Record<EndpointName, Handler>> = {
  'find-releases': answerReleases,
  'list-components': answerComponents,
  'show-component': answerComponent,
  'check-version': answerRelease,
  'changes-since': answerChangesSince,
  'changes-since-change': answerChangesSinceChange,
  'scan-package': answerScan,
  'show-envelopes': answerEnvelopes,
};

export const answerEndpoint = createApi(endpoints, handlers);
