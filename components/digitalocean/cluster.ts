import type { Droplet } from "@pulumi/digitalocean/droplet";
import type * as pulumi from "@pulumi/pulumi";
import { cloudDownloads } from "../../cluster/cloud-downloads";
import { receiverName } from "../../cluster/machines/bootstrap/receiver";
import { joinTemplates } from "../../cluster/machines/join-template";
import { mapValues } from "../../cluster/manifest";
import { nodesByPool } from "../../cluster/model";
import { ingressName } from "../../cluster/network/ingress";
import { clusterApiServer } from "../../cluster/network/ports";
import type { ControlPlaneSecretFiles, EtcdSnapshotSecrets, GivenKeys, LogHeaders } from "../../cluster/options";
import { missingOsUpdates } from "../../cluster/os-updates";
import { deliverBootstrap } from "../bootstrap/bootstrap";
import { adminKubeconfig, checkMachines, SelfHostedCluster } from "../cluster";
import { createInCluster } from "../in-cluster";
import { storeSecrets } from "../in-cluster/store-secrets";
import { MachineTokens } from "../pki/machine-tokens";
import { Pki } from "../pki/pki";
import { PoolWatch } from "../pool-watch/watch";
import { afterDependencies, noteUnknown, shown } from "../pulumi/late";
import { log } from "../pulumi/log";
import { SizeTurns } from "../rolling-resize/hooks";
import { Recreation } from "../rolling-resize/recreation";
import { LocalDataHooks } from "../upgrade/local-data-hooks";
import { createApi } from "./api";
import { createControllersName } from "./dns";
import { busyAdvice, createControllers, createWorkers, dropletHooks, warnOfStockImage } from "./droplets";
import { createImage } from "./imported-image";
import { consoleOfDroplet, createdInDigitalOcean, digitalOceanAddons, repairAccess } from "./in-cluster";
import { createIngress } from "./ingress";
import { createNetwork } from "./network";
import { checkUserData, workerNode } from "./node-configs";
import type { DigitalOceanOptions, DigitalOceanTokens } from "./options";
import { assignToProject } from "./project";
import { clusterOptions, resolveDigitalOcean } from "./resolve";
import { createNodeFirewall, createOwnFirewalls, createServiceFirewall } from "./security";
import { createSnapshotSpace, retainedSpace } from "./snapshots";

export interface DigitalOceanClusterArgs extends DigitalOceanOptions {
    /** Credentials for `etcdSnapshots.s3`. @default none */
    etcdSnapshotSecrets?: pulumi.Input<EtcdSnapshotSecrets>;
    /** Contents of the secret files that `controlPlaneFiles` names. @default none */
    controlPlaneSecretFiles?: pulumi.Input<ControlPlaneSecretFiles>;
    /** The CAs and keys that `keys.given` names. @default none */
    givenKeys?: pulumi.Input<GivenKeys>;
    /** HTTP headers for the server of `logs`, by name: a token, or the name of a tenant. @default none */
    logHeaders?: pulumi.Input<LogHeaders>;
    /**
     * Tokens of the DigitalOcean controllers in the cluster.
     * @default none @see docs/cloud-controllers.md#on-digitalocean
     */
    cloudTokens?: pulumi.Input<DigitalOceanTokens>;
}

/** A self-hosted Kubernetes cluster on DigitalOcean. */
export class DigitalOceanCluster extends SelfHostedCluster {
    readonly apiUrl: pulumi.Output<string>;
    /** DNS name of the ingress load balancer; point your records at it. @default none */
    readonly ingressName?: string;
    /** The `bucket` with etcd snapshots that outlives the cluster, and how to `copyKeys` of it and to `delete` it. @default none */
    readonly retainedSnapshots?: Readonly<Record<string, string>>;

    constructor(name: string, args: DigitalOceanClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("DigitalOceanCluster", name, args, opts);
        const {
            downloads: given = {},
            etcdSnapshotSecrets,
            controlPlaneSecretFiles,
            givenKeys,
            logHeaders,
            cloudTokens,
            ...options
        } = args;
        const { cluster, digitalOcean } = resolveDigitalOcean(name, options);
        const downloads = cloudDownloads(given, cluster.versions.kubernetes, "amd64");
        checkMachines(cluster, digitalOcean.os, downloads);
        warnOfStockImage(digitalOcean, downloads, this);
        noteUnknown(options, this);
        const withoutUpdates = missingOsUpdates(String(shown(digitalOcean.image)), cluster);
        if (withoutUpdates !== undefined) log.warn(withoutUpdates, this);
        const configs = { cluster, digitalOcean, downloads, machineCidr: digitalOcean.vpcCidr.text };
        checkUserData(configs);
        const parent = { parent: this };

        const pki = new Pki(
            name,
            {
                cluster,
                pools: Object.keys(nodesByPool(cluster)),
                receiverName: receiverName(cluster),
                secretFiles: controlPlaneSecretFiles,
                givenKeys,
            },
            parent,
        );
        const network = createNetwork(cluster, digitalOcean, afterDependencies(this, opts), parent);
        const guard = createNodeFirewall(name, network, cluster, parent);
        const guarded = (...others: pulumi.Resource[]) => ({ ...parent, dependsOn: [guard, ...others] });
        const turns = new SizeTurns(name, "size", busyAdvice);
        const recreation = new Recreation(digitalOcean.recreate, turns);
        const tokens = new MachineTokens(name, pki, this, recreation);
        const { region, ownImage } = digitalOcean;
        const image = ownImage ? createImage(name, { region, ownImage }, parent) : digitalOcean.image;
        const localData = new LocalDataHooks(cluster);
        const watch = new PoolWatch(cluster);
        const boots = { hooks: dropletHooks(name, turns, localData), image };
        const own = createControllers(configs, network, tokens, boots, guarded());
        const controllerDroplets = own.droplets;
        const controllersName = createControllersName(cluster, digitalOcean, controllerDroplets, {
            ...parent,
            deletedWith: network.vpc,
        });
        const workerDroplets = createWorkers(
            configs,
            network,
            tokens,
            { ...boots, watch },
            guarded(...controllersName),
        );
        const droplets = { ...controllerDroplets, ...workerDroplets };
        const candidateDroplets = Object.fromEntries(
            cluster.controllers.candidates.map((node) => [node, workerDroplets[node]!]),
        );
        const all = {
            controllers: Object.values({ ...controllerDroplets, ...candidateDroplets }),
            droplets: Object.values(droplets),
        };
        const api = createApi({ cluster, digitalOcean, network, ...all, controllersName }, parent);
        createServiceFirewall(name, digitalOcean, network, parent);
        createOwnFirewalls(name, digitalOcean, network, parent);
        createIngress(cluster, digitalOcean, network, workerDroplets, parent);
        const { snapshotSpace } = digitalOcean;
        this.retainedSnapshots = snapshotSpace && retainedSpace(snapshotSpace);
        const space =
            snapshotSpace &&
            createSnapshotSpace(name, snapshotSpace, network.names.ofSpace(snapshotSpace), {
                ...parent,
                // Which is refused if a name is taken: then nothing is created.
                dependsOn: network.vpc,
            });
        const urns = [
            ...all.droplets.map(({ dropletUrn }) => dropletUrn),
            ...own.volumes.map(({ volumeUrn }) => volumeUrn),
            ...(space ? [space.urn] : []),
        ];
        assignToProject(name, network.projectId, urns, parent);
        const machinesOf = (some: Readonly<Record<string, Droplet>>) =>
            Object.entries(some).map(([node, droplet]) => ({
                name: node,
                address: droplet.ipv4AddressPrivate,
                resource: droplet,
            }));
        const controllers = machinesOf(controllerDroplets);
        const candidates = machinesOf(candidateDroplets);
        const issued = pki.issue({ controllers: [...controllers, ...candidates], apiAddresses: api.addresses });
        const { credentials, lasting, approver, metrics, metricsServer, access } = issued;
        const snapshotSecrets = storeSecrets(cluster, space?.secrets ?? etcdSnapshotSecrets, issued.snapshotKeys);

        this.ingressName = digitalOcean.ingress && ingressName(cluster);
        this.apiUrl = api.url;
        this.describe(cluster, Object.keys(droplets), pki, issued);

        // By name: the load balancer's address is only known after all droplets exist.
        const byName = adminKubeconfig(cluster, clusterApiServer(cluster), access);
        turns.reachBy(byName);
        localData.reachBy(byName);

        const first = controllers[0]!;
        const machineId = first.resource.id;
        const console = machineId.apply(consoleOfDroplet);
        const { apiAllowedCidrs: allowedCidrs } = digitalOcean;
        const delivery = { cluster, server: api.firstUrl, first, machineId, credentials, console, allowedCidrs };
        const start = deliverBootstrap(name, delivery, { ...parent, dependsOn: [first.resource, ...api.way] });
        const inCluster = {
            cluster,
            credentials: lasting,
            approver,
            metrics,
            metricsServer,
            logHeaders,
            tokens: pki.tokens,
            kubeconfig: adminKubeconfig(cluster, this.apiUrl, access),
            lacksIssuer: pki.lacksIssuer,
            downloads: () => downloads,
            architecture: () => "amd64" as const,
            machines: mapValues(droplets, ({ ipv4Address, ipv4AddressPrivate }) => [ipv4AddressPrivate, ipv4Address]),
            deletedWith: network.vpc,
            cloudAddons: digitalOceanAddons({ cluster, digitalOcean, vpc: network.vpc, tokens: cloudTokens }),
            ...(cluster.repair && { repairAccess: repairAccess({ cluster, digitalOcean, tokens: cloudTokens }) }),
            createdByCluster: createdInDigitalOcean(cluster, digitalOcean, network, [...all.droplets, ...api.names]),
        };
        const { loadBalancer } = api;
        const createProvider = createInCluster(
            name,
            { ...inCluster, watch, controllers, candidates, loadBalancer, ...start, snapshotSecrets },
            this,
        );
        recreation.finish(droplets);
        const addresses = Object.entries(droplets).map(([node, { ipv4AddressPrivate }]) => [node, ipv4AddressPrivate]);
        const recovered = { ...clusterOptions(options), name };
        this.complete(createProvider, {
            options: recovered,
            machines: Object.fromEntries(addresses),
            credentials,
            snapshotSecrets,
            joining: pki
                .withoutToken()
                .apply((secrets) =>
                    joinTemplates(cluster, (pool, machine) => workerNode(configs, pool, machine.name, secrets)),
                ),
        });
    }
}
