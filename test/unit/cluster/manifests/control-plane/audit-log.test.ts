import assert from "node:assert/strict";
import { auditPolicy } from "../../../../../cluster/manifests/control-plane/audit-log";

interface Rule {
    readonly level: string;
    readonly verbs?: readonly string[];
    readonly users?: readonly string[];
    readonly userGroups?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly nonResourceURLs?: readonly string[];
    readonly resources?: readonly {
        readonly group?: string;
        readonly resources?: readonly string[];
        readonly resourceNames?: readonly string[];
    }[];
}

/** Level of an administrator's request for a Lease, as kube-apiserver decides: the first rule that matches. */
function levelOf(verb: string, namespace: string, name = ""): string | undefined {
    const rule = (auditPolicy.rules as readonly Rule[]).find(
        ({ verbs, users, userGroups, namespaces, nonResourceURLs, resources }) =>
            !(users || userGroups || nonResourceURLs) &&
            (!verbs || verbs.includes(verb)) &&
            (!namespaces || namespaces.includes(namespace)) &&
            (!resources ||
                resources.some(
                    ({ group, resources: kinds, resourceNames }) =>
                        group === "coordination.k8s.io" &&
                        (!kinds || kinds.includes("leases")) &&
                        (!resourceNames || resourceNames.includes(name)),
                )),
    );
    return rule?.level;
}

describe("the audit policy", () => {
    for (const [verb, namespace, name, level] of [
        ["patch", "kube-system", "os-reboot", "Metadata"],
        ["update", "kube-system", "node-approver", "Metadata"],
        ["delete", "kube-system", "os-reboot", "Metadata"],
        ["create", "kube-system", "", "Metadata"],
        ["deletecollection", "kube-system", "", "Metadata"],
        ["get", "kube-system", "os-reboot", "None"],
        ["update", "kube-system", "kube-scheduler", "None"],
        ["update", "kube-node-lease", "os-reboot", "None"],
        ["create", "kube-node-lease", "", "None"],
    ] as const) {
        it(`${level === "None" ? "leaves out" : "has"} ${verb} of ${name || "a Lease"} in ${namespace}`, () => {
            assert.equal(levelOf(verb, namespace, name), level);
        });
    }
});
