import * as agents from './agents.ts';
import * as builds from './builds.ts';
import * as components from './components.ts';
import * as exports from './exports.ts';
import * as packages from './packages.ts';
import * as releases from './releases.ts';
import type { Route } from './route.ts';
import * as token from './token.ts';

const files = [releases, components, builds, exports, packages, token, agents];

/** All requests that the Worker answers: what these files export. */
export const routes = files.flatMap((file): Route[] => Object.values(file));
