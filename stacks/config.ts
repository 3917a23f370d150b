import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { updateChannels } from "../cluster/upgrades/update-channel";
import { configErrors, type KeySchema } from "./check-config";

const labels = z.record(z.string(), z.string());
// Pulumi config writes `2` and `true` as a number and a boolean; command lines only have strings.
const args = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const snippets = z.array(z.string());

const pool = z.strictObject({
    name: z.string(),
    count: z.int().optional(),
    labels: labels.optional(),
    taints: z.array(z.string()).optional(),
    maxUnavailable: z.int().optional(),
    drainTimeout: z.string().optional(),
    snippets: snippets.optional(),
});

const controllers = z.strictObject({
    count: z.int().optional(),
    labels: labels.optional(),
    schedulable: z.boolean().optional(),
    snippets: snippets.optional(),
});

/**
 * A plain number is the number of controllers.
 *
 * The descriptions here and below are for docs/reference.md, for keys that are missing from the options or differ from
 * them. All other keys take the doc comments of the options.
 */
const orCount = <T extends z.ZodObject>(schema: T) =>
    z
        .union([z.int(), schema])
        .optional()
        .transform((value) => (typeof value === "number" ? { count: value } : value) as z.infer<T> | undefined)
        .describe("How many controllers: 1, 3 or 5. Or an object with the keys below. @default 1");

/** Keys of the stack configuration (`tradewind:<key>`) that all clouds share. */
const shared = {
    cloud: z.string().default("local").describe("Where the machines run: `local`, `aws` or `digitalocean`."),
    domain: z.string().optional(),
    kubernetesVersion: z
        .string()
        .optional()
        .describe(
            `Without the \`v\`: ${KUBERNETES_VERSIONS.join(" or ")}. @default "${versions.kubernetes}" @see docs/upgrades.md`,
        ),
    etcdVersion: z
        .string()
        .optional()
        .describe(
            `Without the \`v\`: ${ETCD_VERSIONS.join(" or ")}. Running members are updated one at a time. @default "${versions.etcd}" @see docs/etcd.md#changes`,
        ),
    controllers: orCount(controllers),
    pools: z.array(pool).optional(),
    podCidr: z.string().optional(),
    serviceCidr: z.string().optional(),
    podCidr6: z.string().optional(),
    serviceCidr6: z.string().optional(),
    clusterDomain: z.string().optional(),
    kubeProxyMode: z.string().optional(),
    rolloutTimeout: z.string().optional(),
    upgradeOverrides: z.array(z.string()).optional(),
    updateChannel: z
        .enum(updateChannels)
        .optional()
        .describe(
            'Updates that `tradewind updates` offers: `patch` for its own minor version, `minor` to include the next one, or `none`. @default "none" @see docs/upgrades.md#find-newer-versions',
        ),
    osReboots: z.strictObject({ windows: z.array(z.string()) }).optional(),
    selfHosted: z.strictObject({ kubelet: z.boolean().optional(), etcd: z.boolean().optional() }).optional(),
    keys: z
        .strictObject({
            serviceAccount: z.array(z.int()).optional(),
            encryption: z.array(z.union([z.int(), z.literal("plain")])).optional(),
            frontProxyCa: z.array(z.int()).optional(),
            etcdCa: z.array(z.int()).optional(),
            kubernetesCa: z.array(z.int()).optional(),
        })
        .optional(),
    certificates: z
        .strictObject({
            generation: z.int().optional(),
            administrator: z.int().optional(),
            kubeletServing: z.string().optional(),
        })
        .optional(),
    components: z
        .strictObject({
            kubeApiserver: args.optional(),
            kubeControllerManager: args.optional(),
            kubeScheduler: args.optional(),
            kubelet: args.optional(),
            etcd: args.optional(),
        })
        .optional(),
    etcdSnapshots: z
        .strictObject({
            interval: z.string().optional(),
            keep: z.int().optional(),
            maxAge: z.string().optional(),
            directory: z.string().optional(),
            s3: z
                .strictObject({
                    endpoint: z.string(),
                    bucket: z.string(),
                    region: z.string().optional(),
                    prefix: z.string().optional(),
                    instanceRole: z.boolean().optional(),
                    accessKeyId: z.string().optional(),
                    secretAccessKey: z.string().optional(),
                    encryptionKey: z.string().optional(),
                })
                .optional(),
        })
        .optional(),
};

const urls = z.array(z.string()).min(1, "at least one URL");

const cniPlugins = z.strictObject({
    urls: urls.describe("URLs of an archive of CNI plugins, tried in order."),
    sha256: sha256().describe("SHA-256 of the archive."),
});

const otherCniPlugins = z
    .array(cniPlugins)
    .optional()
    .describe(
        "Additional archives of CNI plugins, which a node annotation can select by SHA-256. @see docs/runtime-upgrades.md#cni-plugins",
    );

/** Configuration of a local stack. */
export const localConfig = z.strictObject({
    ...shared,
    machineSubnet: z.string(),
    os: z.string().optional(),
    osLike: z.string().optional(),
    keepConntrackLimits: z.boolean().default(true),
    otherKubelets: z
        .array(z.string())
        .optional()
        .describe(
            "Additional kubelet versions that a node annotation can select. Each must be in the cache. @see docs/kubelets.md",
        ),
    downloads: z
        .strictObject({
            cniPlugins: cniPlugins
                .optional()
                .describe(
                    "CNI plugins of new and existing machines. @default the ones in the cache @see docs/runtime-upgrades.md#cni-plugins",
                ),
            otherCniPlugins,
        })
        .optional()
        .describe("Downloads that do not come from the cluster's own mirror. @default none"),
});

export type LocalConfig = z.infer<typeof localConfig>;

/** Ports of workers that can be reached from outside. */
const ingress = z
    .strictObject({
        httpPort: z.int().optional(),
        httpsPort: z.int().optional(),
        healthCheck: z.strictObject({ port: z.int(), path: z.string() }).optional(),
        pools: z.array(z.string()).optional(),
        allowedCidrs: z.array(z.string()).optional(),
    })
    .optional();

const DOWNLOADS = "Where machines download the kubelet, CNI plugins and images.";

const kubeletOf = (arch: string) =>
    z.strictObject({
        urls: urls.optional().describe("URLs of the kubelet, tried in order. @default where Kubernetes publishes it"),
        sha256: sha256().describe(
            `SHA-256 of \`https://dl.k8s.io/v<version>/bin/linux/${arch}/kubelet\`, as published next to it. Machines refuse any other file.`,
        ),
    });

const containerRuntime = z.strictObject({
    containerd: z
        .strictObject({
            urls: urls
                .optional()
                .describe(
                    "URLs of a containerd release archive. @default the pinned release, where containerd publishes it",
                ),
            sha256: sha256().describe("SHA-256 of the archive, as published next to it."),
        })
        .describe("containerd 2 or newer."),
    runc: z
        .strictObject({
            urls: urls.optional().describe("URLs of the binary. @default the pinned release, where runc publishes it"),
            sha256: sha256().describe("SHA-256 of the binary, as published in `runc.sha256sum`."),
        })
        .describe("The OCI runtime of containerd."),
});

/** Downloads of machines of one architecture. By default each comes from where its project publishes it. */
const downloadsOf = (arch: string) => ({
    kubelet: kubeletOf(arch).describe(`The kubelet of ${arch} machines.`),
    otherKubelets: z
        .record(z.string(), kubeletOf(arch))
        .optional()
        .describe(
            "Additional kubelets by version, which a node annotation can select. Each has the form of `kubelet`. @see docs/kubelets.md#one-node-first",
        ),
    cniPlugins: cniPlugins
        .optional()
        .describe(
            `CNI plugins of new and existing ${arch} machines. @default the pinned release, where it is published`,
        ),
    otherCniPlugins,
    containerRuntime: containerRuntime
        .optional()
        .describe(
            `containerd and runc for new and existing ${arch} machines whose OS image has none, with \`os: cloud-init\`. @default the ones in the image @see docs/configuration.md#container-runtime`,
        ),
    otherContainerRuntimes: z
        .array(containerRuntime)
        .optional()
        .describe(
            "Additional container runtimes, which a node annotation can select by SHA-256. Each has the form of `containerRuntime`. @see docs/runtime-upgrades.md#containerd",
        ),
});

const cloudDownloads = z.strictObject({
    ...downloadsOf("amd64"),
    registryMirror: z
        .string()
        .optional()
        .describe("Base URL of a registry that mirrors every image. @default each image's own registry"),
});

export type CloudDownloads = z.infer<typeof cloudDownloads>;

/** Images of a CSI driver's sidecars. */
const sidecars = {
    csiProvisioner: z.string().optional(),
    csiAttacher: z.string().optional(),
    csiResizer: z.string().optional(),
    csiNodeDriverRegistrar: z.string().optional(),
    csiLivenessProbe: z.string().optional(),
};

const name = z
    .string()
    .optional()
    .describe(
        "Cluster name: a DNS label. It cannot be changed, even when the stack is renamed. @default the stack's name",
    );

const etcdDisk = { etcdDiskSize: z.int().optional() };

/** AWS has machines of both architectures. */
const awsDownloads = cloudDownloads.extend({
    kubelet: cloudDownloads.shape.kubelet.optional().describe("The kubelet of amd64 machines, if there are any."),
    arm64: z.strictObject(downloadsOf("arm64")).optional().describe("Downloads of arm64 machines, if there are any."),
});

export type AwsDownloadsConfig = z.infer<typeof awsDownloads>;

/** Configuration of a stack on DigitalOcean. The API token is Pulumi's own `digitalocean:token`. */
export const digitalOceanConfig = z.strictObject({
    ...shared,
    name,
    domain: z.string(),
    controllers: orCount(controllers.extend({ size: z.string().optional(), ...etcdDisk })),
    pools: z.array(pool.extend({ size: z.string().optional() })).optional(),
    region: z.string(),
    // Pulumi config writes the id of a custom image as a number.
    image: z.union([z.string(), z.int()]).transform(String),
    os: z.string().optional(),
    vpcCidr: z.string().optional(),
    keepConntrackLimits: z.boolean().optional(),
    apiLoadBalancer: z.boolean().optional(),
    apiAllowedCidrs: z.array(z.string()).optional(),
    ipv6: z.boolean().optional(),
    recreate: z.array(z.string()).optional(),
    ingress,
    cloudController: z.boolean().optional(),
    csiDriver: z.boolean().optional(),
    cloudImages: z
        .strictObject({
            digitalOceanCloudController: z.string().optional(),
            digitalOceanCsiDriver: z.string().optional(),
            ...sidecars,
        })
        .optional(),
    cloudTokens: z
        .strictObject({ cloudController: z.string().optional(), csiDriver: z.string().optional() })
        .optional(),
    snapshotSpace: z.strictObject({ name: z.string(), region: z.string().optional() }).optional(),
    project: z.string().optional(),
    tags: z.array(z.string()).optional(),
    sshKeys: z.array(z.union([z.string(), z.int()]).transform(String)).optional(),
    downloads: cloudDownloads.describe(DOWNLOADS),
});

export type DigitalOceanConfig = z.infer<typeof digitalOceanConfig>;

const instance = {
    instanceType: z.string().optional(),
    image: z.string().optional(),
    diskSize: z.int().optional(),
};

const group = {
    ...instance,
    instanceTypes: z.array(z.string()).optional(),
    spot: z.strictObject({ onDemandBase: z.int().optional(), onDemandPercentage: z.int().optional() }).optional(),
    min: z.int().optional(),
    max: z.int().optional(),
    instanceRefresh: z
        .strictObject({
            minHealthyPercentage: z.int().optional(),
            maxHealthyPercentage: z.int().optional(),
            warmup: z.string().optional(),
        })
        .optional(),
};

/** Configuration of a stack on AWS. Region and credentials are Pulumi's own `aws:region` and others. */
export const awsConfig = z.strictObject({
    ...shared,
    name,
    domain: z.string(),
    controllers: orCount(controllers.extend({ ...instance, ...etcdDisk })),
    pools: z.array(pool.extend(group)).optional(),
    vpcId: z.string().optional(),
    subnetIds: z.array(z.string()).optional(),
    loadBalancerSubnetIds: z.array(z.string()).optional(),
    zones: z.array(z.string()).optional(),
    image: z.string().optional(),
    os: z.string().optional(),
    topology: z.string().optional(),
    natGateways: z.string().optional(),
    vpcEndpoints: z.array(z.string()).optional(),
    apiAccess: z.string().optional(),
    privateZone: z.string().optional(),
    apiAllowedCidrs: z.array(z.string()).optional(),
    ingress,
    cloudController: z.boolean().optional(),
    csiDriver: z.boolean().optional(),
    autoscaler: z.boolean().optional(),
    clusterAutoscaler: z
        .strictObject({
            expander: z.string().optional(),
            scaleDownUtilizationThreshold: z.int().optional(),
            scaleDownUnneededTime: z.string().optional(),
            scaleDownDelayAfterAdd: z.string().optional(),
            maxNodeProvisionTime: z.string().optional(),
            balanceSimilarNodeGroups: z.boolean().optional(),
            skipNodesWithLocalStorage: z.boolean().optional(),
            skipNodesWithSystemPods: z.boolean().optional(),
        })
        .optional(),
    snapshotBucket: z.strictObject({ name: z.string() }).optional(),
    cloudImages: z
        .strictObject({
            awsCloudController: z.string().optional(),
            awsCsiDriver: z.string().optional(),
            clusterAutoscaler: z.string().optional(),
            ...sidecars,
        })
        .optional(),
    ipv6: z.boolean().optional(),
    recreate: z.array(z.string()).optional(),
    vpcCidr: z.string().optional(),
    tags: labels.optional(),
    keepConntrackLimits: z.boolean().optional(),
    downloads: awsDownloads.describe(DOWNLOADS),
});

export type AwsConfig = z.infer<typeof awsConfig>;

function sha256() {
    return z.string().regex(/^[0-9a-f]{64}$/, "a SHA-256 of 64 hexadecimal digits");
}

/** The cloud that the stack is for. */
export function cloud<T extends string>(known: readonly T[]): T {
    const value = new pulumi.Config("tradewind").get("cloud") ?? "local";
    if (!known.includes(value as T)) {
        throw new pulumi.RunError(`tradewind:cloud must be one of ${known.join(", ")}, got ${value}`);
    }
    return value as T;
}

export function readLocalConfig(): LocalConfig {
    return check(localConfig, readAll("tradewind"));
}

export function readDigitalOceanConfig(): DigitalOceanConfig {
    return check(digitalOceanConfig, readAll("tradewind"));
}

export function readAwsConfig(): AwsConfig & { readonly region: string } {
    const config = check(awsConfig, readAll("tradewind"));
    const region = new pulumi.Config("aws").get("region");
    if (!region) {
        throw new pulumi.RunError("aws:region must be a region code, such as eu-central-1, got nothing");
    }
    return { ...config, region };
}

/** Every value of a namespace, with JSON and numbers decoded, so that unknown keys are found. */
function readAll(namespace: string): Record<string, unknown> {
    const config = new pulumi.Config(namespace);
    const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(`${namespace}:`));
    return Object.fromEntries(
        keys.map((key) => {
            const name = key.slice(namespace.length + 1);
            const text = config.require(name);
            return [name, /^([[{]|-?\d+$|true$|false$)/.test(text) ? parsed(key, text) : text];
        }),
    );
}

function parsed(key: string, text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        throw new pulumi.RunError(`${key} must be JSON, got ${isSecret(key) ? "[secret]" : text}`);
    }
}

/** Exported by the SDK, but missing from its type declarations. */
function isSecret(key: string): boolean {
    const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret(key: string): boolean };
    return isConfigSecret(key);
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
    const result = schema.safeParse(value);
    if (!result.success) {
        const keys = z.toJSONSchema(schema, { io: "input" }) as KeySchema;
        throw new pulumi.RunError(
            configErrors(result.error.issues, value, keys, (key) => isSecret(`tradewind:${key}`)).join("\n"),
        );
    }
    return result.data;
}
