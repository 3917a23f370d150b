import type { Situations } from "./situation";

const quota = "exceeded quota: q, requested: pods=1, used: pods=9, limited: pods=0";
const policy = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no host networks";

/** Whatever the change, kube-system would not admit its pods. */
export const illegalAdmission: Situations = {
    "an exhausted quota": { desired: {}, refused: `pods "x" is forbidden: ${quota}` },
    "another version, and a policy": {
        desired: { kubernetesVersion: "1.36.3" },
        refused: `pods "x" is forbidden: ${policy}`,
    },
};
