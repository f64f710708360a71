import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';
import { readAccess } from './access-of.ts';
import authWorker from './auth-worker.ts';
import { serve, type Env } from './worker.ts';

/** The Worker of a preview. It rejects other host names: a foreign page could point its own at this computer. */
function answerLocally(request: Request, env: Env): Promise<Response> | Response {
  const wrong = hostHeaderValidationResponse(request, localhostAllowedHostnames());
  return wrong ?? (readAccess() ? authWorker.fetch(request, env) : serve(request, env));
}

export default { fetch: answerLocally };
