/** Defines the routes that check a package against a policy, show a policy, and show signed statements about a release. */
import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import { findPolicy, listDigests, PolicyScan, scanItems } from '../../ask/scan.ts';
import { ScanPolicy } from '../../core/schema/documents.ts';
import { quote } from '../../core/text.ts';
import { sendElements, sendJson } from './answers.ts';
import { defineRoute, packagePath, packageSegments, textParameter, toItem } from './route.ts';

const policy = textParameter(63, 'the name of a policy').meta({ example: 'supported' });

/** The facts that a request may give about a package, besides its name and version. */
const statedFacts = {
  sha256: textParameter(
    200,
    'a SHA-256 digest: 64 hexadecimal digits',
    /^(?:(?:sha256:)?[0-9A-Fa-f]{64}|sha512:[0-9A-Fa-f]{128})$/,
  )
    .transform((text) => (text.includes(':') ? text : `sha256:${text}`).toLowerCase())
    .optional(),
  repositoryUrl: textParameter(
    2000,
    'the address of a repository, such as https://github.com/example/agent',
    /^(?:git@[\w.-]+:|(?:(?:git\+)?(?:https?|ssh|git):\/\/(?:git@)?)?(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/)[^\s\p{Cc}?#]+$/u,
  ).optional(),
};

export const scanPackage = defineRoute({
  method: 'post',
  path: `${packagePath}/policy-scans/{policy}`,
  operationId: 'scan-package',
  summary: 'Checks a package or component against a policy.',
  permission: 'scan',
  request: { params: { ...packageSegments, policy }, body: statedFacts },
  returns: { 'application/json': z.array(PolicyScan), 'application/x-ndjson': PolicyScan },
  async answer({ call, index, params, body: { sha256, repositoryUrl } }) {
    const digests = sha256 === undefined ? [] : [sha256];
    const item = { ...toItem(params), digests, repositoryUrl };
    const scanned = await scanItems(index, [item], [await findPolicy(index, params.policy)]);
    const results = scanned.flatMap(({ scans }) => scans.map(({ scan }) => scan));
    return sendElements(call, results);
  },
});

export const showPolicy = defineRoute({
  method: 'get',
  path: '/policies/{kind}/{policy}',
  operationId: 'show-policy',
  summary: 'Reads a policy: its condition, its advice and its query.',
  permission: 'read',
  request: {
    params: { kind: z.enum(['built-in', 'own'], { error: 'expected built-in or own' }), policy },
  },
  returns: { 'application/json': ScanPolicy },
  async answer({ call, index, params }) {
    return sendJson(call, await findPolicy(index, params.policy, params.kind));
  },
});

const Envelope = z
  .object({
    payload: z.string(),
    payloadType: z.string(),
    signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
  })
  .meta({ id: 'Envelope' });

export const publishStatement = defineRoute({
  method: 'post',
  path: `${packagePath}/attestations`,
  operationId: 'publish-statement',
  summary:
    'Answers 501, because the host does not have a signing key. The command that publishes an index signs its statements.',
  permission: 'scan',
  request: { params: packageSegments },
  returns: {},
  answer() {
    throw new AskError(
      501,
      'Nothing is signed here, because the host does not have a signing key. "release-index sign" signs the statements of an index.',
    );
  },
});

export const showStatement = defineRoute({
  method: 'get',
  path: `${packagePath}/{digest}/attestations/{instance}/{id}`,
  operationId: 'show-statement',
  summary:
    'Reads signed statements about a release, each in a DSSE envelope. A digest of its package names the release.',
  permission: 'scan',
  request: {
    params: {
      ...packageSegments,
      digest: textParameter(
        200,
        'a digest such as sha512: and its hexadecimal digits',
        /^(?:sha1|gitCommit):[0-9A-Fa-f]{40}$|^sha256:[0-9A-Fa-f]{64}$|^sha384:[0-9A-Fa-f]{96}$|^sha512:[0-9A-Fa-f]{128}$/,
      ),
      instance: textParameter(
        200,
        'site, or a storage in the form kind:name',
        /^[a-z][a-z0-9]*(?::[\w.-]+)?$/,
      ),
      id: textParameter(300, 'the id of a statement'),
    },
  },
  returns: { 'application/json': z.array(Envelope), 'application/x-ndjson': Envelope },
  async answer({ call, index, params }) {
    const { digest, instance, id } = params;
    if (instance !== 'site') {
      throw new AskError(404, `There is no storage ${instance} here, only site.`);
    }

    const item = toItem(params);
    const [{ match } = {}] = await index.find([item]);
    if (!match?.release) {
      throw new AskError(404, `The index lists no release ${quote(item.text)}.`);
    }

    const { version } = match.release;
    const asked = digest.toLowerCase();
    const statements = await index.statements(match.component);
    const signed = statements.findLast(
      ({ statement }) =>
        statement.predicate.id === id &&
        statement.predicate.version === version &&
        listDigests(statement).some((each) => each.toLowerCase() === asked),
    );
    if (!signed) {
      throw new AskError(
        404,
        `There is no statement ${quote(id)} about this package with ${digest}.`,
      );
    }

    return sendElements(call, [signed.envelope]);
  },
});
