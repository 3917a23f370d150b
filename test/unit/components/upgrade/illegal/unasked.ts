import { ApiError } from "../../../../../clients/kubernetes/api-error";
import type { Situations } from "./situation";

const away = Object.assign(new Error("connect ECONNREFUSED 10.0.0.10:6443"), { code: "ECONNREFUSED" });
const next = { kubernetesVersion: "1.36.3" };

/** Changes of clusters whose API is unreachable: they are only checked against the state. */
export const illegalUnasked: Situations = {
    "a minor version is skipped": { apiError: away, reported: { kubernetesVersion: "1.34.6" }, desired: next },
    "a downgrade to the previous minor version": {
        apiError: away,
        reported: next,
        desired: { kubernetesVersion: "1.35.4" },
    },
    "a downgrade after a failed rollout, whose version may have run": {
        apiError: away,
        reported: next,
        before: "1.35.4",
        desired: { kubernetesVersion: "1.35.4" },
    },
    "another Service domain": { apiError: away, desired: { network: { clusterDomain: "corp.internal" } } },
    "other pod addresses": { apiError: away, desired: { network: { podCidr: "10.64.0.0/16" } } },
    "other Service addresses": { apiError: away, desired: { network: { serviceCidr: "10.65.0.0/16" } } },
    "a CA that the stack does not have yet issues": {
        lacksIssuer: true,
        desired: { keys: { kubernetesCa: [2, 1] } },
    },
    "with CAs that do not include kube-apiserver's": {
        apiError: Object.assign(new Error("unable to verify"), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }),
        reported: { keys: { kubernetesCa: [1, 2] } },
        desired: { keys: { kubernetesCa: [2] } },
    },
    "with a CA that kube-apiserver does not trust": {
        apiError: new ApiError(401, "Unauthorized"),
        desired: { keys: { kubernetesCa: [2, 1] } },
    },
};
