import { contentHash } from "../cluster/content-hash";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { priorities } from "../cluster/priorities";
import { beforeCloudController, controllerLabel, type PodSpec } from "./pod";

const namespace = "kube-system";
const rbac = "rbac.authorization.k8s.io";

/** A ConfigMap that is named by its content, so that a change of it rolls the pods. */
export function immutableConfigMap(prefix: string, data: Record<string, string>): Manifest {
    return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${prefix}-${contentHash(data)}`, namespace },
        immutable: true,
        data,
    };
}

/** An agent that runs once in the cluster, on any of its controllers: two at once would do their work without each other. */
export function singleAgent(name: string, spec: PodSpec): Manifest {
    const labels = { "k8s-app": name };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace, labels },
        spec: {
            replicas: 1,
            strategy: { type: "Recreate" },
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec },
        },
    };
}

/** Where such an agent runs: on another controller soon when its own is lost, since somebody may be waiting for it. */
export function onAnyController(
    cluster: Pick<Cluster, "cloudProvider">,
    serviceAccountName: string,
): Omit<PodSpec, "containers"> {
    return {
        nodeSelector: { [controllerLabel]: "" },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        serviceAccountName,
        enableServiceLinks: false,
        tolerations: [
            { key: controllerLabel, operator: "Exists", effect: "NoSchedule" },
            ...beforeCloudController(cluster),
            ...["not-ready", "unreachable"].map((state) => ({
                key: `node.kubernetes.io/${state}`,
                operator: "Exists",
                effect: "NoExecute",
                tolerationSeconds: 60,
            })),
        ],
    };
}

/** What somebody may do in one namespace. */
export function role(of: string, inNamespace: string, subject: object, rules: readonly object[]): Manifest[] {
    const metadata = { name: `tradewind:${of}`, namespace: inNamespace };
    return [
        { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules },
        {
            apiVersion: `${rbac}/v1`,
            kind: "RoleBinding",
            metadata,
            roleRef: { apiGroup: rbac, kind: "Role", name: metadata.name },
            subjects: [subject],
        },
    ];
}
