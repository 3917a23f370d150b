import { addonsOrder, type BootstrapPlan, type Recovery } from "../../../agents/boot/bootstrap/plan";
import { type Config, config, directory, file, link, merge, unit } from "../../../ignition";
import type { Credentials, Machine } from "../../keys/credentials";
import { kubeconfig } from "../../kubeconfig";
import { kubeletKubeconfig } from "../../kubelet-settings";
import { controllerLabel } from "../../labels";
import { fieldManager, type Manifest, manifestKey, owned, priorities } from "../../manifest";
import { addons } from "../../manifests/addons";
import { controlPlane, controlPlaneBase, selfHostedPod } from "../../manifests/control-plane";
import { type CredentialHolder, credentialHolders } from "../../manifests/control-plane/secrets";
import { type EtcdStart, etcdMember, peerUrl } from "../../manifests/etcd/member";
import {
    bootstrapTokenSecret,
    tokenHolders,
    tokenKey,
    tokenLifetimeHours,
} from "../../manifests/nodes/bootstrap-tokens";
import { controllersRecord } from "../../manifests/nodes/controllers-record";
import { admittedControllers, namedPools, nodeApprover, nodePoolsConfig } from "../../manifests/nodes/node-approver";
import { json } from "../../manifests/objects";
import type { Cluster } from "../../model";
import { localApiServer, ports } from "../../network/ports";
import { paths } from "../../paths";
import { forSelinux } from "../../selinux";
import { agentRun } from "../agent-run";
import { kubeletIdentity } from "../kubelet/cloud-identity";
import { bootstrapRestart } from "../kubelet/restart";
import { joiningAccess } from "../kubelet/unit";

export interface BootstrapAssetsOptions {
    /** The first controller. */
    readonly machine: Machine;
    readonly secrets: Credentials;
    /** Source text of the bootstrap agent. */
    readonly agent: string;
    /** Source text of the checkpointer. */
    readonly checkpointer: string;
    /** Source text of the agent that admits machines. */
    readonly nodeApprover: string;
    /** See `EtcdStart.initialClusterState`. @default "new" */
    readonly initialClusterState?: EtcdStart["initialClusterState"];
}

interface PivotOptions {
    /** See `BootstrapPlan.recovery`. */
    readonly recovery?: Recovery;
    /** Path of a shell script that must succeed before the agent starts. @default none */
    readonly before?: string;
}

/**
 * One-time files of the first controller, apart from its node config. They include CA keys and are deleted after the
 * pivot.
 */
export function bootstrapAssets(cluster: Cluster, options: BootstrapAssetsOptions): Config {
    const { machine, secrets, initialClusterState } = options;
    const member = firstMember(cluster, machine, secrets, initialClusterState);
    return merge(member, firstAccess(cluster, machine, secrets), pivotAssets(cluster, options));
}

/**
 * An etcd that starts with this machine's member. With `existing` it only continues with existing data and never starts
 * a new cluster.
 */
export function firstMember(
    cluster: Cluster,
    machine: Machine,
    secrets: Credentials,
    initialClusterState: EtcdStart["initialClusterState"] = "new",
): Config {
    return etcdMember(cluster, {
        ...firstStart(machine),
        initialClusterState,
        ca: secrets.etcdCa.cert,
        certificate: secrets.etcdMembers[machine.name]!,
    });
}

/** How that member starts. */
export function firstStart(machine: Machine): EtcdStart {
    return { machine, initialCluster: `${machine.name}=${peerUrl(machine)}`, initialClusterState: "new" };
}

/** The first controller's kubelet joins through its own apiserver: there is no other. */
export function firstAccess(cluster: Cluster, machine: Machine, secrets: Credentials): Config {
    const joining = joiningAccess(cluster, {
        apiServer: localApiServer,
        ca: secrets.kubernetesCa.cert,
        bootstrapToken: secrets.bootstrapTokens[machine.name] ?? "",
    });
    return merge(firstKubelet(cluster, secrets), config({ files: [joining] }));
}

/** What the agent needs to start the control plane from checkpoints and apply its objects. */
export function pivotAssets(
    cluster: Cluster,
    options: BootstrapAssetsOptions,
    { recovery, before }: PivotOptions = {},
): Config {
    const { machine, secrets, agent } = options;
    const asset = (name: string, contents: string, mode = 0o600) =>
        file(`${paths.bootstrap}/${name}`, contents, { mode });
    return config({
        directories: [directory(paths.bootstrap, { mode: 0o700 }), directory(paths.bootstrapState, { mode: 0o700 })],
        files: [
            asset("bootstrap.js", agent),
            asset("bootstrap.json", json({ ...bootstrapPlan(cluster, machine, secrets), recovery })),
            asset("secrets/admin/ca.crt", secrets.kubernetesCa.cert),
            asset("secrets/admin/admin.crt", secrets.admin.cert),
            asset("secrets/admin/admin.key", secrets.admin.key),
            ...bootstrapManifests(cluster, options).map(({ group, manifest }) =>
                asset(
                    `manifests/${group}-${manifestKey(manifest).replaceAll("/", "-")}.json`,
                    json(owned(forSelinux(cluster, manifest))),
                ),
            ),
        ],
        units: [
            unit("bootstrap.service", { enabled: true, contents: bootstrapService(cluster, before) }),
            unit("kubelet-restart.path", { enabled: true, contents: bootstrapRestart.path }),
            unit("kubelet-restart.service", { contents: bootstrapRestart.service }),
        ],
    });
}

/** The self-hosted manifests in the order of their groups; the same functions create the stack's resources. */
export function bootstrapManifests(
    cluster: Cluster,
    { machine, secrets, checkpointer, nodeApprover: agent }: Omit<BootstrapAssetsOptions, "agent">,
): { group: string; manifest: Manifest }[] {
    const tokens = tokenHolders(cluster, secrets.bootstrapTokens);
    // Groups can only join once the stack has configured how to query their cloud.
    const groups = tokens.filter(({ node }) => node === undefined).map(({ pool }) => pool);
    const admission = [
        ...nodeApprover(cluster, secrets, { agent }),
        nodePoolsConfig(namedPools(cluster, groups)),
        admittedControllers([machine.name]),
    ];
    const set = [
        ...controlPlaneBase(cluster, checkpointer),
        ...controlPlane(cluster, secrets),
        // The state of an older stack lacks the certificate: a cluster being recovered has its own.
        ...(secrets.nodeApprover ? admission : []),
        ...tokens.map((holder) => bootstrapTokenSecret(holder, secrets.bootstrapTokens[tokenKey(holder)]!)),
    ];
    // Before the policy that reads it, and before any candidate can join.
    const hasCandidates = cluster.controllers.candidates.length > 0;
    const record = hasCandidates ? [{ group: "000", manifest: controllersRecord() }] : [];
    return [...record, ...group(set, 0), ...group(addons(cluster), addonsOrder)];
}

/** Permissions, service accounts and configuration must exist before the pods that use them. */
function group(manifests: readonly Manifest[], order: number): { group: string; manifest: Manifest }[] {
    const isWorkload = ({ kind }: Manifest) => kind === "DaemonSet" || kind === "Deployment";
    return manifests.map((manifest) => ({
        group: String(order + (isWorkload(manifest) ? 20 : 10)).padStart(3, "0"),
        manifest,
    }));
}

const processes: Record<CredentialHolder, { port: number; probe: string }> = {
    "kube-apiserver": { port: ports.kubeApiserver, probe: "/readyz" },
    "kube-controller-manager": { port: ports.kubeControllerManager, probe: "/healthz" },
    "kube-scheduler": { port: ports.kubeScheduler, probe: "/readyz" },
};

function bootstrapPlan(cluster: Cluster, machine: Machine, secrets: Credentials): BootstrapPlan {
    return {
        clusterName: cluster.name,
        nodeName: machine.name,
        apiServer: localApiServer,
        fieldManager,
        directories: {
            assets: paths.bootstrap,
            checkpoints: paths.checkpoints,
            staticPods: paths.staticPods,
            state: paths.bootstrapState,
        },
        credentials: { ca: "secrets/admin/ca.crt", cert: "secrets/admin/admin.crt", key: "secrets/admin/admin.key" },
        selfHosted: credentialHolders.map((name) => ({
            kind: "DaemonSet",
            namespace: "kube-system",
            name,
            priority: priorities.control.value,
            address: selfHostedPod(cluster, name, secrets).address,
            ...processes[name],
            ...(name === "kube-apiserver" && { listener: { port: ports.haproxyReady, path: "/up" } }),
        })),
        kubeletRestart: paths.kubeletRestart,
        controllerLabels: { [controllerLabel]: "" },
        ...(cluster.cloudProvider && { kubeletIdentity }),
        tokens: { expiresAfterHours: tokenLifetimeHours },
        versions: { kubernetes: cluster.versions.kubernetes },
    };
}

/**
 * Runs the bootstrap agent until the control plane has pivoted, and never again. A script can run before it, given by
 * its path.
 */
export function bootstrapService(cluster: Cluster, before?: string): string {
    const run = agentRun(cluster, {
        container: "tradewind-bootstrap",
        mounts: [paths.bootstrap, paths.bootstrapState, paths.kubernetes].map((path) => ({ path, mode: "rw" })),
        command: `node ${paths.bootstrap}/bootstrap.js`,
        ...(before !== undefined && { before: `ExecStartPre=/bin/sh ${before}\n` }),
    });
    return `[Unit]
Description=Start the control plane from checkpoints and apply its objects
# Until the pivot is done, and then until no key of the bootstrap is left here.
ConditionPathExists=|!${paths.bootstrapState}/pivoted
ConditionPathExists=|${paths.bootstrap}/secrets
ConditionPathExists=|${paths.bootstrap}/manifests
# Not Requires: it continues after containerd was stopped and started.
Wants=containerd.service network-online.target
After=containerd.service network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
RemainAfterExit=yes
Restart=on-failure
RestartSec=1
${run}

[Install]
WantedBy=multi-user.target
`;
}

/** The kubelet's own name for its current certificate: a link that it updates on rotation. */
const current = paths.kubeletClient;
const first = `${paths.kubeletPki}/kubelet-client-first.pem`;

/**
 * Client certificate for the first kubelet, which starts before there is a cluster that could issue one.
 *
 * TLS bootstrap would retry with growing delays while the API starts, and poll for the answer every 10 s: a third of
 * the time to the pivot. The kubelet renews this certificate like any other; if it has expired before the machine first
 * boots, the kubelet falls back to its bootstrap token.
 */
export function firstKubelet(cluster: Cluster, { kubernetesCa, firstKubelet: { cert, key } }: Credentials): Config {
    const access = kubeconfig({
        cluster: cluster.name,
        server: localApiServer,
        ca: kubernetesCa.cert,
        user: "kubelet",
        credentials: { certificateFile: current },
    });
    return config({
        directories: [directory(paths.kubeletPki, { mode: 0o700 })],
        files: [
            file(first, `${cert}${key}`, { mode: 0o600 }),
            file(kubeletKubeconfig(cluster), access, { mode: 0o600 }),
        ],
        links: [link(current, first)],
    });
}
