import * as z from 'zod';
import { formatPurl, type Purl } from '../../../core/model/purl.ts';
import { componentName } from '../../../core/schemas/definition/component-name.ts';
import {
  PackageScan,
  type PolicyScan,
  PublishedNamedPolicy,
} from '../../../core/schemas/published/policy-scan.ts';
import { findPolicyNamed, parsePublishedPolicy } from '../../scan/scan-policies.ts';
import { scanEntries } from '../../scan/scan-items.ts';
import type { Item } from '../../texts/text-entries.ts';
import { chooseMediaType } from './accept.ts';
import { versionParameter } from './common-parts.ts';
import {
  createParameter,
  defineEndpoint,
  describeJsonAnswer,
  describeProblemAnswer,
  type BodyField,
  type ParameterValues,
} from './endpoint.ts';
import { createNoteHeader } from './note-header.ts';
import { answerCachedJson, answerJson, formatJson } from './respond.ts';

/*
 * Clients of a provenance service, which checks packages against policies and signs statements about them, can send the same requests
 * to an index. The service can have several storages of statements and attest packages: an index has one storage, and attests none.
 */

export const packagePath = '/packages/{type}/{namespace}/{name}/{version}';

/** The path segments of a package, as in a package URL (https://github.com/package-url/purl-spec). */
export const packageParameters = [
  createParameter('path', 'type', 200, {
    description: 'Type of the package; generic for a component.',
    expected: 'a type of package URLs, such as npm, maven or generic',
    pattern: '^[A-Za-z][A-Za-z0-9.-]*$',
    example: 'generic',
  }),
  createParameter('path', 'namespace', 200, {
    isOptional: true,
    description: 'Namespace of the package, such as %40scope; a slash in it is %2F.',
    expected: 'a namespace such as @scope',
  }),
  createParameter('path', 'name', 200, {
    description: 'Name of the package, or of a component.',
    expected: 'the name of a package',
    example: '{component}',
  }),
  versionParameter,
];

const policyParameter = createParameter('path', 'policy', 200, {
  description: 'Name of a policy; policies.json lists them.',
  expected: 'the name of a policy',
  pattern: componentName.source,
  isName: true,
  example: 'supported',
});

const originParameter = createParameter('path', 'origin', 200, {
  description: 'built-in, or own for a policy of this index.',
  expected: 'built-in or own',
  pattern: '^(?:built-in|own)$',
  example: 'built-in',
});

/** `https://`, `git+ssh://git@`, or nothing. */
const scheme = String.raw`(?:(?:git\+)?(?:https?|ssh|git)://(?:git@)?)?`;
/** `github.com/`, `[::1]:8443/` */
const host = String.raw`(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?/`;
/** `example/agent.git` */
const repositoryPath = String.raw`[^\s\x00-\x1f\x7f-\x9f?#/][^\s\x00-\x1f\x7f-\x9f?#]*`;

const difference = 'A difference is unsatisfied; details.message says what could not be compared.';

/** The facts about a package that a client may have compared with the recorded ones. */
const comparedFields: readonly BodyField[] = [
  {
    name: 'sha256',
    description: `SHA-256 of the package, or SHA-512 with the prefix sha512:, to compare with the recorded digests of the release. ${difference}`,
    expected: 'a SHA-256 digest: 64 hexadecimal digits',
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^(?:(?:sha256:)?[0-9A-Fa-f]{64}|sha512:[0-9A-Fa-f]{128})$',
    },
    example: '73f482a2296dcc654c380979aae3916a1925ff906b1c43a0659f97fd56e44497',
  },
  {
    name: 'repositoryUrl',
    description: `Address of the source repository of the package, to compare with that of the component. ${difference}`,
    expected:
      'the address of a repository, such as https://github.com/example/agent or git@github.com:example/agent.git, without credentials, query and white space',
    schema: {
      type: 'string',
      maxLength: 2000,
      pattern: `^(?:git@[A-Za-z0-9._-]+:|${scheme}${host})${repositoryPath}$`,
    },
    example: 'github.com/example/agent',
  },
];

/** The media types of an answer that is a list; NDJSON has one line for each element. */
const listMediaTypes = ['application/json', 'application/x-ndjson'] as const;

export const unacceptable = describeProblemAnswer(
  `Neither ${listMediaTypes.join(' nor ')} is acceptable.`,
);

export const scanEndpoint = defineEndpoint({
  name: 'scan-package',
  method: 'POST',
  path: `${packagePath}/policy-scans/{policy}`,
  summary: 'Checks a package or component against a policy.',
  description:
    'The result of the command "scan", as of the day of the request. The body is optional, and has at most 1 MB. For bills of materials, use the command.',
  parameters: [...packageParameters, policyParameter],
  body: comparedFields,
  answers: {
    200: {
      ...describeJsonAnswer(z.array(PackageScan), 'The result, in an array'),
      isInLines: true,
    },
    404: describeProblemAnswer('There is no such policy.'),
    406: unacceptable,
    413: describeProblemAnswer('The body is larger than 1 MB.'),
    415: describeProblemAnswer('The body is neither JSON nor a form, or it is compressed.'),
  },
  example: '/packages/generic/{component}/{version}/policy-scans/supported',
  async handle({ request, parameters, body, index }) {
    const published = findPolicyNamed(await index.policies(), parameters.policy);
    const policy = parsePublishedPolicy(published, await index.day());
    const item = readPackage(parameters, body);
    const scanned = await scanEntries([[item]], [policy], index);
    const list = renderList(
      request,
      scanned.map(({ scan }) => toPackageScan(scan)),
    );
    return answerJson(request, list.text, { ...list.headers, ...(await createNoteHeader(index)) });
  },
});

/** A list in the media type that a request accepts, with the headers about it. Throws a `QuestionError` if it accepts none. */
export function renderList(request: Request, elements: readonly object[]) {
  const mediaType = chooseMediaType(request, listMediaTypes);
  const text =
    mediaType === 'application/json'
      ? formatJson(elements)
      : elements.map((element) => `${JSON.stringify(element)}\n`).join('');
  return { text, headers: { 'Content-Type': mediaType, Vary: 'Accept' } };
}

/** The service knows three results; `unknown` becomes `not-applicable`. A request has no exceptions. */
function toPackageScan({ status, ...scan }: PolicyScan): PackageScan {
  const isCertain = status === 'satisfied' || status === 'unsatisfied';
  return { ...scan, status: isCertain ? status : 'not-applicable' };
}

/** The package in the path, with the facts about it in the body. */
export function readPackage(segments: Purl, { sha256, repositoryUrl }: ParameterValues = {}): Item {
  const { type, namespace, name, version } = segments;
  const purl = { type: type.toLowerCase(), namespace, name, version };
  // `sha256:73f4…` also for `73f4…`.
  const digest = sha256?.toLowerCase().replace(/^(?!sha)/, 'sha256:');
  return {
    text: formatPurl(purl),
    purl,
    version,
    digests: digest === undefined ? undefined : [digest],
    repositoryUrl,
  };
}

export const policyEndpoint = defineEndpoint({
  name: 'show-policy',
  path: '/policies/{origin}/{policy}',
  summary: 'A policy: condition, advice and query.',
  description: 'A scan result has this address as policyUri. policies.json has all policies.',
  parameters: [originParameter, policyParameter],
  answers: {
    200: describeJsonAnswer(PublishedNamedPolicy, 'The policy'),
    404: describeProblemAnswer('There is no such policy.'),
  },
  example: '/policies/built-in/supported',
  async handle({ request, parameters, index }) {
    const isBuiltIn = parameters.origin === 'built-in';
    const policies = (await index.policies()).filter((each) => each.isBuiltIn === isBuiltIn);
    return answerCachedJson(request, formatJson(findPolicyNamed(policies, parameters.policy)));
  },
});
