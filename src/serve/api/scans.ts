import * as z from 'zod';
import { Policy } from '../../core/schema/documents.ts';
import { findPolicy, PolicyScan, scanItems } from '../scan.ts';
import { sendElements, sendJson } from './answers.ts';
import { packagePath, packageSegments, textParameter, toItem } from './parameters.ts';
import { defineRoute } from './route.ts';

const policy = textParameter(63, 'the name of a policy').meta({ example: 'supported' });

/** What is known of a package beside its name and version. */
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
  summary: 'A policy: condition, advice and query.',
  permission: 'read',
  request: {
    params: { kind: z.enum(['built-in', 'own'], { error: 'expected built-in or own' }), policy },
  },
  returns: { 'application/json': Policy },
  async answer({ call, index, params }) {
    return sendJson(call, await findPolicy(index, params.policy, params.kind));
  },
});
