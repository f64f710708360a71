import { quote } from '../../../core/text/foreign-text.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { findItemRelease, listStatedDigests } from '../../scan/scan-items.ts';
import type { Item } from '../../texts/text-entries.ts';
import {
  createParameter,
  defineEndpoint,
  describeJsonAnswer,
  describeProblemAnswer,
} from './endpoint.ts';
import { createRequestError } from './read-request.ts';
import { answerCachedJson } from './respond.ts';
import {
  packageParameters,
  packagePath,
  readPackage,
  renderList,
  unacceptable,
} from './scan-endpoints.ts';

const digestParameter = createParameter('path', 'digest', 200, {
  description: 'A recorded digest of the package.',
  expected: 'a digest such as sha512: and its hexadecimal digits',
  pattern:
    '^(?:sha1|gitCommit):[0-9A-Fa-f]{40}$|^sha256:[0-9A-Fa-f]{64}$|^sha384:[0-9A-Fa-f]{96}$|^sha512:[0-9A-Fa-f]{128}$',
});

const idParameter = createParameter('path', 'id', 200, {
  description: 'Id of the statement, percent-encoded: <component>/<version>/<day>.',
  expected: 'the id of a statement',
});

const instanceParameter = createParameter('path', 'instance', 200, {
  description: 'Storage of the statements: always site.',
  expected: 'site, or a storage in the form kind:name',
  pattern: String.raw`^[a-z][a-z0-9]*(?::[\w.-]+)?$`,
  example: 'site',
});

/** The service signs packages; an index says why it does not. */
export const attestEndpoint = defineEndpoint({
  name: 'attest-package',
  method: 'POST',
  path: `${packagePath}/attestations`,
  summary: 'Not offered: the index signs statements about its own releases only.',
  description: 'The answer is always a problem: the host has no signing key.',
  parameters: packageParameters,
  answers: { 501: describeProblemAnswer('The host signs nothing.') },
  handle() {
    throw createRequestError(
      501,
      'Nothing is signed here: the host has no signing key. The command "release-index sign" signs the statements of an index.',
    );
  },
});

export const envelopesEndpoint = defineEndpoint({
  name: 'show-envelopes',
  path: `${packagePath}/{digest}/attestations/{instance}/{id}`,
  summary: 'A signed statement about a release, by a digest of its package, as DSSE envelope.',
  description:
    'A scan result has this address as attestationUri. It is valid as long as the release is listed. statements/<component>.ndjson has all statements, as Sigstore bundles.',
  parameters: [...packageParameters, digestParameter, instanceParameter, idParameter],
  answers: {
    200: { ...describeJsonAnswer('envelopes', 'The envelope, in an array'), isInLines: true },
    404: describeProblemAnswer(
      'The package, the statement or the storage is unknown, or the statement has another digest.',
    ),
    406: unacceptable,
  },
  async handle({ request, parameters, index }) {
    const { id, digest, instance } = parameters;
    if (instance !== 'site') {
      throw createRequestError(404, `There is no storage ${quote(instance)} here, only site.`);
    }

    const { statement, envelope } = await findStatement(index, readPackage(parameters), id);
    const digests = listStatedDigests(statement).map((each) => each.toLowerCase());
    if (!digests.includes(digest.toLowerCase())) {
      throw createRequestError(404, `This statement is not about ${digest}.`);
    }

    const { text, headers } = renderList(request, [envelope]);
    return answerCachedJson(request, text, headers);
  },
});

/** The statement with an id about a package, and its envelope. Throws a `QuestionError` if there is none. */
async function findStatement(index: PublishedIndex, item: Item, id: string) {
  const { component, version } = await findItemRelease(index, item);
  const statements = await index.statements(component);
  const entry = statements.find(
    ({ statement: { predicate } }) => predicate.version === version && predicate.id === id,
  );
  if (!entry) {
    throw createRequestError(404, `There is no statement ${quote(id)} about this package.`);
  }

  return entry;
}
