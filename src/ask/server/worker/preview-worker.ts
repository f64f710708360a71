import { answerProblem } from '../api/respond.ts';
import authWorker, { readAccess } from './auth-worker.ts';
import { explainForeignRequest } from './local-request.ts';
import { serve, type Env } from './worker.ts';

/** The Worker of a preview. */
function answerLocally(request: Request, env: Env): Promise<Response> | Response {
  const { headers } = request;
  const reason = explainForeignRequest(headers.get('host'), headers.get('origin'));
  if (reason !== undefined) {
    return answerProblem(request, 403, reason);
  }

  return readAccess() ? authWorker.fetch(request, env) : serve(request, env);
}

export default { fetch: answerLocally };
