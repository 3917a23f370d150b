import { ApiError } from "../../../../../clients/kubernetes/api-error";
import type { Situations } from "./situation";

const away = new Error("connect ECONNREFUSED 10.0.0.10:6443");
const next = { kubernetesVersion: "1.36.3" };

/** Changes of clusters whose API can't be asked: only what the state says is held against them. */
export const illegalUnasked: Situations = {
    "a minor version is skipped": { apiError: away, told: { kubernetesVersion: "1.34.6" }, wanted: next },
    "back to the minor version before": {
        apiError: away,
        told: next,
        wanted: { kubernetesVersion: "1.35.4" },
    },
    "back after a rollout that failed, whose version may have served": {
        apiError: away,
        told: next,
        before: "1.35.4",
        wanted: { kubernetesVersion: "1.35.4" },
    },
    "another domain of Services": { apiError: away, wanted: { network: { clusterDomain: "corp.internal" } } },
    "other addresses of pods": { apiError: away, wanted: { network: { podCidr: "10.64.0.0/16" } } },
    "other addresses of Services": { apiError: away, wanted: { network: { serviceCidr: "10.65.0.0/16" } } },
    "an authority that the stack does not have yet issues": {
        lacksIssuer: true,
        wanted: { keys: { kubernetesCa: [2, 1] } },
    },
    "by authorities of which none is kube-apiserver's": {
        apiError: Object.assign(new Error("unable to verify"), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }),
        told: { keys: { kubernetesCa: [1, 2] } },
        wanted: { keys: { kubernetesCa: [2] } },
    },
    "by an authority that kube-apiserver does not trust": {
        apiError: new ApiError(401, "Unauthorized"),
        wanted: { keys: { kubernetesCa: [2, 1] } },
    },
};
