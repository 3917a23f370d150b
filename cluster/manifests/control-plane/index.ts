import type { LastingCredentials } from "../../keys/credentials";
import { contentHash, type Manifest } from "../../manifest";
import type { Cluster } from "../../model";
import { joinedMachinesPolicy } from "../nodes/joined-machines-policy";
import { nodeRecordsPolicy } from "../nodes/node-records-policy";
import { placementPolicy } from "../nodes/placement-policy";
import { staticPodPolicy } from "../nodes/static-pod-policy";
import { disruptionBudget } from "../objects";
import { rbacManifests } from "../rbac";
import { checkpointer } from "./checkpointer";
import { type ComponentPod, controllerDaemonSet } from "./component-pod";
import { filesConfigMaps, filesDigest, filesSecret } from "./files";
import { kubeApiserverPod } from "./kube-apiserver";
import { kubeControllerManagerPod } from "./kube-controller-manager";
import { kubeSchedulerPod } from "./kube-scheduler";
import { kubeSystemPolicy } from "./kube-system-policy";
import { type CredentialHolder, credentialDigest, credentialHolders, credentialSecret, keysOf } from "./secrets";

/**
 * Control plane objects that need no secrets: known in the first preview.
 *
 * @param checkpointerProgram - source text of the checkpointer
 */
export function controlPlaneBase(cluster: Cluster, checkpointerProgram: string): Manifest[] {
    return [
        ...rbacManifests(cluster),
        ...placementPolicy(cluster),
        ...joinedMachinesPolicy(cluster),
        ...staticPodPolicy(cluster),
        ...nodeRecordsPolicy(cluster),
        ...kubeSystemPolicy(),
        ...disruptionBudgets(cluster),
        ...filesConfigMaps(cluster),
        ...checkpointer(cluster, checkpointerProgram),
    ];
}

/** Control plane objects that depend on the PKI. */
export function controlPlane(cluster: Cluster, secrets: LastingCredentials): Manifest[] {
    return credentialHolders.flatMap((holder) => [
        credentialSecret(cluster, holder, secrets),
        ...filesSecret(cluster, holder, secrets),
        componentDaemonSet(cluster, holder, secrets),
    ]);
}

/** A generation of a component, run by its DaemonSet. */
export function selfHostedPod(cluster: Cluster, holder: CredentialHolder, secrets: LastingCredentials): ComponentPod {
    const digest = credentialDigest(cluster, holder, secrets);
    const files = filesDigest(cluster, holder, secrets);
    return buildPod(cluster, holder, files ? contentHash([digest, files]) : digest);
}

function componentDaemonSet(cluster: Cluster, holder: CredentialHolder, secrets: LastingCredentials): Manifest {
    const files = filesDigest(cluster, holder, secrets);
    // New credentials must replace the pods; an updated Secret alone would change files of a running process.
    const annotations = {
        "tradewind.dev/credentials": credentialDigest(cluster, holder, secrets),
        ...(files && { "tradewind.dev/files": files }),
        ...keysOf(cluster, holder),
    };
    return controllerDaemonSet(selfHostedPod(cluster, holder, secrets), annotations);
}

function buildPod(cluster: Cluster, holder: CredentialHolder, digest: string): ComponentPod {
    switch (holder) {
        case "kube-apiserver":
            return kubeApiserverPod(cluster, digest);
        case "kube-controller-manager":
            return kubeControllerManagerPod(cluster, digest);
        case "kube-scheduler":
            return kubeSchedulerPod(cluster, digest);
    }
}

/** Keeps evictions from removing the majority of a control plane component, or its only pod. */
export function disruptionBudgets(cluster: Cluster): Manifest[] {
    // A DaemonSet has no scale subresource, so its budget must be a minimum number of pods.
    const minAvailable = Math.max(1, cluster.controllers.names.length - 1);
    return credentialHolders.map((name) => disruptionBudget(name, { minAvailable }));
}
