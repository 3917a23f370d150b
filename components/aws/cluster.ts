import type { SecurityGroup } from "@pulumi/aws/ec2/securityGroup";
import * as pulumi from "@pulumi/pulumi";
import { receiverName } from "../../cluster/machines/bootstrap/receiver";
import { checkConfigs } from "../../cluster/machines/check";
import { requireDownloads, requireRuntimeOf } from "../../cluster/machines/download-checks";
import { joinTemplates } from "../../cluster/machines/join-template";
import { joiningWorker } from "../../cluster/machines/joining-configs";
import { mapValues } from "../../cluster/manifest";
import { isCandidatePool, nodesByPool } from "../../cluster/model";
import { ingressName } from "../../cluster/network/ingress";
import { clusterApiServer } from "../../cluster/network/ports";
import type {
    ControlPlaneSecretFiles,
    EtcdSnapshotSecrets,
    GivenKeys,
    LogHeaders,
    RegistryCredentials,
} from "../../cluster/options";
import { missingOsUpdates } from "../../cluster/os-updates";
import { deliverBootstrap } from "../bootstrap/bootstrap";
import { adminKubeconfig, SelfHostedCluster } from "../cluster";
import { createInCluster } from "../in-cluster";
import { storeSecrets } from "../in-cluster/store-secrets";
import { MachineTokens } from "../pki/machine-tokens";
import { Pki } from "../pki/pki";
import { PoolWatch } from "../pool-watch/watch";
import { noteUnknown } from "../pulumi/late";
import { log } from "../pulumi/log";
import { retainedSnapshots } from "../retained-snapshots";
import { SizeTurns } from "../rolling-resize/hooks";
import { Recreation } from "../rolling-resize/recreation";
import { LocalDataHooks } from "../upgrade/local-data-hooks";
import { AwsAccount } from "./account";
import { createConfigStore, createSnapshotBucket } from "./buckets";
import { downloadsFor } from "./downloads";
import { createIdentities } from "./iam/identities";
import { createTokenIssuer } from "./iam/token-issuer";
import {
    awsAddons,
    cleanedGroups,
    consoleOfInstance,
    createdInAws,
    pooledMachines,
    repairAccess,
    servingInstances,
} from "./in-cluster";
import { createCandidates } from "./machines/candidates";
import { createControllers } from "./machines/controllers";
import { createImages } from "./machines/find-image";
import { warnOfImages } from "./machines/image-warnings";
import { nameOfImage } from "./machines/images";
import { launchesHere } from "./machines/launches";
import { machineGroups, nodeGroups } from "./machines/machine-groups";
import { zoneWarnings } from "./machines/scaling";
import { checkCloudInit } from "./machines/user-data";
import { createPool } from "./machines/workers";
import { createDns, hostedZone } from "./network/dns";
import { createServiceEndpoints, requireReachable, serviceEndpoints } from "./network/endpoints";
import { createInboundRules } from "./network/inbound-rules";
import { createIngress, createLoadBalancer } from "./network/load-balancer";
import { createNetwork } from "./network/network";
import { createNodeApi } from "./network/node-api";
import { apiClientsOf, createSecurity } from "./network/security-groups";
import type { AwsOptions } from "./options";
import { resolveAws } from "./resolve";
import { clusterOptions } from "./shared-options";
import { clusterTags } from "./tags";

export interface AwsClusterArgs extends AwsOptions {
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
}

const controller = "controller";

/** A self-hosted Kubernetes cluster on AWS. */
export class AwsCluster extends SelfHostedCluster {
    readonly apiUrl: pulumi.Output<string>;
    /** DNS name of the ingress load balancer; point your records at it. @default none */
    readonly ingressName?: string;
    /** The `bucket` with etcd snapshots that outlives the cluster, and how to `copyKeys` of it and to `delete` it. @default none */
    readonly retainedSnapshots?: Readonly<Record<string, string>>;
    readonly vpcId: pulumi.Output<string>;
    /**
     * Route tables of the nodes' subnets, for your own routes to other networks.
     * @default none, for an existing network
     */
    readonly routeTableIds: pulumi.Output<string>[];
    /** ARNs of the instances' roles: of each pool, and of `controller`. */
    readonly roleArns: Record<string, pulumi.Output<string>>;
    /** Issuer of service account tokens that IAM trusts. @default none */
    readonly oidcIssuerUrl?: string;
    /** ARN of IAM's provider for it, for the trust policies of roles. @default none */
    readonly oidcProviderArn?: pulumi.Output<string>;
    /** The issuer's documents, by path below its URL. @default none */
    readonly oidcDocuments?: pulumi.Output<Record<string, string>>;
    /** Subnets of nodes. */
    readonly subnetIds: pulumi.Output<string>[];
    /** Subnets of load balancers. */
    readonly loadBalancerSubnetIds: pulumi.Output<string>[];
    /**
     * The cluster's own security groups: `nodes`, `controllers`, `workers`, `load-balancer` and, if there are any,
     * `candidates`, for rules that name them.
     */
    readonly securityGroupIds: Readonly<Record<string, pulumi.Output<string>>>;

    constructor(name: string, args: AwsClusterArgs, opts?: pulumi.ComponentResourceOptions) {
        super("AwsCluster", name, args, opts);
        const {
            downloads: given = {},
            etcdSnapshotSecrets,
            controlPlaneSecretFiles,
            givenKeys,
            logHeaders,
            registryCredentials,
            ...options
        } = args;
        const { cluster, aws } = resolveAws(name, options);
        noteUnknown(options, this);
        const { kubernetes } = cluster.versions;
        const downloads = mapValues(aws.instances, ({ architecture }) =>
            requireDownloads(downloadsFor(given, kubernetes, architecture, aws), kubernetes, architecture),
        );
        for (const [pool, each] of Object.entries(downloads)) {
            requireRuntimeOf(aws.os, each, aws.instances[pool]!.architecture);
        }
        checkConfigs(cluster, downloads[controller]!);
        if (aws.natGateways === "none") {
            for (const [pool, each] of Object.entries(downloads))
                requireReachable(each, aws.instances[pool]!.architecture);
        }
        for (const image of new Set(Object.values(aws.instances).map((each) => nameOfImage(each.image)))) {
            const missing = missingOsUpdates(image, cluster);
            if (missing !== undefined) log.warn(missing, this);
        }
        const machineCidr = aws.vpcCidr.text;
        if (aws.os === "cloud-init") checkCloudInit({ cluster, machineCidr, downloads: downloads[controller]! });
        const parent = { parent: this };
        for (const warning of zoneWarnings(aws)) log.warn(warning, this);
        const tags = clusterTags(cluster, aws);

        const pki = new Pki(
            name,
            {
                cluster,
                pools: Object.keys(nodesByPool(cluster)),
                receiverName: receiverName(cluster),
                secretFiles: controlPlaneSecretFiles,
                givenKeys,
                registryCredentials,
            },
            parent,
        );
        const account = new AwsAccount(cluster, aws, this);
        const network = createNetwork(name, { aws, account, tags }, parent);
        account.warnOfPools(network.nodeSubnets);
        account.warnOfKey();
        const { ingress, cloudController, ipv6 } = aws;
        const hasEndpoints = serviceEndpoints(aws).length > 0;
        const letIn = {
            apiClients: apiClientsOf(aws, network),
            hasCandidates: cluster.controllers.candidates.length > 0,
            ingress,
            cloudController,
            hasEndpoints,
            ipv6,
            metrics: cluster.metrics,
            bgp: cluster.network.cni === "kube-router",
        };
        const security = createSecurity(name, network.vpc.id, letIn, tags, parent);
        createInboundRules(name, aws.inboundRules, { groups: security.groups, tags }, parent);
        const store = createConfigStore(name, tags, parent);
        const { s3 } = cluster.etcdSnapshots;
        const snapshotBucket =
            aws.snapshotBucket &&
            createSnapshotBucket(name, { ...s3!, ...aws.snapshotBucket, key: aws.kmsKeyId, account, tags }, parent);
        this.retainedSnapshots = aws.snapshotBucket?.retained
            ? retainedSnapshots(s3!.bucket, `aws s3 rb --force s3://${s3!.bucket}`)
            : undefined;
        const identities = createIdentities(name, { aws, store, tags }, parent);
        const balanced = { aws, account, network, security, tags };
        const { balancer, listener, attach } = createLoadBalancer(name, balanced, parent);
        const endpoints = { aws, network, group: security.groups.endpoints, tags };
        // After the load balancer, which needs more free addresses to be created than it uses.
        createServiceEndpoints(name, endpoints, { ...parent, dependsOn: balancer });
        const zone = hostedZone({ cluster, aws, network, tags }, parent);
        const nodeApi =
            aws.nodeApiAccess === "internal"
                ? createNodeApi({ cluster, check: aws.apiHealthCheck, network, security, tags }, parent)
                : undefined;
        const names = [
            ...createDns(cluster, { account, zone, balancer, hasIngress: ingress !== undefined, ipv6 }, parent),
            ...(nodeApi?.names ?? []),
        ];
        const targetGroups = ingress ? createIngress(name, { balancer, account, network, ingress, tags }, parent) : [];
        const images = createImages(name, aws.instances, parent);
        const turns = new SizeTurns(name, "instanceType");
        const recreation = new Recreation(aws.recreate, turns);
        const tokens = new MachineTokens(name, pki, this, recreation);
        const shared = {
            cluster,
            machineCidr,
            aws,
            account,
            network,
            apiNames: names,
            security,
            store,
            snapshotBucket,
            tags,
        };
        const nodesOf = (pool: string) => ({
            ...shared,
            identity: identities[pool]!,
            image: images[pool]!.id,
            downloads: downloads[pool]!,
        });
        const joining = Object.fromEntries(Object.keys(aws.pools).map((pool) => [pool, pki.joiningOf({ pool })]));
        const localData = new LocalDataHooks(cluster);
        const watch = new PoolWatch(cluster);
        const { byName, cloudPermissions } = createControllers(
            nodesOf(controller),
            tokens,
            { turns, localData },
            parent,
        );
        const candidateInstances = createCandidates(
            cluster,
            nodesOf,
            tokens,
            { turns, localData, watch, targetGroups },
            parent,
        );
        const machinesOfControllers = Object.entries(byName);
        const instances = { ...mapValues(byName, ({ instance }) => instance), ...candidateInstances };
        const targets = Object.entries(instances).flatMap(([node, { id }]) => [
            attach(node, id),
            ...(nodeApi ? [nodeApi.attach(node, id)] : []),
        ]);
        const candidates = Object.entries(candidateInstances).map(([node, instance]) => ({
            name: node,
            address: instance.privateIp,
            resource: instance,
        }));
        const controllers = machinesOfControllers.map(([node, { instance, etcdDisk }]) => ({
            name: node,
            address: instance.privateIp,
            // After its instance, which does nothing without the disk.
            resource: etcdDisk,
        }));
        const candidatePools = cluster.workerPools.filter((pool) => isCandidatePool(cluster, pool));
        const groupPools = cluster.workerPools.filter((pool) => !candidatePools.includes(pool));
        const booted = (machines: string, pool: string, id = images[pool]!.id) => {
            return { machines, instance: aws.instances[pool]!, id, newest: images[pool]!.newest };
        };
        warnOfImages(
            [
                ...machinesOfControllers.map(([node, { instance }]) => booted(node, controller, instance.ami)),
                ...candidatePools.flatMap(({ name: pool, nodes }) =>
                    nodes.map((node) => booted(node, pool, candidateInstances[node]!.ami)),
                ),
                ...groupPools.map(({ name: pool }) => booted(`pool ${pool}`, pool)),
            ],
            this,
        );
        const issued = pki.issue({ controllers: [...controllers, ...candidates], apiAddresses: [] });
        const { credentials, lasting, approver, metrics, metricsServer, access } = issued;
        const snapshotSecrets = storeSecrets(cluster, etcdSnapshotSecrets, issued.snapshotKeys);

        const { tokenIssuer } = aws;
        if (tokenIssuer) {
            const publicKeys = pulumi.unsecret(lasting.apply(({ serviceAccount }) => serviceAccount.publicKey));
            const trusted = createTokenIssuer(name, { issuer: tokenIssuer, publicKeys, account, tags }, parent);
            this.oidcIssuerUrl = tokenIssuer.url;
            this.oidcProviderArn = trusted.provider.arn;
            this.oidcDocuments = trusted.documents;
        }

        this.vpcId = pulumi.output(network.vpc.id);
        this.routeTableIds = network.routeTables.map(({ id }) => id);
        this.roleArns = mapValues(identities, ({ role }) => role.arn);
        this.subnetIds = network.nodeSubnets.map(({ id }) => pulumi.output(id));
        this.loadBalancerSubnetIds = network.loadBalancerSubnets.map(({ id }) => pulumi.output(id));
        const { endpoints: _, ...groups } = security.groups;
        this.securityGroupIds = mapValues<string, SecurityGroup, pulumi.Output<string>>({ ...groups }, ({ id }) => id);
        this.ingressName = ingress && ingressName(cluster);
        this.apiUrl = pulumi.output(clusterApiServer(cluster));
        this.describe(cluster, Object.keys(instances), pki, issued);
        const accessKubeconfig = adminKubeconfig(cluster, this.apiUrl, access);
        turns.reachBy(accessKubeconfig);
        localData.reachBy(accessKubeconfig);

        const first = controllers[0]!;
        const machineId = machinesOfControllers[0]![1].instance.id;
        const console = machineId.apply((id) => consoleOfInstance(aws.region, id));
        const start = deliverBootstrap(
            name,
            { cluster, server: this.apiUrl, first, machineId, credentials, console },
            { ...parent, dependsOn: [first.resource, ...names, listener, ...targets] },
        );
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
            deletedWith: network.own ?? security.groups.nodes,
            downloads: (pool: string) => downloads[pool]!,
            architecture: (pool: string) => aws.instances[pool]!.architecture,
            groups: machineGroups(name, aws),
            pooled: pooledMachines(name, aws),
            nodeGroups: nodeGroups(aws),
            cleaned: cleanedGroups(aws),
            repairAccess: repairAccess(name, aws),
            machines: mapValues(instances, ({ id }) => [id]),
            instances: servingInstances(name, aws),
            cloudAddons: { manifests: awsAddons(cluster, aws) },
            createdByCluster: createdInAws(cluster, aws, network, cloudPermissions),
            watch,
            launchesOf: (pool: string) => launchesHere(name, pool, aws.region),
            pools: (upgraded: pulumi.Resource) =>
                groupPools.map((pool) =>
                    createPool(
                        nodesOf(pool.name),
                        pool,
                        { targetGroups, joining: joining[pool.name]!, upgraded, localData, watch },
                        parent,
                    ),
                ),
        };
        const createProvider = createInCluster(
            name,
            { ...inCluster, controllers, candidates, loadBalancer: listener, ...start, snapshotSecrets },
            this,
        );
        recreation.finish({ ...mapValues(byName, ({ etcdDisk }) => etcdDisk), ...candidateInstances });
        const addresses = [...controllers, ...candidates].map(({ name: node, address }) => [node, address]);
        const recovered = { ...clusterOptions(options), name };
        this.complete(createProvider, {
            options: recovered,
            machines: Object.fromEntries(addresses),
            credentials,
            snapshotSecrets,
            joining: pki
                .withoutToken()
                .apply((secrets) =>
                    joinTemplates(cluster, (pool, machine) =>
                        joiningWorker(
                            { cluster, machineCidr, downloads: downloads[pool.name]! },
                            pool,
                            secrets,
                            machine.name,
                        ),
                    ),
                ),
        });
    }
}
