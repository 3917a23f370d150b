import type * as pulumi from "@pulumi/pulumi";
import { refuseInstanceRole } from "../../cluster/etcd-snapshots";
import { requireLegalFlags } from "../../cluster/flags/check";
import { localStorage } from "../../cluster/manifests/addons/local-storage";
import { nodesByPool, possibleControllers } from "../../cluster/model";
import { ports } from "../../cluster/network/ports";
import { sharedOptions } from "../../cluster/option-keys";
import type {
    ControlPlaneSecretFiles,
    EtcdSnapshotSecrets,
    GivenKeys,
    LogHeaders,
    RegistryCredentials,
} from "../../cluster/options";
import { withDirectNetwork } from "../../cluster/proxy";
import { resolveCluster } from "../../cluster/resolve";
import { invalid, requireOneOf } from "../../cluster/validate";
import { createBootstrap, firstAssets } from "../bootstrap/bootstrap";
import { adminKubeconfig, checkMachines, SelfHostedCluster } from "../cluster";
import { createInCluster } from "../in-cluster";
import { storeSecrets } from "../in-cluster/store-secrets";
import { MachineTokens } from "../pki/machine-tokens";
import { Pki } from "../pki/pki";
import { LocalDataHooks } from "../upgrade/local-data-hooks";
import { addressesOf, createMachine, joiningConfigs, machineConfigs, machineOf } from "./machine";
import { createLoadBalancer, createNetwork, localNetwork, machineCommand } from "./network";
import type { LocalOptions } from "./options";
import { resolveZones } from "./zones";

export interface LocalClusterArgs extends LocalOptions {
    /** Credentials for `etcdSnapshots.s3`. @default none */
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
    /** Contents of the secret files that `controlPlaneFiles` names. @default none */
    controlPlaneSecretFiles?: pulumi.Input<ControlPlaneSecretFiles>;
    /** The CAs and keys that `keys.given` names. @default none */
    givenKeys?: pulumi.Input<GivenKeys>;
    /** HTTP headers for the server of `logs`, by name: a token, or the name of a tenant. @default none */
    logHeaders?: pulumi.Input<LogHeaders>;
    /** Logins for `registryMirrors`, by their `registry`. @default none */
    registryCredentials?: pulumi.Input<RegistryCredentials>;
    /**
     * Whether the API is lost together with its controllers, as in a drill that replaces them: checks that need it are
     * skipped with a warning, and `up` does not fail without it.
     * @default false
     */
    isApiLost?: boolean;
}

const formats = ["ignition", "cloud-init"];

/** Operating systems that the machines can imitate, and the node configs that each takes. */
const osLikes: Readonly<Record<string, readonly string[]>> = {
    ubuntu: formats,
    flatcar: ["ignition"],
    "fedora-coreos": ["ignition"],
    "virtual-machine": ["cloud-init"],
};

/** Seconds that a bootstrap may take on a machine whose processor is emulated. */
const emulatedSeconds = "3600";

/** A self-hosted Kubernetes cluster on local machines. */
export class LocalCluster extends SelfHostedCluster {
    readonly apiUrl: string;

    constructor(name: string, args: LocalClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("LocalCluster", name, args, opts);
        const { machineCidr, os = "ignition", osLike, downloads, isApiLost, storageClass = true } = args;
        const { etcdSnapshotSecrets, controlPlaneSecretFiles, givenKeys, registryCredentials, logHeaders } = args;
        const options = sharedOptions(args);
        // The mirror has images that were built here, with other digests than the published ones.
        // Such a cluster is for trials: `up` should not wait long.
        const upgradeGuard = { soak: "20s", ...options.upgradeGuard };
        const resolved = resolveCluster({ ...options, imageDigests: false, upgradeGuard, name });
        const cluster = withDirectNetwork(resolved, machineCidr);
        refuseInstanceRole(options.etcdSnapshots);
        requireLegalFlags(cluster);
        requireOneOf("os", formats, os);
        if (osLike !== undefined) {
            requireOneOf("osLike", Object.keys(osLikes), osLike);
            if (!osLikes[osLike]!.includes(os)) throw invalid("os", `${osLikes[osLike]} with osLike ${osLike}`, os);
        }
        checkMachines(cluster, os, downloads);
        const zones = resolveZones(args.zones);
        const addresses = localNetwork(cluster, machineCidr);
        const parent = { parent: this };

        const pki = new Pki(
            name,
            {
                cluster,
                pools: Object.keys(nodesByPool(cluster)),
                secretFiles: controlPlaneSecretFiles,
                givenKeys,
                registryCredentials,
            },
            parent,
        );
        const network = createNetwork(name, cluster, addresses, parent);
        const loadBalancer = createLoadBalancer(name, cluster, addresses, { ...parent, dependsOn: network });
        const tokens = new MachineTokens(name, pki, this);
        const configs = machineConfigs({ cluster, zones }, addresses, downloads, (machine) =>
            tokens.joiningOf(machine),
        );
        const [arbiter] = cluster.controllers.arbiter?.nodes ?? [];
        const placeOf = (node: string) => ({ name: node, address: addresses.machines[node]! });
        const issued = pki.issue({
            controllers: possibleControllers(cluster).map(placeOf),
            ...(arbiter && { arbiter: placeOf(arbiter) }),
            apiAddresses: [addresses.loadBalancer],
        });
        const { credentials, lasting, approver, metrics, metricsServer, access } = issued;
        const snapshotSecrets = storeSecrets(cluster, etcdSnapshotSecrets, issued.snapshotKeys);
        const localData = new LocalDataHooks(cluster, isApiLost);
        const hooks = localData.ofMachine;
        const machines = Object.fromEntries(
            Object.entries(configs).map(([node, config]) => {
                const machine = machineOf(addresses, node);
                return [
                    node,
                    createMachine(cluster, { machine, config, os, osLike, hooks }, { ...parent, dependsOn: network }),
                ];
            }),
        );

        this.apiUrl = `https://${addresses.loadBalancer}:${ports.kubeApiserver}`;
        this.describe(cluster, Object.keys(configs), pki, issued);

        const machinesOf = (nodes: readonly string[]) =>
            nodes.map((node) => ({ ...placeOf(node), resource: machines[node]! }));
        const controllers = machinesOf(cluster.controllers.names);
        const candidates = machinesOf(cluster.controllers.candidates);
        const start = createBootstrap(
            name,
            {
                command: machineCommand("bootstrap run", {
                    cluster: cluster.name,
                    name: controllers[0]!.name,
                    ...(osLike === "virtual-machine" && { timeout: emulatedSeconds }),
                }),
                input: firstAssets(cluster, controllers[0]!, credentials).apply((assets) => JSON.stringify(assets)),
            },
            { ...parent, dependsOn: [controllers[0]!.resource, loadBalancer] },
        );
        const accessKubeconfig = adminKubeconfig(cluster, this.apiUrl, access);
        localData.reachBy(accessKubeconfig);
        const inCluster = {
            cluster,
            credentials: lasting,
            approver,
            metrics,
            metricsServer,
            logHeaders,
            tokens: pki.tokens,
            kubeconfig: accessKubeconfig,
            lacksIssuer: pki.lacksIssuer,
            isApiLost,
            downloads: () => downloads,
            machines: Object.fromEntries(this.nodes.map((node) => [node, addressesOf(machineOf(addresses, node))])),
            deletedWith: network,
            ...(storageClass && { cloudAddons: { manifests: localStorage(cluster) } }),
        };
        const createProvider = createInCluster(
            name,
            {
                ...inCluster,
                controllers,
                candidates,
                arbiter: machinesOf(arbiter ? [arbiter] : [])[0],
                loadBalancer,
                ...start,
                snapshotSecrets,
            },
            this,
        );
        this.complete(createProvider, {
            options: { ...options, name },
            machines: addresses.machines,
            credentials,
            snapshotSecrets,
            joining: joiningConfigs(cluster, downloads, pki.withoutToken()),
        });
    }
}
