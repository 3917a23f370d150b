import assert from "node:assert/strict";
import { controllerLabel } from "../../../../cluster/labels";
import type { Manifest } from "../../../../cluster/manifest";
import { inCluster } from "../../../../dev/reference/permissions";
import { podSpecOf } from "../../components/in-cluster/fixture";

interface Rule {
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
}

/** What any of these verbs on the resource leads to all of the cluster with, or to other machines. */
const powers: Readonly<Record<string, readonly string[]>> = {
    // Pods of kube-system may do everything.
    pods: ["create"],
    "pods/exec": ["create", "get"],
    "pods/attach": ["create", "get"],
    "pods/portforward": ["create", "get"],
    "pods/proxy": ["create", "get"],
    "pods/ephemeralcontainers": ["update", "patch"],
    "pods/eviction": ["create"],
    daemonsets: ["create", "update", "patch"],
    deployments: ["create", "update", "patch"],
    replicasets: ["create", "update", "patch"],
    statefulsets: ["create", "update", "patch"],
    jobs: ["create", "update", "patch"],
    cronjobs: ["create", "update", "patch"],
    secrets: ["get", "list", "watch", "create", "update", "patch"],
    configmaps: ["create", "update", "patch", "delete"],
    "serviceaccounts/token": ["create"],
    serviceaccounts: ["impersonate"],
    users: ["impersonate"],
    groups: ["impersonate"],
    roles: ["create", "update", "patch", "bind", "escalate"],
    clusterroles: ["create", "update", "patch", "bind", "escalate"],
    rolebindings: ["create", "update", "patch"],
    clusterrolebindings: ["create", "update", "patch"],
    nodes: ["create", "update", "patch", "delete", "deletecollection"],
    "nodes/status": ["update", "patch"],
    "nodes/proxy": ["get", "create"],
    persistentvolumes: ["create", "update", "patch"],
    certificatesigningrequests: ["update", "patch"],
    "certificatesigningrequests/approval": ["update", "patch"],
    signers: ["approve", "sign"],
    mutatingwebhookconfigurations: ["create", "update", "patch", "delete"],
    validatingwebhookconfigurations: ["create", "update", "patch", "delete"],
    mutatingadmissionpolicies: ["create", "update", "patch", "delete"],
    mutatingadmissionpolicybindings: ["create", "update", "patch", "delete"],
    validatingadmissionpolicies: ["create", "update", "patch", "delete"],
    validatingadmissionpolicybindings: ["create", "update", "patch", "delete"],
    apiservices: ["create", "update", "patch"],
    endpoints: ["create", "update", "patch"],
    endpointslices: ["create", "update", "patch"],
    services: ["create", "update", "patch"],
    "services/status": ["update", "patch"],
    leases: ["create", "update", "patch", "delete"],
};

const allowed: Readonly<Record<string, string>> = {
    "flannel: patch nodes/status": "placement.tradewind.dev confines it to the node that its token is from",
};

/** Kubernetes' own roles without any of these powers. Source: its bootstrap policy. */
const harmless: readonly string[] = [
    "extension-apiserver-authentication-reader",
    "system:auth-delegator",
    "system:node-proxier",
];

function runsOnWorkers(manifest: Manifest): boolean {
    const { nodeSelector = {} } = podSpecOf(manifest)! as { nodeSelector?: Record<string, string> };
    const { [controllerLabel]: role, "kubernetes.io/hostname": name } = nodeSelector;
    const pool = nodeSelector["node.kubernetes.io/pool"];
    return role === undefined && pool !== "controller" && !/-controller-\d+$/.test(name ?? "");
}

/** Accounts whose tokens are on workers. */
function accountsOnWorkers(manifests: readonly Manifest[]): string[] {
    const specs = manifests.filter((each) => podSpecOf(each) && runsOnWorkers(each)).map((each) => podSpecOf(each)!);
    return [...new Set(specs.flatMap(({ serviceAccountName }) => (serviceAccountName as string | undefined) ?? []))];
}

/** `flannel: patch nodes/status` */
function powersOf(account: string, manifests: readonly Manifest[]): string[] {
    const bindings = manifests.filter(({ kind, subjects = [] }) => {
        const all = subjects as { kind: string; name: string }[];
        return /Binding$/.test(kind) && all.some((each) => each.kind === "ServiceAccount" && each.name === account);
    });
    return bindings.flatMap(({ roleRef }) => {
        const { kind, name } = roleRef as { kind: string; name: string };
        const role = manifests.find((each) => each.kind === kind && each.metadata.name === name);
        if (role === undefined) return harmless.includes(name) ? [] : [`${account}: ${name}`];
        return (role.rules as Rule[]).flatMap(({ resources = [], verbs }) =>
            resources.flatMap((resource) =>
                verbs
                    .filter((verb) => verb === "*" || resource === "*" || powers[resource]?.includes(verb))
                    .map((verb) => `${account}: ${verb} ${resource}`),
            ),
        );
    });
}

describe("a service account whose pods may run on workers", () => {
    const all = Object.values(inCluster).flat();

    it("can create no pods, read no Secrets and change nothing that leads to the rest of the cluster", () => {
        const accounts = accountsOnWorkers(all);
        for (const known of ["flannel", "kube-proxy", "coredns"]) assert.ok(accounts.includes(known), known);
        const found = [...new Set(accounts.flatMap((account) => powersOf(account, all)))];
        assert.deepEqual(
            found.filter((power) => !(power in allowed)),
            [],
        );
        assert.deepEqual(
            Object.keys(allowed).filter((power) => !found.includes(power)),
            [],
        );
    });

    it("is not one of those that can", () => {
        const accounts = accountsOnWorkers(all);
        for (const mighty of ["local-path-provisioner", "ebs-csi-controller", "cluster-autoscaler", "node-cleaner"]) {
            assert.ok(powersOf(mighty, all).length > 0, mighty);
            assert.ok(!accounts.includes(mighty), mighty);
        }
    });
});
