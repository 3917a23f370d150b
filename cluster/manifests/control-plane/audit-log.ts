import type { AuditLogPlan } from "../../../agents/checkpointer/plan";
import { admissionsLease } from "../../../agents/nodes/approver/admissions";
import { rebootLease } from "../../../clients/kubernetes/reboot-turn";
import { filesPath, ownPrefix } from "../../control-plane-files";
import type { Cluster } from "../../model";
import { nodeApproverUser } from "../rbac";

/** Directory of kube-apiserver's audit log on controllers. */
export const auditLogDirectory = "/var/log/kubernetes/audit";

/** Name of the audit policy among kube-apiserver's files. */
export const auditPolicyFile: string = `${ownPrefix}audit-policy.json`;

/**
 * Flags of kube-apiserver. Each pod has files of its own: two processes that rotate the same ones would lose entries.
 * The checkpointer removes those of former pods.
 */
export const auditFlags = {
    "audit-log-compress": "true",
    "audit-log-maxage": "30",
    "audit-log-maxbackup": "10",
    "audit-log-maxsize": "100",
    "audit-log-path": `${auditLogDirectory}/$(POD_NAME).log`,
    "audit-policy-file": `${filesPath}/${auditPolicyFile}`,
};

/** Limits of the files of all pods together: those of a single one. Zero means no limit, as in the flags. */
export function auditLogPlan({ extraArgs }: Pick<Cluster, "extraArgs">): AuditLogPlan {
    const flags: Record<string, string> = { ...auditFlags, ...extraArgs.kubeApiserver };
    const limit = (flag: string) => Number(flags[`audit-log-${flag}`]);
    const [maxAgeDays, backups, megabytes] = [limit("maxage"), limit("maxbackup"), limit("maxsize")];
    return {
        directory: auditLogDirectory,
        ...(maxAgeDays > 0 && { maxAgeDays }),
        ...(backups > 0 && megabytes > 0 && { maxBytes: (backups + 1) * megabytes * 2 ** 20 }),
    };
}

const reads = ["get", "list", "watch"];
const leases = { group: "coordination.k8s.io", resources: ["leases"] };

/**
 * Which requests the audit log has, and how much of them. The first rule that matches a request counts.
 *
 * Bodies only of changes to permissions: those of other requests may be secret.
 */
export const auditPolicy = {
    apiVersion: "audit.k8s.io/v1",
    kind: "Policy",
    omitStages: ["RequestReceived"],
    omitManagedFields: true,
    rules: [
        { level: "None", nonResourceURLs: ["/livez*", "/readyz*", "/healthz*", "/version*", "/openapi*"] },
        // Who may reboot, and who was admitted. Leases of leader elections are renewed every few seconds instead.
        {
            level: "Metadata",
            verbs: ["update", "patch", "delete"],
            namespaces: ["kube-system"],
            resources: [{ ...leases, resourceNames: [rebootLease, admissionsLease] }],
        },
        // These requests have no name in their path; each Lease is created once.
        {
            level: "Metadata",
            verbs: ["create", "deletecollection"],
            namespaces: ["kube-system"],
            resources: [leases],
        },
        {
            level: "None",
            resources: [
                leases,
                { group: "", resources: ["events"] },
                { group: "events.k8s.io", resources: ["events"] },
            ],
        },
        // Polls by Tradewind's agents, kubelets and kube-apiserver itself are most requests of an idle cluster.
        { level: "None", verbs: reads, users: ["system:apiserver", nodeApproverUser] },
        { level: "None", verbs: reads, userGroups: ["system:nodes"], resources: [{ resources: ["nodes", "pods"] }] },
        {
            level: "Request",
            verbs: ["create", "update", "patch", "delete", "deletecollection"],
            resources: [{ group: "rbac.authorization.k8s.io" }],
        },
        { level: "Metadata" },
    ],
};
