import { probeLease, type UpgradeGuardPlan } from "../../../agents/upgrade-guard/plan";
import { guardedPrograms, guardRecord } from "../../../agents/upgrade-guard/record";
import { controllerLabel } from "../../labels";
import { fieldManager, type Manifest, priorities } from "../../manifest";
import { type Cluster, possibleControllers } from "../../model";
import { localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import { agentConfigMap, agentPod, fromProgram, ownNodeEnv } from "../agent-workloads";
import { daemonSet } from "../objects";
import { asRoot, componentUsers, everywhere, fromHost, type PodSpec } from "../pod";
import { namespaceRole, serviceAccount } from "../rbac";

const name = "upgrade-guard";

/** The agent that takes an upgrade of the control plane back if it makes the API worse. */
export function upgradeGuard(cluster: Cluster, program: string): Manifest[] {
    const config = agentConfigMap(name, program, upgradeGuardPlan());
    return [...account(cluster), config, daemonSet(name, podSpec(cluster, config.metadata.name))];
}

export function upgradeGuardPlan(): UpgradeGuardPlan {
    return {
        apiServer: localApiServer,
        apiServerPort: ports.kubeApiserver,
        apiServerName: "kubernetes.default.svc",
        fieldManager,
        queues: {
            "kube-controller-manager": {
                port: ports.kubeControllerManager,
                user: componentUsers["kube-controller-manager"],
            },
            "kube-scheduler": { port: ports.kubeScheduler, user: componentUsers["kube-scheduler"] },
        },
        directories: {
            state: paths.upgradeGuardState,
            checkpoints: paths.checkpoints,
            staticPods: paths.staticPods,
        },
    };
}

/** It reads metrics, measures with Leases of its own, and may restore the pod templates of three DaemonSets. */
function account(cluster: Cluster): Manifest[] {
    const leases = { apiGroups: ["coordination.k8s.io"], resources: ["leases"] };
    return [
        ...serviceAccount(name, [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }]),
        ...namespaceRole(name, [
            { ...leases, verbs: ["create"] },
            { ...leases, resourceNames: possibleControllers(cluster).map(probeLease), verbs: ["get", "patch"] },
            {
                apiGroups: [""],
                resources: ["configmaps"],
                resourceNames: [guardRecord.name],
                verbs: ["get", "list", "watch", "patch"],
            },
            {
                apiGroups: ["apps"],
                resources: ["daemonsets"],
                resourceNames: [...guardedPrograms],
                verbs: ["get", "patch"],
            },
            // Names of pods are not known. It deletes kube-apiservers that refuse writes.
            { apiGroups: [""], resources: ["pods"], verbs: ["list", "delete"] },
            { apiGroups: [""], resources: ["events"], verbs: ["create"] },
        ]),
    ];
}

function podSpec(cluster: Cluster, config: string): PodSpec {
    const placement = {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.control.name,
        serviceAccountName: name,
        enableServiceLinks: false,
        nodeSelector: { [controllerLabel]: "" },
        tolerations: everywhere,
        terminationGracePeriodSeconds: 5,
        // It starts static pods.
        securityContext: asRoot,
    };
    return agentPod(cluster, name, placement, {
        options: ["--max-semi-space-size=1", "--max-old-space-size=96"],
        env: ownNodeEnv,
        cpu: "10m",
        mounted: [
            fromProgram(name, config),
            // Contains the checkpoints, and the static pods.
            fromHost("kubernetes", paths.kubernetes),
            fromHost("state", paths.upgradeGuardState, {}, "DirectoryOrCreate"),
        ],
    });
}
