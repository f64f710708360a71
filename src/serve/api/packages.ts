import * as z from 'zod';
import { findItems } from '../../core/index/verdicts.ts';
import { Policy } from '../../core/schema/documents.ts';
import { quote } from '../../core/text.ts';
import { AskError } from '../errors.ts';
import { findPolicy } from '../published-index.ts';
import { PolicyScan, scanItems } from '../scan.ts';
import { listDigests, toItem } from '../statements.ts';
import { sendElements, sendJson } from './answers.ts';
import { textParameter, versionParameter } from './parameters.ts';
import { defineRoute } from './route.ts';

const segments = {
  type: textParameter(
    200,
    'a type of package URLs, such as npm, maven or generic',
    /^[A-Za-z][A-Za-z0-9.-]*$/,
  ),
  namespace: textParameter(200, 'a namespace such as @scope').optional(),
  name: textParameter(200, 'the name of a package'),
  version: versionParameter,
};
const policy = textParameter(63, 'the name of a policy').meta({ example: 'supported' });

const evaluateRequest = {
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

const Envelope = z
  .object({
    payload: z.string(),
    payloadType: z.string(),
    signatures: z.array(z.object({ keyid: z.string(), sig: z.string() })),
  })
  .meta({ id: 'Envelope' });

/** Of the policy scans and statements of a package: a namespace is left out with its slash. */
const place = '/packages/{type}/{namespace?}/{name}/{version}';

export const scanPackageRoute = defineRoute({
  method: 'post',
  path: `${place}/policy-scans/{policy}`,
  operationId: 'scan-package',
  summary: 'Checks a package or component against a policy.',
  permission: 'scan',
  request: { params: { ...segments, policy }, body: evaluateRequest },
  returns: { 'application/json': z.array(PolicyScan), 'application/x-ndjson': PolicyScan },
  async answer(call, { params, body: { sha256, repositoryUrl } }) {
    const { index } = call.get('settings');
    const digests = sha256 === undefined ? [] : [sha256];
    const item = { ...toItem(params), digests, repositoryUrl };
    const scanned = await scanItems(index, [item], [await findPolicy(index, params.policy)]);
    return sendElements(
      call,
      scanned.flatMap(({ scans }) => scans),
    );
  },
});

export const publishStatement = defineRoute({
  method: 'post',
  path: `${place}/attestations`,
  operationId: 'publish-statement',
  summary:
    'Not offered (501): the host holds no signing key. The run that publishes signs the statements of an index.',
  permission: 'scan',
  request: { params: segments },
  returns: {},
  answer() {
    throw new AskError(
      501,
      'Nothing is signed here: the host has no signing key. "release-index sign" signs the statements of an index.',
    );
  },
});

export const showStatement = defineRoute({
  method: 'get',
  path: `${place}/{digest}/attestations/{instance}/{id}`,
  operationId: 'show-statement',
  summary: 'A signed statement about a release, by a digest of its package, as DSSE envelope.',
  permission: 'scan',
  request: {
    params: {
      ...segments,
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
  async answer(call, { params }) {
    const { digest, instance, id } = params;
    if (instance !== 'site') {
      throw new AskError(404, `There is no storage ${instance} here, only site.`);
    }

    const { index } = call.get('settings');
    const item = toItem(params);
    const [match] = await findItems([item], await index.names(), index.details);
    if (!match?.release) {
      throw new AskError(404, `The index lists no release ${quote(item.text)}.`);
    }

    const { version } = match.release;
    const statements = await index.statements(match.component);
    const signed = statements.findLast(({ statement }) => {
      const { predicate } = statement;
      const digests = listDigests(statement).map((each) => each.toLowerCase());
      const isAsked = predicate.version === version && predicate.id === id;
      return isAsked && digests.includes(digest.toLowerCase());
    });
    if (!signed) {
      const subject = `this package with ${digest}`;
      throw new AskError(404, `There is no statement ${quote(id)} about ${subject}.`);
    }

    return sendElements(call, [signed.envelope]);
  },
});

export const showPolicy = defineRoute({
  method: 'get',
  path: '/policies/{kind}/{policy}',
  operationId: 'show-policy',
  summary: 'A policy: condition, advice and query.',
  permission: 'read',
  request: {
    params: { kind: z.enum(['built-in', 'own'], { error: 'expected built-in or own' }), policy },
  },
  returns: { 'application/json': Policy },
  async answer(call, { params }) {
    return sendJson(call, await findPolicy(call.get('settings').index, params.policy, params.kind));
  },
});
