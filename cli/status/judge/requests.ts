import { type ClusterFacts, type Finding, ifKnown, type RequestFacts, warning } from "../facts";

/** Kubelets whose certificates no agent approves: machines that cannot join, or that will stop working. */
export function judgeRequests({ requests }: ClusterFacts): Finding[] {
    return (ifKnown(requests) ?? []).map(judgeRequest);
}

function judgeRequest({ name, node = "an unknown machine", approver, ageSeconds, reason }: RequestFacts): Finding {
    const what = approver === "serving-approver" ? "serving certificate" : "client certificate";
    const why = reason === undefined ? "its agent has not logged why" : reason.replace(/\.$/, "");
    const log = `kubectl -n kube-system logs -l k8s-app=${approver} --tail=-1 | grep ${name}`;
    return warning(
        "request-waits",
        `The kubelet of ${node} has waited ${duration(ageSeconds)} for its ${what}: ${why}.`,
        reason === undefined
            ? `Check that the agent runs, and its log: ${log}`
            : `If it is a machine of the stack, run pulumi up, which gives the agents the current machines. Otherwise find out who requests it: kubectl describe csr ${name}`,
    );
}

function duration(seconds: number): string {
    return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}
