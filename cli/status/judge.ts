import type { ClusterFacts } from "./facts";
import type { Finding } from "./finding";
import { judgeAdmission } from "./judge/admission";
import { judgeApi } from "./judge/api";
import { judgeCertificates } from "./judge/certificates";
import { judgeControlPlane } from "./judge/control-plane";
import { judgeEtcd } from "./judge/etcd";
import { judgeMachines } from "./judge/machines";
import { judgeNodes } from "./judge/nodes";
import { judgePods } from "./judge/pods";
import { judgeSkew } from "./judge/skew";
import { judgeSnapshot } from "./judge/snapshot";

export interface Verdict {
    /** Whether nothing critical was found. That the API does not answer is critical too: then nothing is sure. */
    readonly isHealthy: boolean;
    /** What is critical first. */
    readonly findings: readonly Finding[];
}

const JUDGES: readonly ((facts: ClusterFacts) => readonly Finding[])[] = [
    judgeApi,
    judgeAdmission,
    judgeMachines,
    judgeNodes,
    judgeControlPlane,
    judgeEtcd,
    judgePods,
    judgeSnapshot,
    judgeCertificates,
    judgeSkew,
];

/** What is wrong with a cluster, by what is known of it. */
export function judge(facts: ClusterFacts): Verdict {
    const all = JUDGES.flatMap((judgeOne) => judgeOne(facts));
    const of = (severity: Finding["severity"]) => all.filter((finding) => finding.severity === severity);
    return { isHealthy: of("critical").length === 0, findings: [...of("critical"), ...of("warning")] };
}
