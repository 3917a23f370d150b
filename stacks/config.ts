import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../artifacts/lock";
import { updateChannels } from "../cluster/upgrades/update-channel";
import { configErrors, type KeySchema } from "./check-config";

const labels = z.record(z.string(), z.string());
// Pulumi writes `2` and `true` as a number and a boolean; a command line has neither.
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
    isSchedulable: z.boolean().optional(),
    snippets: snippets.optional(),
});

/**
 * A number alone is that of the controllers.
 *
 * What `describe` says here and below is for docs/reference.md, of keys that options do not have or have otherwise; for all
 * others it takes the options' own comments.
 */
const orCount = <T extends z.ZodObject>(schema: T) =>
    z
        .union([z.int(), schema])
        .optional()
        .transform((value) => (typeof value === "number" ? { count: value } : value) as z.infer<T> | undefined)
        .describe("How many controllers: 1, 3 or 5. Or an object with the keys below. @default 1");

/** Every key of the stack's configuration that all clouds share; `tradewind:<key>`. */
const shared = {
    cloud: z.string().default("local").describe("Where the machines are: `local`, `aws` or `digitalocean`."),
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
            `Without the \`v\`: ${ETCD_VERSIONS.join(" or ")}. Members that run are changed one after another. @default "${versions.etcd}" @see docs/upgrades.md#etcd`,
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
            'What `tradewind updates` offers: a `patch` of its minor version, the next `minor` too, or `none`. @default "none" @see docs/upgrades.md#when-there-is-a-newer-version',
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
                    isByInstanceRole: z.boolean().optional(),
                    accessKeyId: z.string().optional(),
                    secretAccessKey: z.string().optional(),
                    encryptionKey: z.string().optional(),
                })
                .optional(),
        })
        .optional(),
};

const urls = z.array(z.string()).min(1, "one URL or more");

const cniPlugins = z.strictObject({
    urls: urls.describe("Of an archive of CNI plugins: tried one after another."),
    sha256: sha256().describe("Of that archive."),
});

const otherCniPlugins = z
    .array(cniPlugins)
    .optional()
    .describe(
        "Other archives of CNI plugins, which a node's annotation may name by their SHA-256. @see docs/upgrades.md#cni-plugins",
    );

/** The configuration of a local stack. */
export const localConfig = z.strictObject({
    ...shared,
    machineSubnet: z.string(),
    os: z.string().optional(),
    osLike: z.string().optional(),
    keepsConntrackLimits: z.boolean().default(true),
    otherKubelets: z
        .array(z.string())
        .optional()
        .describe(
            "Versions of kubelets beside the cluster's that a node's annotation may name, each in the cache. @see docs/upgrades.md#kubelets",
        ),
    downloads: z
        .strictObject({
            cniPlugins: cniPlugins
                .optional()
                .describe(
                    "CNI plugins of machines, those that are there too. @default those of the cache @see docs/upgrades.md#cni-plugins",
                ),
            otherCniPlugins,
        })
        .optional()
        .describe("What machines fetch from elsewhere than the cluster's own mirror. @default nothing"),
});

export type LocalConfig = z.infer<typeof localConfig>;

/** What of workers is reached from outside. */
const ingress = z
    .strictObject({
        httpPort: z.int().optional(),
        httpsPort: z.int().optional(),
        healthCheck: z.strictObject({ port: z.int(), path: z.string() }).optional(),
        pools: z.array(z.string()).optional(),
        allowedCidrs: z.array(z.string()).optional(),
    })
    .optional();

const DOWNLOADS = "Where machines fetch the kubelet, CNI plugins and images.";

const kubeletOf = (arch: string) =>
    z.strictObject({
        urls: urls
            .optional()
            .describe("Of the kubelet: tried one after another. @default where Kubernetes publishes it"),
        sha256: sha256().describe(
            `Of \`https://dl.k8s.io/v<version>/bin/linux/${arch}/kubelet\`, as Kubernetes publishes it beside. Machines refuse any other.`,
        ),
    });

const containerRuntime = z.strictObject({
    containerd: z
        .strictObject({
            urls: urls
                .optional()
                .describe("Of an archive as containerd releases it. @default where it is published, as pinned"),
            sha256: sha256().describe("Of that archive, as containerd publishes it beside."),
        })
        .describe("containerd 2 or newer."),
    runc: z
        .strictObject({
            urls: urls.optional().describe("Of the program. @default where it is published, as pinned"),
            sha256: sha256().describe("Of the program, as runc publishes it in `runc.sha256sum`."),
        })
        .describe("What containerd runs containers by."),
});

/** What machines of an architecture fetch: from where it is published, unless another place is named. */
const downloadsOf = (arch: string) => ({
    kubelet: kubeletOf(arch).describe(`The kubelet of machines of ${arch}.`),
    otherKubelets: z
        .record(z.string(), kubeletOf(arch))
        .optional()
        .describe(
            "Kubelets of other versions, by their versions, that a node's annotation may name: each as `kubelet` is. @see docs/upgrades.md#one-node-first",
        ),
    cniPlugins: cniPlugins
        .optional()
        .describe(
            `CNI plugins of machines of ${arch}, those that are there too. @default those that are published, as pinned`,
        ),
    otherCniPlugins,
    containerRuntime: containerRuntime
        .optional()
        .describe(
            `containerd and runc for machines of ${arch} whose OS image has none, with \`os: cloud-init\`, those that are there too. @default the image's own @see docs/configuration.md#container-runtime`,
        ),
    otherContainerRuntimes: z
        .array(containerRuntime)
        .optional()
        .describe(
            "Others that a node's annotation may name by their SHA-256: each as `containerRuntime` is. @see docs/upgrades.md#containerd",
        ),
});

const cloudDownloads = z.strictObject({
    ...downloadsOf("amd64"),
    registryMirror: z
        .string()
        .optional()
        .describe("Base URL of a registry that answers for every image. @default each image's own registry"),
});

export type CloudDownloads = z.infer<typeof cloudDownloads>;

/** Images of a driver's sidecars. */
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
        "The cluster's name: a DNS label. It must stay, also when the stack is renamed. @default the stack's name",
    );

const etcdDisk = { etcdDiskSize: z.int().optional() };

/** On AWS there are machines of both architectures. */
const awsDownloads = cloudDownloads.extend({
    kubelet: cloudDownloads.shape.kubelet.optional().describe("The kubelet of machines of amd64, if there are any."),
    arm64: z.strictObject(downloadsOf("arm64")).optional().describe("What machines of arm64 fetch, if there are any."),
});

export type AwsDownloadsConfig = z.infer<typeof awsDownloads>;

/** The configuration of a stack on DigitalOcean. Its token is Pulumi's own `digitalocean:token`. */
export const digitalOceanConfig = z.strictObject({
    ...shared,
    name,
    domain: z.string(),
    controllers: orCount(controllers.extend({ size: z.string().optional(), ...etcdDisk })),
    pools: z.array(pool.extend({ size: z.string().optional() })).optional(),
    region: z.string(),
    // Pulumi writes a custom image's id as a number.
    image: z.union([z.string(), z.int()]).transform(String),
    os: z.string().optional(),
    vpcCidr: z.string().optional(),
    keepsConntrackLimits: z.boolean().optional(),
    hasApiLoadBalancer: z.boolean().optional(),
    apiAllowedCidrs: z.array(z.string()).optional(),
    hasIpv6: z.boolean().optional(),
    madeAnew: z.array(z.string()).optional(),
    ingress,
    hasCloudController: z.boolean().optional(),
    hasCsiDriver: z.boolean().optional(),
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

/** The configuration of a stack on AWS. Its region and credentials are Pulumi's own `aws:region` and others. */
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
    hasCloudController: z.boolean().optional(),
    hasCsiDriver: z.boolean().optional(),
    hasClusterAutoscaler: z.boolean().optional(),
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
    hasIpv6: z.boolean().optional(),
    madeAnew: z.array(z.string()).optional(),
    vpcCidr: z.string().optional(),
    tags: labels.optional(),
    keepsConntrackLimits: z.boolean().optional(),
    downloads: awsDownloads.describe(DOWNLOADS),
});

export type AwsConfig = z.infer<typeof awsConfig>;

function sha256() {
    return z.string().regex(/^[0-9a-f]{64}$/, "a SHA-256 of 64 hexadecimal digits");
}

/** Which cloud the stack is for. */
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
        throw new pulumi.RunError("aws:region must be a region's code, such as eu-central-1, got nothing");
    }
    return { ...config, region };
}

/** Every value of a namespace, with JSON and numbers decoded: an unknown key must not go unnoticed. */
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

/** The SDK's own, which its declarations leave out. */
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
