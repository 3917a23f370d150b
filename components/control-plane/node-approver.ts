import type { NodeApproverPlan } from "../../agents/node-approver/plan";
import { serviceAccount } from "../addons/service-account";
import { contentHash } from "../cluster/content-hash";
import type { MachineGroups } from "../cluster/machine-groups";
import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { priorities } from "../cluster/priorities";
import { localApiServer } from "../nodes/api-server";
import { poolLabel } from "../nodes/worker";
import { confined, controllerLabel, lastWords, nobody, type PodSpec } from "./pod";
import { bootstrapGroup } from "./rbac";

const namespace = "kube-system";
const name = "node-approver";
const programPath = `/opt/tradewind/${name}`;
const rbac = "rbac.authorization.k8s.io";
const certificates = "certificates.k8s.io";

/** The group of whoever has the lasting token of a pool: they may ask for a certificate, which nothing else approves. */
export function poolGroup(pool: string): string {
    return `${bootstrapGroup}-pool:${pool}`;
}

/** The agent that lets machines of groups become nodes. A pool's token does not end, and so says little. */
export function nodeApprover(cluster: Cluster, groups: MachineGroups, agent: string): Manifest[] {
    const plan = `${JSON.stringify(nodeApproverPlan(groups), null, 2)}\n`;
    const data = { [`${name}.js`]: agent, "plan.json": plan };
    const program: Manifest = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${name}-${contentHash(data)}`, namespace },
        immutable: true,
        data,
    };
    return [
        ...account(),
        mayAsk(Object.keys(groups.max)),
        program,
        deployment(podSpec(cluster, program.metadata.name)),
    ];
}

export function nodeApproverPlan({ namePattern, max }: MachineGroups): NodeApproverPlan {
    const pools = Object.entries(max).map(([pool, most]) => [poolGroup(pool), { pool, namePattern, max: most }]);
    return { apiServer: localApiServer, poolLabel, pools: Object.fromEntries(pools) };
}

function account(): Manifest[] {
    const kubelets = ["kubernetes.io/kube-apiserver-client-kubelet"];
    return serviceAccount(name, [
        { apiGroups: [""], resources: ["nodes"], verbs: ["list"] },
        { apiGroups: [certificates], resources: ["certificatesigningrequests"], verbs: ["list"] },
        { apiGroups: [certificates], resources: ["certificatesigningrequests/approval"], verbs: ["patch"] },
        { apiGroups: [certificates], resources: ["signers"], resourceNames: kubelets, verbs: ["approve"] },
    ]);
}

function mayAsk(pools: readonly string[]): Manifest {
    return {
        apiVersion: `${rbac}/v1`,
        kind: "ClusterRoleBinding",
        metadata: { name: "tradewind:machine-groups" },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "system:node-bootstrapper" },
        subjects: pools.map((pool) => ({ apiGroup: rbac, kind: "Group", name: poolGroup(pool) })),
    };
}

function deployment(spec: PodSpec): Manifest {
    const labels = { "k8s-app": name };
    return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, namespace, labels },
        spec: {
            replicas: 1,
            // Two at once would count without each other.
            strategy: { type: "Recreate" },
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec },
        },
    };
}

function podSpec({ images }: Cluster, program: string): PodSpec {
    return {
        nodeSelector: { [controllerLabel]: "" },
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        serviceAccountName: name,
        enableServiceLinks: false,
        tolerations: [
            { key: controllerLabel, operator: "Exists", effect: "NoSchedule" },
            // To another controller soon: machines may be waiting.
            ...["not-ready", "unreachable"].map((state) => ({
                key: `node.kubernetes.io/${state}`,
                operator: "Exists",
                effect: "NoExecute",
                tolerationSeconds: 60,
            })),
        ],
        securityContext: {
            runAsNonRoot: true,
            runAsUser: nobody,
            runAsGroup: nobody,
            seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
            {
                name,
                image: images.node,
                ...lastWords,
                command: ["node", "--max-old-space-size=64", `${programPath}/${name}.js`, `${programPath}/plan.json`],
                resources: { requests: { cpu: "10m", memory: "64Mi" } },
                securityContext: confined,
                volumeMounts: [{ name: "program", mountPath: programPath, readOnly: true }],
            },
        ],
        volumes: [{ name: "program", configMap: { name: program } }],
    };
}
