import type { Credentials } from "../../../agents/common/api-client";
import { describeError } from "../../../agents/common/api-error";
import { admissionProblems } from "../../../components/admission/judge";
import { observeAdmission } from "../../../components/admission/observe";
import { known, unknown } from "../fact";
import type { ClusterFacts } from "../facts";
import { apiClient } from "./api";

/** Milliseconds that a dry run may take. */
const TRIAL_MS = 3_000;

/** By dry runs: only they tell what a webhook or a policy does. */
export async function readAdmission(url: string, credentials: Credentials): Promise<ClusterFacts["admission"]> {
    const api = apiClient(url, credentials);
    try {
        return known(admissionProblems(await observeAdmission(api, TRIAL_MS)));
    } catch (error) {
        return unknown(describeError(error));
    } finally {
        api.reconnect();
    }
}
