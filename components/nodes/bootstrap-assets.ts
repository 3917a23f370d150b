import { addonsOrder, type BootstrapPlan, type Recovery } from "../../agents/bootstrap/plan";
import { type Config, config, directory, file, merge, unit } from "../../ignition";
import { addons } from "../addons";
import type { Credentials, Machine } from "../cluster/credentials";
import { fieldManager, type Manifest, manifestKey, owned } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { controlPlane, controlPlaneBase, selfHostedPod, temporaryPod } from "../control-plane";
import { bootstrapTokenSecret, tokenHolders, tokenKey, tokenLifetimeHours } from "../control-plane/bootstrap-tokens";
import { admittedControllers, namedPools, nodeApprover, nodePoolsConfig } from "../control-plane/node-approver";
import { bootstrapSecretsPath, controllerLabel, staticPod } from "../control-plane/pod";
import { type CredentialHolder, credentialFiles, credentialHolders } from "../control-plane/secrets";
import { localApiServer } from "./api-server";
import { bootstrapService } from "./bootstrap-service";
import { kubeletIdentity } from "./cloud-identity";
import { type EtcdStart, etcdMember, peerUrl } from "./etcd";
import { firstKubelet } from "./first-kubelet";
import { joiningAccess } from "./kubelet";
import { bootstrapRestart } from "./kubelet-restart";
import { paths } from "./paths";

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

export interface PivotOptions {
    /** See `BootstrapPlan.recovery`. */
    readonly recovery?: Recovery;
    /** Path of a shell script that must have succeeded before the agent starts. @default none */
    readonly before?: string;
}

/** What the first controller is given once, apart from its node config: CA keys are in it, and go after the pivot. */
export function bootstrapAssets(cluster: Cluster, options: BootstrapAssetsOptions): Config {
    const { machine, secrets, initialClusterState } = options;
    const member = firstMember(cluster, machine, secrets, initialClusterState);
    return merge(member, firstAccess(cluster, machine, secrets), pivotAssets(cluster, options));
}

/** An etcd that begins with this machine's member, or goes on with its data: `existing` never begins one without. */
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

/** How such a member starts. */
export function firstStart(machine: Machine): EtcdStart {
    return { machine, initialCluster: `${machine.name}=${peerUrl(machine)}`, initialClusterState: "new" };
}

/** How the first controller's kubelet joins by its own apiserver: there is no other. */
export function firstAccess(cluster: Cluster, machine: Machine, secrets: Credentials): Config {
    const joining = joiningAccess(cluster, {
        apiServer: localApiServer,
        ca: secrets.kubernetesCa.cert,
        bootstrapToken: secrets.bootstrapTokens[machine.name] ?? "",
    });
    return merge(firstKubelet(cluster, secrets), config({ files: [joining] }));
}

/** What the agent needs to bring a temporary control plane up and to hand over to the self-hosted one. */
export function pivotAssets(
    cluster: Cluster,
    options: BootstrapAssetsOptions,
    { recovery, before }: PivotOptions = {},
): Config {
    const { machine, secrets, agent } = options;
    const asset = (name: string, contents: string, mode = 0o600) =>
        file(`${paths.bootstrap}/${name}`, contents, { mode });
    const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
    return config({
        directories: [directory(paths.bootstrap, { mode: 0o700 }), directory(paths.bootstrapState, { mode: 0o700 })],
        files: [
            asset("bootstrap.js", agent),
            asset("bootstrap.json", json({ ...bootstrapPlan(cluster, machine, secrets), recovery })),
            asset("secrets/admin/ca.crt", secrets.kubernetesCa.cert),
            asset("secrets/admin/admin.crt", secrets.admin.cert),
            asset("secrets/admin/admin.key", secrets.admin.key),
            ...credentialHolders.flatMap((holder) => [
                asset(`static/${holder}.json`, json(staticPod(temporaryPod(cluster, holder)))),
                ...Object.entries(credentialFiles(cluster, holder, secrets)).map(([name, contents]) =>
                    asset(`secrets/${holder}/${name}`, contents),
                ),
            ]),
            ...bootstrapManifests(cluster, options).map(({ group, manifest }) =>
                asset(`manifests/${group}-${manifestKey(manifest).replaceAll("/", "-")}.json`, json(owned(manifest))),
            ),
        ],
        units: [
            unit("bootstrap.service", { enabled: true, contents: bootstrapService(cluster, before) }),
            unit("kubelet-restart.path", { enabled: true, contents: bootstrapRestart.path }),
            unit("kubelet-restart.service", { contents: bootstrapRestart.service }),
        ],
    });
}

/** The self-hosted set in the order of its groups; the same functions make the stack's resources. */
export function bootstrapManifests(
    cluster: Cluster,
    { machine, secrets, checkpointer, nodeApprover: agent }: Omit<BootstrapAssetsOptions, "agent">,
): { group: string; manifest: Manifest }[] {
    const tokens = tokenHolders(cluster, secrets.bootstrapTokens);
    // Machines of groups come when the stack says how their cloud is asked about them.
    const groups = tokens.filter(({ node }) => node === undefined).map(({ pool }) => pool);
    const admission = [
        ...nodeApprover(cluster, secrets, { agent }),
        nodePoolsConfig(namedPools(cluster, groups)),
        admittedControllers([machine.name]),
    ];
    const set = [
        ...controlPlaneBase(cluster, checkpointer),
        ...controlPlane(cluster, secrets),
        // What a stack of before remembers lacks the certificate: the cluster of a recovery has its own.
        ...(secrets.nodeApprover ? admission : []),
        ...tokens.map((holder) => bootstrapTokenSecret(holder, secrets.bootstrapTokens[tokenKey(holder)]!)),
    ];
    return [...group(set, 0), ...group(addons(cluster), addonsOrder)];
}

/** Rights, identities and configuration are there before the pods that use them. */
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
            secrets: bootstrapSecretsPath,
            staticPods: paths.staticPods,
            state: paths.bootstrapState,
        },
        credentials: { ca: "secrets/admin/ca.crt", cert: "secrets/admin/admin.crt", key: "secrets/admin/admin.key" },
        temporary: credentialHolders.map((name) => ({
            name,
            address: temporaryPod(cluster, name).address,
            ...processes[name],
            manifest: `static/${name}.json`,
        })),
        selfHosted: credentialHolders.map((name) => ({
            kind: "DaemonSet",
            namespace: "kube-system",
            name,
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
